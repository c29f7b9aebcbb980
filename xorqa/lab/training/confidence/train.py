"""Train a confidence model on questions with and without their answer in the corpus."""

from collections.abc import Collection
from pathlib import Path

import numpy as np

from ....answering.confidence.model import FEATURES, ConfidenceModel, of_all, save_confidence
from ....core.errors import DataError
from ....core.progress import TaskProgress, silent
from ....core.types import Trace
from ....experiments.confidence import search_of, stages_of
from ....experiments.settings import PipelineSettings
from ....io.cache import stage_cache
from ....io.files import write_text
from ..bitext.lexicon import read_lexicon
from ..chooser.rows import Floats
from ..chooser.train import fit
from ..common.training_data import matching, read_excluded
from ..common.training_folder import locks_out
from ..reader.no_answer import best_threshold
from .card import card_text
from .cases import make_cases
from .measures import measure, others_error, reliability_table
from .recipe import ConfidenceRecipe
from .rows import ConfidenceRows, Mask, collect_rows
from .traces import settings_for, trace_cases

WEIGHTS = "confidence.json"
CARD = "confidence.md"


@locks_out("training folder")
def train_confidence(
    recipe: ConfidenceRecipe, out: Path, *, progress: TaskProgress = silent
) -> ConfidenceModel:
    """Write the weights and their card to `out`, which also gets the index of the corpus.

    Half of the articles, by a hash of their title, train the model and choose its threshold; the
    other half measure it. An interrupted training resumes: the index is built in shards, and what
    was retrieved and read is in the cache.

    Raises:
        DataError: if a file is missing or of another layout, or no answer is right, or all are.
    """
    if missing := [file for file, state in recipe.inputs().items() if state == "missing"]:
        raise DataError(
            f"missing input files: {', '.join(missing)}; fetch data sets with: xorqa data fetch, "
            "make a lexicon with: xorqa train lexicon"
        )
    cases = make_cases(
        recipe.sources,
        sizes=recipe.sizes,
        lexicon=read_lexicon(matching(recipe.lexicon)),
        excluded=read_excluded(matching(recipe.exclude)),
        seed=recipe.seed,
    )
    langs = sorted({case.answers_in for case in cases.cases})
    settings: list[PipelineSettings] = []
    traces: list[Trace] = []
    for config in recipe.configs:
        by_lang = {lang: settings_for(config, recipe.reader, lang) for lang in langs}
        settings += by_lang.values()
        traces += trace_cases(
            cases, by_lang, indexes=out / "indexes", cache=stage_cache(), progress=progress
        )
    rows = collect_rows(cases.cases * len(recipe.configs), traces)
    model = fit_confidence(recipe, rows, settings)
    save_confidence(out / WEIGHTS, model)
    write_text(out / CARD, card_text(model))
    return model


def fit_confidence(
    recipe: ConfidenceRecipe, rows: ConfidenceRows, settings: Collection[PipelineSettings]
) -> ConfidenceModel:
    """The model fitted to the rows that are not `measured`, with its measures on the others.

    Raises:
        DataError: if no answer is right, or all are.
    """
    weights, intercept = _fit(rows, ~rows.measured)
    p = _probabilities(rows, weights, intercept)
    threshold = _threshold(rows, p, ~rows.measured)
    routes = {search_of(route): (each, route) for each in settings for route in each.routes}
    return ConfidenceModel(
        FEATURES,
        tuple(weights.tolist()),
        intercept,
        threshold,
        {search: stages_of(*routes[search]) for search in sorted(routes)},
        {
            "recipe": recipe.describe(),
            "measures": measure(rows, p, threshold, rows.measured)
            | _by_config(recipe, rows, p, threshold),
            "reliability": reliability_table(rows, p, rows.measured),
            "other_answers_error": others_error(rows, p, rows.measured),
            "halves_exchanged": _exchanged(rows),
        },
    )


def _by_config(
    recipe: ConfidenceRecipe, rows: ConfidenceRows, p: Floats, threshold: float
) -> dict[str, dict[str, float | None]]:
    """The measures of each config's answers, if there are several."""
    if len(recipe.configs) == 1:
        return {}
    number = rows.case // (len(rows.cases) // len(recipe.configs))
    return {
        name: measure(rows, p, threshold, rows.measured & (number == at))["all"]
        for at, name in enumerate(recipe.configs)
    }


def _fit(rows: ConfidenceRows, used: Mask) -> tuple[Floats, float]:
    """Weights and intercept, fitted to the chosen answers of the rows `used`."""
    part = used & rows.chosen
    x, right = rows.x[part], rows.right[part]
    if not 0 < right.sum() < len(right):
        raise DataError("the sample has no right answers, or no wrong ones; ask more questions")
    return fit(x, right, np.ones(len(right)))


def _probabilities(rows: ConfidenceRows, weights: Floats, intercept: float) -> Floats:
    """The probabilities of all answers, as `with_confidence` has them."""
    p: Floats = 1 / (1 + np.exp(-(rows.x @ weights + intercept)))
    confidences = np.zeros(len(p))
    for case in np.unique(rows.case[rows.chosen]):
        part = np.flatnonzero(rows.case == case)
        [chosen] = np.flatnonzero(rows.chosen[part])
        confidences[part] = of_all(p[part], int(chosen))
    return confidences


def _threshold(rows: ConfidenceRows, p: Floats, used: Mask) -> float:
    """The threshold that best separates right answers from those to unanswerable questions."""
    chosen = used & rows.chosen
    right = p[chosen & rows.answerable & (rows.right > 0)]
    return best_threshold(right, p[chosen & ~rows.answerable])


def _exchanged(rows: ConfidenceRows) -> dict[str, float | None]:
    """The measures for all questions if the two halves exchange their roles."""
    p = _probabilities(rows, *_fit(rows, rows.measured))
    return measure(rows, p, _threshold(rows, p, rows.measured), ~rows.measured)["all"]
