"""The reading ledger of a run whose answers a model generated: what each stage lost or won.

Answers are scored as XOR-Full. The span reader answers the same questions from the gold passage and
from the passages that the model read and, with a ranker, from those that it would have read
without it. The model is not asked again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ...core.errors import ConfigError, DataError
from ...core.lang import ENGLISH
from ...core.progress import Progress, TaskProgress, silent
from ...core.registry import build
from ...core.types import Answer, Candidate, Example, Hit
from ...datasets.corpus import Corpus
from ...io.cache import Cache
from ...metrics.report import Reference, Report
from ...metrics.tasks.xor_full import XOR_FULL
from ..common.saved_run import SavedRun, finished, open_run
from .cases import english_corpus, gold_docids, gold_texts
from .ledger import (
    CITED,
    END_TO_END,
    GOLD_PASSAGE,
    READ,
    RETRIEVED,
    UNRANKED,
    Ledger,
    passage_recall,
)
from .reduced import with_span_reader
from .run_hits import Hits, RouteHits, hits_of

SPAN_READER = "span reader"
SPAN_GOLD = f"{SPAN_READER}, {GOLD_PASSAGE}"
SPAN_UNRANKED = f"{SPAN_READER} without ranker"


@dataclass(frozen=True, slots=True)
class _Generated:
    """A run, the examples that count, the model's answers to them, and the hits of its routes."""

    run: SavedRun
    examples: Sequence[Example]
    answers: Sequence[Answer]
    routes: Sequence[RouteHits]

    @property
    def is_ranked(self) -> bool:
        return any(map(self.run.settings.is_ranked, self.run.settings.routes))

    def passages(self, route: RouteHits) -> int:
        """How many passages of a route the model read."""
        return int(build("reader", self.run.settings.reader_of(route.route)).passages)


def make_generated_ledger(
    folder: Path, *, cache: Cache, trust: bool = False, progress: TaskProgress = silent
) -> Ledger:
    """Score the model's answers and the span reader's; the cache makes it resumable.

    Only questions with an English gold passage and an answer in their own language count.

    Raises:
        ConfigError: as `open_run`, or if no route searches English passages.
        DataError: as `open_run`, or if no question counts.
    """
    generated = _open(folder, trust=trust)
    sources = {SPAN_GOLD: _gold_hits(generated)}
    if generated.is_ranked:
        sources[SPAN_UNRANKED] = [route.retrieved for route in generated.routes]
    sources[SPAN_READER] = [route.ranked for route in generated.routes]
    answers = {
        name: _span_answers(generated, hits, cache=cache, progress=partial(progress, name))
        for name, hits in sources.items()
    }
    answers[END_TO_END] = [answer.text for answer in generated.answers]
    return Ledger(
        {name: _answer_report(generated.examples, texts) for name, texts in answers.items()},
        _passage_reports(generated),
    )


def _open(folder: Path, *, trust: bool) -> _Generated:
    run, (manifest, settings) = open_run(folder, trust=trust), finished(folder, trust=trust)
    if all(route.corpus != ENGLISH for route in settings.routes):
        raise ConfigError(f"the run {folder} needs a route over the English corpus")
    english_corpus(folder, manifest, run.dataset)
    counted = [
        (example, answer)
        for example, answer in zip(run.dataset.examples, run.choose(settings.chooser), strict=True)
        if gold_docids(example) and example.answers(example.question.lang)
    ]
    if not counted:
        raise DataError(
            f"data set {run.dataset.name} has no question with an English gold passage and an "
            "answer in the question's language, which this analysis needs"
        )
    examples, answers = zip(*counted, strict=True)
    return _Generated(run, examples, answers, hits_of(folder, run.dataset, settings.routes))


def _gold_hits(generated: _Generated) -> list[Hits]:
    """The first gold passage of each question as the only hit, for the first English route."""
    corpus = generated.run.dataset.corpora[ENGLISH]
    for example in generated.examples:
        gold_texts(corpus, example)  # raises if one is missing
    golds = {e.question.qid: [Hit(corpus[gold_docids(e)[0]], 0.0)] for e in generated.examples}
    first = next(route for route in generated.routes if route.route.corpus == ENGLISH)
    return [golds if route is first else {} for route in generated.routes]


def _span_answers(
    generated: _Generated, by_route: Sequence[Hits], *, cache: Cache, progress: Progress
) -> list[str]:
    """The span reader's answers from as many hits of each route as the model read."""
    settings = with_span_reader(generated.run.settings)
    routes = {route.name: route for route in settings.routes}
    questions = [example.question for example in generated.examples]
    candidates: list[list[Candidate]] = [[] for _ in questions]
    for route, hits in zip(generated.routes, by_route, strict=True):
        passages = generated.passages(route)
        table = settings.reader_of(routes[route.route.name])
        reader = build("reader", {**table, "passages": passages})
        with_hits = [index for index, question in enumerate(questions) if hits.get(question.qid)]
        extracted = cache.read(
            reader,
            [route.queries[questions[index].qid] for index in with_hits],
            [hits[questions[index].qid][:passages] for index in with_hits],
            progress=progress,
        )
        for index, spans in zip(with_hits, extracted, strict=True):
            candidates[index] += [replace(candidate, route=route.route.name) for candidate in spans]
    localised = build("localiser", settings.localiser, cache=cache).localise(questions, candidates)
    return [
        answer.text for answer in build("chooser", settings.chooser).choose(questions, localised)
    ]


def _answer_report(examples: Sequence[Example], texts: Sequence[str]) -> Report:
    references = [
        Reference(e.question.qid, e.question.lang, e.answers(e.question.lang)) for e in examples
    ]
    predictions = {row.qid: text for row, text in zip(references, texts, strict=True)}
    return XOR_FULL.evaluate(references, predictions)


def _passage_reports(generated: _Generated) -> dict[str, Report]:
    """The recall of the English passages at each stage, by row name."""
    english = [route for route in generated.routes if route.route.corpus == ENGLISH]
    corpus = generated.run.dataset.corpora[ENGLISH]
    examples = generated.examples
    qids = [example.question.qid for example in examples]

    def texts(order: str, *, read: bool) -> list[list[str]]:
        parts = [
            (getattr(route, order), generated.passages(route) if read else None)
            for route in english
        ]
        return [
            [hit.passage.text for hits, most in parts for hit in hits.get(qid, ())[:most]]
            for qid in qids
        ]

    passages = {RETRIEVED: texts("retrieved", read=False)}
    if generated.is_ranked:
        passages[UNRANKED] = texts("retrieved", read=True)
    passages[READ] = texts("ranked", read=True)
    passages[CITED] = [_cited(answer, corpus) for answer in generated.answers]
    references = [Reference(e.question.qid, e.question.lang, e.answers(ENGLISH)) for e in examples]
    golds = [gold_texts(corpus, example) for example in examples]
    return {name: passage_recall(references, golds, row) for name, row in passages.items()}


def _cited(answer: Answer, corpus: Corpus) -> list[str]:
    """The texts of the English passages that an answer cites."""
    generated = answer.source.generated if answer.source else None
    docids = [citation.docid for citation in generated.citations] if generated else []
    return [passage.text for docid in docids if (passage := corpus.get(docid))]
