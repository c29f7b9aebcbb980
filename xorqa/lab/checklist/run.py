"""Run a suite on a reader, which gets the context, or on a pipeline, which must retrieve it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from ...core.errors import DataError, one_of
from ...core.progress import Progress, silent
from ...core.types import Passage, Question
from ...datasets.corpus import Corpus
from ...experiments.pipeline import Pipeline
from ...experiments.settings import POOL, PipelineSettings, over_pool
from ...io.cache import Cache
from ...reading.pairs import QuestionPassage
from ...reading.span import SpanReader
from ..common.given_passages import read_given
from .suite import Case, Example

DISTRACTORS = 20
"""A question and its context."""


def by_callable(
    cases: Sequence[Case], answer: Callable[[str, str], str], *, progress: Progress = silent
) -> dict[str, str]:
    """Return example id to `answer(question, context)`, called once per distinct pair."""
    answers: dict[QuestionPassage, str] = {}
    pairs = _pairs(cases)
    for done, pair in enumerate(pairs, 1):
        answers[pair] = answer(pair.question, pair.passage)
        progress(done, len(pairs))
    return _by_id(cases, answers)


def by_reader(
    cases: Sequence[Case], reader: SpanReader, *, cache: Cache, progress: Progress = silent
) -> dict[str, str]:
    """Return example id to the reader's answer; cached."""
    pairs = _pairs(cases)
    texts = read_given(reader, pairs, cache=cache, progress=progress)
    return _by_id(cases, dict(zip(pairs, texts, strict=True)))


def by_pipeline(
    cases: Sequence[Case],
    settings: PipelineSettings,
    passages: Sequence[Passage],
    *,
    distractors: int = DISTRACTORS,
    seed: int = 13,
    cache: Cache | None = None,
    progress: Progress = silent,
) -> dict[str, str]:
    """Return example id to a pipeline's answer, from a pool of passages per context.

    The pool has the context and `distractors` random passages in its language. It has no other
    context, which could answer the same question. The pipeline is run as by `over_pool`, with one
    route and without translation.

    Raises:
        DataError: if `passages` has none in a context's language.
    """
    groups = _by_context(cases)
    by_lang: dict[str, list[Passage]] = {}
    for passage in passages:
        by_lang.setdefault(passage.lang, []).append(passage)
    answers: dict[str, str] = {}
    chance = random.Random(seed)
    absent = {lang for _, lang in groups} - by_lang.keys()
    if absent:
        raise DataError(
            f"no passages in {one_of(absent)} to hide a context among; add some "
            f"(--corpus) or choose other languages (--lang): {one_of(by_lang)}"
        )
    for done, ((context, lang), questions) in enumerate(groups.items(), 1):
        others = by_lang[lang]
        picked = chance.sample(others, min(distractors, len(others)))
        pool = Corpus("checklist", [*picked, Passage("checklist-context", context, lang=lang)])
        answers |= _answers(over_pool(settings, pool.languages), pool, questions, cache)
        progress(done, len(groups))
    return answers


def _answers(
    settings: PipelineSettings, pool: Corpus, questions: Sequence[Question], cache: Cache | None
) -> dict[str, str]:
    with TemporaryDirectory() as folder:
        pipeline = Pipeline.from_config(
            settings, {POOL: pool}, indexes=Path(folder), cache=cache, progress=silent
        )
        traces = pipeline.answer(questions)
    return {trace.question.qid: trace.answer.text if trace.answer else "" for trace in traces}


def _by_context(cases: Sequence[Case]) -> dict[tuple[str, str], list[Question]]:
    """The questions by context and its language."""
    groups: dict[tuple[str, str], list[Question]] = {}
    for qid, case, index in _examples(cases):
        example = case.examples[index]
        key = example.context, case.context_lang or case.lang
        groups.setdefault(key, []).append(Question(qid, example.question, case.lang))
    return groups


def _pairs(cases: Sequence[Case]) -> list[QuestionPassage]:
    """The distinct pairs of question and context, in order."""
    return list(dict.fromkeys(_pair(example) for case in cases for example in case.examples))


def _pair(example: Example) -> QuestionPassage:
    return QuestionPassage(example.question, example.context)


def _by_id(cases: Sequence[Case], answers: Mapping[QuestionPassage, str]) -> dict[str, str]:
    return {qid: answers[_pair(case.examples[index])] for qid, case, index in _examples(cases)}


def _examples(cases: Sequence[Case]) -> Iterator[tuple[str, Case, int]]:
    for case in cases:
        for index, qid in enumerate(case.qids()):
            yield qid, case, index
