"""The loss ledger: what each stage takes from the end result, translator by translator.

One question's score is the F1 of its answer in its own language (XOR-Full, strict scorer). The
stages are replaced by their oracles one after the other, and a stage's loss is what its oracle
adds:

    end result            the pipeline's English routes with the translator
    translation      +=   the same with the human translation
    retrieval        +=   the reader is given the gold passage, asked the human translation
    reading          +=   the first gold English answer is localised
    back-translation +=   the gold answer in the question's language, which scores 100

So the four losses and the score add up to 100, for a question as for any mean. A loss is
negative where a stage does better than its oracle: a translation that happens to find more than
the human one, a passage other than the gold one that is easier to read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..caching import stages as cached
from ..caching.store import Cache
from ..core.errors import DataError
from ..core.progress import Tell, silent
from ..core.registry import build
from ..core.stages import Chooser, Localiser, Reader
from ..core.types import Candidate, Example, Gold, Hit, Query, Span
from ..datasets.dataset import Dataset
from ..experiments.pipeline import Pipeline
from ..experiments.settings import ENGLISH, PipelineSettings
from ..metrics import tasks
from ..metrics.report import Reference, Report, Score, average
from ..metrics.translation import score_translations

STAGES = ("translation", "retrieval", "reading", "back-translation")
HUMAN = "human"
_BAG = "f1"


@dataclass(frozen=True, slots=True)
class Losses:
    """By translator: reports of "f1" and the four losses, and BLEU of the queries.

    BLEU is of the first English route's queries against the human translations, by language.
    `correlation` is Spearman's of BLEU and F1 over all translators but the human one and all
    languages (cf. Asai et al. 2021, Table 8); None for fewer than three or constant figures.
    """

    reports: Mapping[str, Report]
    bleu: Mapping[str, Mapping[str, float]]
    correlation: float | None


def make_losses(
    given: PipelineSettings,
    dataset: Dataset,
    translators: Mapping[str, Mapping[str, Any]],
    *,
    cache: Cache,
    indexes: Path | None = None,
    progress: Tell = silent,
) -> Losses:
    """Run the questions once a translator (name to table) over one index, and split the losses.

    Counted are questions with an English gold passage and answer, an answer in their language and
    a human translation; routes over other corpora than the English one are left out.

    Raises:
        DataError: if there is no such question, or no English route.
    """
    examples = [example for example in dataset.examples if _whole(example)]
    routes = tuple(route for route in given.routes if route.corpus == ENGLISH)
    if not examples or not routes:
        raise DataError(
            f"a loss ledger of {dataset.name} needs a route over English, and questions with "
            "gold passages, answers in two languages and human translations"
        )
    tables = {HUMAN: {"use": HUMAN}, **translators}
    answered: dict[str, list[str]] = {}
    queries: dict[str, list[str]] = {}
    for name, table in tables.items():
        own = tuple(replace(route, translator=dict(table)) for route in routes)
        pipeline = Pipeline(
            replace(given, routes=own),
            dataset.corpora,
            translations=dataset.translations,
            indexes=indexes,
            cache=cache,
            progress=partial(_under, name, progress),
        )
        traces = pipeline.answer([example.question for example in examples])
        answered[name] = [trace.answer.text if trace.answer else "" for trace in traces]
        queries[name] = [trace.by_route[routes[0].name][0].text for trace in traces]
    oracles = [answered[HUMAN], *_oracles(given, dataset, examples, cache=cache)]
    rungs = [_f1(examples, texts) for texts in oracles]
    reports = {
        name: split(examples, [_f1(examples, answered[name]), *rungs]) for name in translators
    }
    bleu = {name: _bleu(examples, queries[name]) for name in translators}
    return Losses(reports, bleu, rank_correlation(reports, bleu))


def split(examples: Sequence[Example], rungs: Sequence[Sequence[float]]) -> Report:
    """F1 and the four losses in percent from the scores (0 to 1) of each rung but the last.

    `rungs` are the scores of the end result, with the gold translation, the gold passage and the
    gold span; the last rung is 1 for every question.
    """
    scores = []
    for example, *steps in zip(examples, *rungs, strict=True):
        losses = [after - before for before, after in pairwise([*steps, 1.0])]
        values = {_BAG: steps[0], **dict(zip(STAGES, losses, strict=True))}
        scores.append(Score(example.question.qid, example.question.lang, values))
    return average(scores, task="xor-full", scorer="strict, F1")


def rank_correlation(
    reports: Mapping[str, Report], bleu: Mapping[str, Mapping[str, float]]
) -> float | None:
    """Spearman's correlation of BLEU and F1 over translators (but the human one) and languages."""
    from scipy.stats import spearmanr

    points = [
        (value, reports[name].per_lang[lang][_BAG])
        for name, values in bleu.items()
        for lang, value in values.items()
        if name != HUMAN
    ]
    if len(points) < 3 or any(len(set(side)) < 2 for side in zip(*points, strict=True)):
        return None
    return float(spearmanr(*zip(*points, strict=True)).statistic)


def _under(name: str, progress: Tell, stage: str, done: int, total: int) -> None:
    progress(f"{name}: {stage}", done, total)


def _whole(example: Example) -> bool:
    return bool(
        example.human_translation and _gold(example) and example.answers(example.question.lang)
    )


def _gold(example: Example) -> Gold | None:
    """The first English answer with a passage."""
    golds = (gold for gold in example.golds if gold.lang == ENGLISH and gold.docid)
    return next(golds, None)


def _oracles(
    given: PipelineSettings, dataset: Dataset, examples: Sequence[Example], *, cache: Cache
) -> list[list[str]]:
    """The answers with the gold passage, and with the gold span."""
    reader: Reader = build("reader", given.reader)
    corpus = dataset.corpora[ENGLISH]
    golds = [gold for example in examples if (gold := _gold(example))]
    queries = [Query(e.question, e.human_translation or "", ENGLISH) for e in examples]
    hits = [[Hit(corpus[gold.docid or ""], 0.0)] for gold in golds]
    read = cached.read(reader, queries, hits, cache=cache)
    spans = [[_exactly(gold)] for gold in golds]
    return [_said(given, examples, some, cache=cache) for some in (read, spans)]


def _said(
    given: PipelineSettings,
    examples: Sequence[Example],
    candidates: Sequence[Sequence[Candidate]],
    *,
    cache: Cache,
) -> list[str]:
    """The answers that the experiment's localiser and chooser make of candidates."""
    localiser: Localiser = build("localiser", given.localiser, cache=cache)
    chooser: Chooser = build("chooser", given.chooser)
    questions = [example.question for example in examples]
    answers = chooser.choose(questions, localiser.localise(questions, candidates))
    return [answer.text for answer in answers]


def _exactly(gold: Gold) -> Candidate:
    span = gold.span or Span(0, len(gold.text))
    return Candidate(gold.text, ENGLISH, "gold", gold.docid or "", span, 0.0, 0.0, None, 0.0, 0)


def _f1(examples: Sequence[Example], texts: Sequence[str]) -> list[float]:
    references = [
        Reference(e.question.qid, e.question.lang, e.answers(e.question.lang)) for e in examples
    ]
    found = {row.qid: text for row, text in zip(references, texts, strict=True)}
    return [row.values[_BAG] for row in tasks.score("xor-full", references, found, scorer="strict")]


def _bleu(examples: Sequence[Example], queries: Sequence[str]) -> dict[str, float]:
    human = [example.human_translation or "" for example in examples]
    report = score_translations(queries, human, [example.question.lang for example in examples])
    return {lang: values["BLEU"] for lang, values in report.per_lang.items()}
