"""The oracles of the loss ledger: answers from the gold passage, and from the gold span."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...core.lang import ENGLISH
from ...core.registry import build
from ...core.stages import Chooser, Localiser, Reader
from ...core.types import (
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Query,
    ReadingFailure,
    Span,
)
from ...datasets.dataset import Dataset
from ...experiments.settings import PipelineSettings
from ...io.cache import Cache
from .cases import english_golds
from .reduced import reader_over


def english_gold(example: Example) -> Gold | None:
    """The first English answer with a passage."""
    return next(iter(english_golds(example)), None)


def oracle_answers(
    settings: PipelineSettings,
    dataset: Dataset,
    examples: Sequence[Example],
    *,
    cache: Cache,
    failed: Callable[[ReadingFailure], None],
) -> list[list[str]]:
    """The answers with the gold passage, and with the gold span, of examples with an English gold.

    `failed` is called for each question whose gold passage cannot be read.
    """
    reader: Reader = build("reader", reader_over(settings, ENGLISH), cache=cache, failed=failed)
    corpus = dataset.corpora[ENGLISH]
    golds = [gold for example in examples if (gold := english_gold(example))]
    queries = [Query(e.question, e.human_translation or "", ENGLISH) for e in examples]
    hits = [[Hit(corpus[gold.docid or ""], 0.0)] for gold in golds]
    gold_passage = cache.read(reader, queries, hits)
    gold_span = [[_gold_candidate(gold, hit)] for gold, [hit] in zip(golds, hits, strict=True)]
    return [
        _localise_and_choose(settings, examples, candidates, cache=cache)
        for candidates in (gold_passage, gold_span)
    ]


def _localise_and_choose(
    settings: PipelineSettings,
    examples: Sequence[Example],
    candidates: Sequence[Sequence[Candidate]],
    *,
    cache: Cache,
) -> list[str]:
    localiser: Localiser = build("localiser", settings.localiser, cache=cache)
    chooser: Chooser = build("chooser", settings.chooser)
    questions = [example.question for example in examples]
    answers = chooser.choose(questions, localiser.localise(questions, candidates))
    return [answer.text for answer in answers]


def _gold_candidate(gold: Gold, hit: Hit) -> Candidate:
    """The gold answer as a candidate of probability 1; from an excerpt if the span differs."""
    passage, span = hit.passage, gold.span
    if span is None or passage.text[span.start : span.end] != gold.text:
        passage, span = replace(passage, text=gold.text), Span(0, len(gold.text))
    return Candidate(Hit(passage, hit.score), 0, span, CandidateScores(0.0, 0.0))
