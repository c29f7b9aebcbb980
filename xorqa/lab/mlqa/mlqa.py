"""A system's results on MLQA: XLT, G-XLT, breakdowns, and English compared with SQuAD."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...core.lang import ENGLISH
from ...core.progress import Progress, silent
from ...io.cache import Cache
from ...io.squad_xor import SquadQuestion
from ...metrics.registry import find_task
from ...metrics.report import Report
from ...reading.pairs import QuestionPassage
from ...reading.span import SpanReader
from ..common.given_passages import read_given
from ..common.parallel_files import Parallel
from .breakdown import break_down, mean_lengths
from .entities import Tagger, entity_labels
from .gxlt import LangPair, Matrix, matrix, score_pairs, xlt
from .squad_comparison import SQUAD, first_word_shares, squad_reports

ENGLISH_FILE = "English file"


@dataclass(frozen=True, slots=True)
class MlqaResults:
    """A system's results.

    `gxlt` is None without G-XLT; `breakdowns` and `first_words` are empty without English; `squad`
    is empty without SQuAD.
    """

    xlt: Report
    gxlt: Matrix | None
    breakdowns: Mapping[str, Mapping[str, Report]]
    lengths: Mapping[str, Mapping[str, Mapping[str, float]]]
    first_words: Mapping[str, Mapping[str, float]]
    squad: Mapping[str, Report]


def evaluate_mlqa(
    parallel: Parallel,
    predictions: Mapping[LangPair, Mapping[str, str]],
    task: str,
    tagger: Tagger | None,
    tokenizer: Any,
) -> MlqaResults:
    """Score predictions by pair and qid with the official scorer, and break XLT down.

    Args:
        tagger: tags the entity types of English answers; None for no breakdown by them.
        tokenizer: a reader's, which counts tokens.
    """
    scores = score_pairs(task, parallel, predictions)
    xlt_scores = xlt(scores)
    english = parallel.get(ENGLISH, {})
    labels = entity_labels(english, tagger) if tagger else None
    return MlqaResults(
        xlt=find_task(task).report(xlt_scores),
        gxlt=matrix(task, scores) if any(c != q for c, q in scores) else None,
        breakdowns=break_down(task, xlt_scores, english, labels) if english else {},
        lengths={
            lang: mean_lengths(rows.values(), tokenizer, lang=lang)
            for lang, rows in parallel.items()
        },
        first_words={ENGLISH_FILE: first_word_shares(english.values())} if english else {},
        squad={},
    )


def add_squad(
    results: MlqaResults,
    task: str,
    squad: Mapping[str, SquadQuestion],
    reader: SpanReader,
    tokenizer: Any,
    *,
    cache: Cache,
    progress: Progress = silent,
) -> MlqaResults:
    """Add the results of the same reader and scorer on SQuAD, and its mean lengths.

    Cached and resumable.
    """
    inputs = [QuestionPassage(row.question, row.context) for row in squad.values()]
    texts = read_given(reader, inputs, cache=cache, progress=progress)
    predictions = dict(zip(squad, texts, strict=True))
    return replace(
        results,
        lengths={
            **results.lengths,
            SQUAD: mean_lengths(squad.values(), tokenizer, lang=ENGLISH),
        },
        first_words={**results.first_words, SQUAD: first_word_shares(squad.values())},
        squad={**squad_reports(task, squad, predictions), ENGLISH_FILE: results.xlt},
    )
