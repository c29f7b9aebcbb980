"""MLQA's two tasks over parallel files (Lewis et al. 2020, section 4).

XLT asks and reads in one language; G-XLT asks in one and reads in another. A pair names the
context's language first, then the question's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..caching.store import Cache
from ..core.errors import DataError, one_of
from ..core.progress import Progress, silent
from ..io.squad_xor import SquadQuestion
from ..metrics import tasks
from ..metrics.report import Reference, Score
from ..reading.given import read_given
from ..reading.span import SpanReader
from .parallel import Parallel

Pair = tuple[str, str]
"""Languages of context and question."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Means in percent: of every pair that shares questions, and over pairs of two languages.

    `mean` is the paper's mean G-XLT performance (appendix A.4): the diagonal is left out.
    """

    cells: Mapping[Pair, Mapping[str, float]]
    mean: Mapping[str, float]


def diagonal(parallel: Parallel) -> list[Pair]:
    """XLT's pairs: each language with itself."""
    return [(lang, lang) for lang in parallel]


def all_pairs(parallel: Parallel) -> list[Pair]:
    """G-XLT's pairs: every context language with every question language.

    Raises:
        DataError: if no two files share an id.
    """
    pairs = [(context, question) for context in parallel for question in parallel]
    if not any(_shared(parallel, pair) for pair in pairs if pair[0] != pair[1]):
        raise DataError(f"the files share no ids ({one_of(parallel)}), so only XLT can be measured")
    return pairs


def left_out(parallel: Parallel, pair: Pair) -> int:
    """How many questions only one of the pair's two files holds."""
    context, question = pair
    return len(parallel[context].keys() ^ parallel[question].keys())


def read_pairs(
    reader: SpanReader,
    parallel: Parallel,
    pairs: Sequence[Pair],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> dict[Pair, dict[str, str]]:
    """Each pair's answers by qid, of the questions that both files hold.

    What was read before comes from the cache, so a killed matrix goes on where it was.
    """
    asked = {pair: _shared(parallel, pair) for pair in pairs}
    total, before = sum(map(len, asked.values())), 0
    answers = {}
    for pair, questions in asked.items():
        tell = partial(_tell, progress, before, total)
        texts = read_given(reader, questions, cache=cache, progress=tell)
        answers[pair] = {row.qid: text for row, text in zip(questions, texts, strict=True)}
        before += len(questions)
    return answers


def score_pairs(
    task: str,
    parallel: Parallel,
    answers: Mapping[Pair, Mapping[str, str]],
    *,
    scorer: tasks.Scorer = "official",
) -> dict[Pair, list[Score]]:
    """The scores of every question, by the context's golds and in the context's language."""
    scores = {}
    for pair, found in answers.items():
        lang, _ = pair
        golds = [Reference(qid, lang, parallel[lang][qid].answers) for qid in found]
        scores[pair] = tasks.score(task, golds, found, scorer=scorer)
    return scores


def xlt(scores: Mapping[Pair, Sequence[Score]]) -> list[Score]:
    """The scores of the pairs of one language."""
    return [
        row for (context, question), some in scores.items() if context == question for row in some
    ]


def matrix(task: str, scores: Mapping[Pair, Sequence[Score]]) -> Matrix:
    """The means of all pairs' scores."""
    cells = {pair: tasks.summary(task, some).macro for pair, some in scores.items() if some}
    crossed = [
        replace(row, lang="-".join(pair))  # a pair counts as a language: each weighs the same
        for pair, some in scores.items()
        if pair[0] != pair[1]
        for row in some
    ]
    return Matrix(cells, tasks.summary(task, crossed).macro)


def _shared(parallel: Parallel, pair: Pair) -> list[SquadQuestion]:
    """The context file's questions that the other file holds too, in that one's words."""
    contexts, questions = (parallel[lang] for lang in pair)
    return [
        replace(row, question=questions[qid].question)
        for qid, row in contexts.items()
        if qid in questions
    ]


def _tell(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)
