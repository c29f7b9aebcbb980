"""The loss ledger: the F1 that each stage loses, by translator.

A question's score is the F1 of its answer in its own language (XOR-Full, strict scorer). The
stages are replaced by oracles one after the other; a stage's loss is the F1 that its oracle adds:

    end result            the pipeline's English routes with the translator
    translation      +=   the same with the human translation
    retrieval        +=   the reader gets the gold passage and the human translation
    reading          +=   the first gold English answer is localised
    back-translation +=   the gold answer in the question's language, which scores 100

So the score and the four losses add up to 100, for each question and for any mean. A loss is
negative if a stage does better than its oracle: a translation that retrieves more than the human
one, or a passage that is easier to read than the gold passage.

With a ranker, the retrieval loss is that of the ranked passages. The losses without it are reported
as well; the difference between the two retrieval losses is what the ranker gained.

With a generator, the losses with the span reader are reported as well; what the generator gained is
the difference of their F1, since it may also write the answer in the question's language.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...core.progress import TaskProgress, silent
from ...core.types import Example, ReadingFailure, Trace
from ...datasets.dataset import Dataset
from ...experiments.pipeline import Pipeline
from ...experiments.settings import PipelineSettings
from ...io.cache import Cache
from ...metrics.report import Reference, Report, Score, average
from ...metrics.tasks.xor_engspan import XOR_ENGSPAN, english_span
from ...metrics.tasks.xor_full import XOR_FULL
from ..common.translation_measures import score_translations
from .loss_oracles import english_gold, oracle_answers
from .reduced import with_span_reader, without_ranker

STAGES = ("translation", "retrieval", "reading", "back-translation")
HUMAN, GOLD_PASSAGE = "human", "gold passage"
_F1 = "f1"

ByLanguage = Mapping[str, Mapping[str, float]]
"""Translator to language to percent."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Reports of "f1" and the four losses, BLEU of the queries and English F1, by translator.

    BLEU compares the first English route's queries with the human translations, by language.
    `english_f1` is XOR-EnglishSpan's F1 (strict scorer), which Asai et al. 2021, Table 8, compare
    with BLEU; "f1" is XOR-Full's. `correlation` and `english_correlation` are Spearman's rank
    correlations of BLEU with XOR-Full's or XOR-EnglishSpan's F1, over languages and all
    translators except the human one; None for fewer than three values or constant ones.
    `without_ranker` has the reports of the same experiment without its ranker, if it has one, and
    `with_span_reader` those with the span reader, if a model generates its answers. `unread` has
    the number of questions on which the reader failed, by translator, and under `GOLD_PASSAGE` for
    the gold passages, such as those without a recorded reply; they count as wrong.
    """

    reports: Mapping[str, Report]
    bleu: ByLanguage
    english_f1: ByLanguage
    correlation: float | None
    english_correlation: float | None
    without_ranker: Mapping[str, Report] = field(default_factory=dict)
    with_span_reader: Mapping[str, Report] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)


def make_losses(
    settings: PipelineSettings,
    dataset: Dataset,
    translators: Mapping[str, Mapping[str, Any]],
    *,
    cache: Cache,
    indexes: Path | None = None,
    progress: TaskProgress = silent,
) -> Losses:
    """Run the pipeline with each translator (name to table) over one index; split the losses.

    Only questions with an English gold passage, an answer in their own language and a human
    translation count, and only routes over the English corpus.

    Raises:
        DataError: if there is no such question, or no English route.
    """
    examples = [
        e
        for e in dataset.examples
        if e.human_translation and english_gold(e) and e.answers(e.question.lang)
    ]
    routes = tuple(route for route in settings.routes if route.corpus == ENGLISH)
    if not examples or not routes:
        raise DataError(
            f"a loss ledger of {dataset.name} needs a route over the English corpus, and questions "
            "with gold passages, answers in two languages and human translations"
        )
    traces: dict[str, list[Trace]] = {}
    unread: dict[str, set[str]] = {}
    for name, table in {HUMAN: {"use": HUMAN}, **translators}.items():
        translated = tuple(replace(route, translator=dict(table)) for route in routes)
        pipeline = Pipeline.from_config(
            replace(settings, routes=translated),
            dataset.corpora,
            translations=dataset.translations,
            indexes=indexes,
            cache=cache,
            progress=partial(_prefixed, name, progress),
        )
        traces[name] = pipeline.answer([example.question for example in examples])
        unread[name] = _qids(chain.from_iterable(pipeline.unread.values()))
    failures: list[ReadingFailure] = []
    oracles = oracle_answers(settings, dataset, examples, cache=cache, failed=failures.append)
    unread[GOLD_PASSAGE] = _qids(failures)
    oracle_f1 = [_f1(examples, texts) for texts in (_answers(traces[HUMAN]), *oracles)]
    reports = {
        name: split_losses(examples, [_f1(examples, _answers(traces[name])), *oracle_f1])
        for name in translators
    }
    bleu = {name: _bleu(examples, traces[name], routes[0].name) for name in translators}
    f1 = {
        name: {lang: means[_F1] for lang, means in report.per_lang.items()}
        for name, report in reports.items()
    }
    english_f1 = {name: _english_f1(examples, traces[name]) for name in translators}
    correlations = rank_correlation(f1, bleu), rank_correlation(english_f1, bleu)
    compare = partial(
        make_losses, dataset=dataset, translators=translators, cache=cache, indexes=indexes
    )
    unranked: Mapping[str, Report] = {}
    if any(map(settings.is_ranked, routes)):
        report = partial(_prefixed, "without ranker", progress)
        unranked = compare(without_ranker(settings), progress=report).reports
    extracted: Mapping[str, Report] = {}
    if settings.generates:
        report = partial(_prefixed, "span reader", progress)
        extracted = compare(with_span_reader(settings), progress=report).reports
    counts = {name: len(qids) for name, qids in unread.items() if qids}
    return Losses(reports, bleu, english_f1, *correlations, unranked, extracted, counts)


def split_losses(examples: Sequence[Example], f1_by_step: Sequence[Sequence[float]]) -> Report:
    """F1 and the four losses in percent.

    `f1_by_step` has the examples' F1 (0 to 1) of the end result, and with the human translation,
    the gold passage and the gold span.
    """
    scores = []
    for example, *steps in zip(examples, *f1_by_step, strict=True):
        losses = [after - before for before, after in pairwise([*steps, 1.0])]
        values = {_F1: steps[0], **dict(zip(STAGES, losses, strict=True))}
        scores.append(Score(example.question.qid, example.question.lang, values))
    return average(scores, task=XOR_FULL.name, scorer="strict, F1")


def rank_correlation(f1: ByLanguage, bleu: ByLanguage) -> float | None:
    """Spearman's correlation of BLEU and F1 over machine translators and languages."""
    from scipy.stats import spearmanr

    points = [
        (value, f1[name][lang])
        for name, values in bleu.items()
        for lang, value in values.items()
        if name != HUMAN
    ]
    if len(points) < 3 or any(len(set(values)) < 2 for values in zip(*points, strict=True)):
        return None
    return float(spearmanr(*zip(*points, strict=True)).statistic)


def _prefixed(name: str, progress: TaskProgress, stage: str, done: int, total: int) -> None:
    progress(f"{name}: {stage}", done, total)


def _qids(failures: Iterable[ReadingFailure]) -> set[str]:
    return {failure.question.qid for failure in failures}


def _f1(examples: Sequence[Example], texts: Sequence[str]) -> list[float]:
    references = [
        Reference(e.question.qid, e.question.lang, e.answers(e.question.lang)) for e in examples
    ]
    predictions = {row.qid: text for row, text in zip(references, texts, strict=True)}
    scores = XOR_FULL.score(references, predictions, scorer="strict")
    return [row.values[_F1] for row in scores]


def _answers(traces: Sequence[Trace]) -> list[str]:
    return [trace.answer.text if trace.answer else "" for trace in traces]


def _english_f1(examples: Sequence[Example], traces: Sequence[Trace]) -> dict[str, float]:
    spans = {trace.question.qid: english_span(trace) for trace in traces}
    references = [Reference(e.question.qid, e.question.lang, e.answers(ENGLISH)) for e in examples]
    report = XOR_ENGSPAN.evaluate(references, spans, scorer="strict")
    return {lang: means[_F1] for lang, means in report.per_lang.items()}


def _bleu(examples: Sequence[Example], traces: Sequence[Trace], route: str) -> dict[str, float]:
    queries = [trace.by_route[route].query.text for trace in traces]
    human = [example.human_translation or "" for example in examples]
    report = score_translations(queries, human, [example.question.lang for example in examples])
    return {lang: values["BLEU"] for lang, values in report.per_lang.items()}
