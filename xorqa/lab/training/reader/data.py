"""The data of a reader's training: questions of all sources, then windows in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from ....core.errors import ConfigError
from ....core.progress import Log, silent
from ....io.squad_xor import SquadQuestion, read_squad
from ..bitext.lexicon import read_lexicon
from ..common.decontamination import match_key, read_excluded
from ..common.loop import claim_folder
from ..common.random_streams import stream
from ..common.recipe import SquadSource, matching
from .code_switching import code_switch
from .distillation import prepare_distillation
from .hard_negatives import mine_hard_negatives
from .recipe import ReaderRecipe
from .validation import ReaderValidationSet, validation_set
from .windows import (
    LabeledWindow,
    answerable_windows,
    make_batches,
    sample_sources,
    unanswerable_windows,
    usable_questions,
)


@dataclass(frozen=True, slots=True)
class ReaderData:
    """Batches to train on, the validation set, and the counts for the card."""

    batches: Sequence[Sequence[LabeledWindow]]
    validation: ReaderValidationSet | None
    counts: Mapping[str, int]


def prepare(recipe: ReaderRecipe, tokenizer: Any, out: Path, *, report: Log = silent) -> ReaderData:
    """Read, sample, mine and tokenize a recipe's data; hard negatives stay in `out`.

    Raises:
        ConfigError: if `out` belongs to another recipe, or no question is left to train on.
    """
    seed, sources = recipe.seed, recipe.sources
    excluded = read_excluded(matching(recipe.exclude))
    by_source = read_sources(sources, excluded)
    pools = list(map(usable_questions, by_source, sources))
    if not any(pools):
        files = ", ".join(file for source in sources for file in source.files)
        raise ConfigError(
            f"{files}: no question is left to train on; all are held out, excluded "
            "or lack their answer at its offset"
        )
    weights, rng = [source.weight for source in sources], stream(seed, "questions")
    samples = sample_sources(
        pools, weights, questions=recipe.questions, negatives=recipe.negatives, rng=rng
    )
    lexicon, rng = read_lexicon(matching(recipe.lexicon)), stream(seed, "code switching")
    questions = [
        code_switch(sample.questions, lexicon, source.code_switched, rng)
        for sample, source in zip(samples, sources, strict=True)
    ]
    claim_folder(out, recipe.identity())
    hard = [
        mine_hard_negatives(
            sample.questions,
            pool,
            per_question=recipe.hard_negatives,
            miner=recipe.miner,
            rng=stream(seed, "hard negatives", number),
            folder=out / f"hard-{number}",
            report=report,
        )
        for number, (sample, pool) in enumerate(zip(samples, pools, strict=True), 1)
    ]
    windows = answerable_windows(list(chain(*questions)), tokenizer, recipe.max_tokens)
    for pairs in (chain(*(sample.unanswerable for sample in samples)), chain(*hard)):
        windows += unanswerable_windows(list(pairs), tokenizer, recipe.max_tokens)
    counts = {"questions": sum(map(len, pools)), "hard_negatives": sum(map(len, hard))}
    validation = _validation_set(recipe, by_source)
    if recipe.distillation:
        distilled = prepare_distillation(
            recipe.distillation,
            tokenizer,
            out,
            excluded=excluded,
            lexicon=lexicon,
            seed=seed,
            dtype=recipe.dtype,
            report=report,
        )
        windows += distilled.windows
        counts |= {f"distilled_{name}": count for name, count in distilled.counts.items()}
        validation = validation and replace(validation, agreement=distilled.agreement)
    counts["windows"] = len(windows)
    batches = make_batches(windows, size=recipe.batch_size, rng=stream(seed, "batches"))
    report(
        f"{counts['windows']} windows of {counts['questions']} questions, {len(batches)} batches"
    )
    return ReaderData(batches, validation, counts)


def read_validation_set(recipe: ReaderRecipe) -> ReaderValidationSet | None:
    """The validation set alone, for weights that are not trained here."""
    excluded = read_excluded(matching(recipe.exclude))
    return _validation_set(recipe, read_sources(recipe.sources, excluded))


def read_sources(
    sources: Sequence[SquadSource], excluded: frozenset[str]
) -> list[list[SquadQuestion]]:
    """Each source's questions, without those whose match key is `excluded`."""
    return [
        [
            question
            for path in source.paths
            for question in read_squad(path)
            if match_key(question.question) not in excluded
        ]
        for source in sources
    ]


def _validation_set(
    recipe: ReaderRecipe, by_source: Sequence[Sequence[SquadQuestion]]
) -> ReaderValidationSet | None:
    rng = stream(recipe.seed, "validation")
    return validation_set(by_source, recipe.sources, per_source=recipe.validation, rng=rng)
