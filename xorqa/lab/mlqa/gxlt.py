"""MLQA's two tasks over parallel files (Lewis et al. 2020, section 4).

In XLT question and context are in the same language, in G-XLT in different ones. A pair names
the context's language first, then the question's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...core.errors import DataError, one_of
from ...core.progress import Progress, silent
from ...io.cache import Cache
from ...io.squad_xor import SquadQuestion
from ...metrics.registry import find_task
from ...metrics.report import Reference, Score
from ...metrics.task import ScorerName
from ...reading.pairs import QuestionPassage
from ...reading.span import SpanReader
from ..common.given_passages import read_given
from ..common.parallel_files import Parallel

LangPair = tuple[str, str]
"""The languages of context and question."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Scores in percent of every language pair that shares questions, and their mean.

    `mean` is the paper's mean G-XLT performance (appendix A.4), without the diagonal.
    """

    cells: Mapping[LangPair, Mapping[str, float]]
    mean: Mapping[str, float]

    @property
    def drop(self) -> dict[str, float]:
        """By how much `mean` is below the mean of the diagonal (appendix A.4)."""
        own = [cell for (context, question), cell in self.cells.items() if context == question]
        return {
            name: sum(cell[name] for cell in own) / len(own) - value
            for name, value in self.mean.items()
            if own
        }


def diagonal(parallel: Parallel) -> list[LangPair]:
    """XLT's pairs: the same language for context and question."""
    return [(lang, lang) for lang in parallel]


def all_pairs(parallel: Parallel) -> list[LangPair]:
    """G-XLT's pairs: every context language with every question language.

    Raises:
        DataError: if no two files share an id.
    """
    pairs = [(context, question) for context in parallel for question in parallel]
    if not any(shared_questions(parallel, pair) for pair in pairs if pair[0] != pair[1]):
        raise DataError(f"the files share no ids ({one_of(parallel)}); only XLT is possible")
    return pairs


def unpaired_count(parallel: Parallel, pair: LangPair) -> int:
    """The number of questions that only one of the pair's two files has."""
    context, question = pair
    return len(parallel[context].keys() ^ parallel[question].keys())


def read_pairs(
    reader: SpanReader,
    parallel: Parallel,
    pairs: Sequence[LangPair],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> dict[LangPair, dict[str, str]]:
    """Read the questions that both files of a pair have; predictions by pair and qid, cached."""
    rows = [(pair, row) for pair in pairs for row in shared_questions(parallel, pair)]
    inputs = [QuestionPassage(row.question, row.context, asked) for (_, asked), row in rows]
    predictions: dict[LangPair, dict[str, str]] = {pair: {} for pair in pairs}
    texts = read_given(reader, inputs, cache=cache, progress=progress)
    for (pair, row), text in zip(rows, texts, strict=True):
        predictions[pair][row.qid] = text
    return predictions


def score_pairs(
    task: str,
    parallel: Parallel,
    predictions: Mapping[LangPair, Mapping[str, str]],
    *,
    scorer: ScorerName = "official",
) -> dict[LangPair, list[Score]]:
    """Score every question against the context's gold answers, in the context's language."""
    scores = {}
    for pair, answers in predictions.items():
        lang, _ = pair
        references = [Reference(qid, lang, parallel[lang][qid].answers) for qid in answers]
        scores[pair] = find_task(task).score(references, answers, scorer=scorer)
    return scores


def xlt(scores: Mapping[LangPair, Sequence[Score]]) -> list[Score]:
    """The scores of the pairs of the same language."""
    return [
        row for (context, question), rows in scores.items() if context == question for row in rows
    ]


def matrix(task: str, scores: Mapping[LangPair, Sequence[Score]]) -> Matrix:
    """Average the scores of each pair, and over the pairs of different languages."""
    cells = {pair: find_task(task).report(rows).macro for pair, rows in scores.items() if rows}
    off_diagonal = [
        replace(row, lang="-".join(pair))  # treat a pair as a language: equal weights
        for pair, rows in scores.items()
        if pair[0] != pair[1]
        for row in rows
    ]
    return Matrix(cells, find_task(task).report(off_diagonal).macro)


def shared_questions(parallel: Parallel, pair: LangPair) -> list[SquadQuestion]:
    """The questions of both files: context from the first, question text from the second."""
    contexts, questions = (parallel[lang] for lang in pair)
    return [
        replace(row, question=questions[qid].question)
        for qid, row in contexts.items()
        if qid in questions
    ]
