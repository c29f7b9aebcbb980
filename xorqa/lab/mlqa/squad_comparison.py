"""English data and SQuAD: single answers, first words (Lewis et al. 2020, section 5.3).

MLQA has one answer per question where SQuAD's development set has three or more, each of which
may match; Table 7 therefore reduces SQuAD to one answer, chosen as MLQA's were (section 2.2).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from ...core.lang import ENGLISH
from ...io.squad_xor import SquadQuestion
from ...metrics.registry import find_task
from ...metrics.report import Reference, Report
from ...metrics.tasks.squad import f1

FIRST_WORDS = ("what", "how", "who", "when", "where", "which", "in", "the", "why", "other")
"""Figure 7's groups, in its order."""
SQUAD, SQUAD_SINGLE = "SQuAD", "SQuAD, one answer"

_FIRST_WORD = re.compile(r"\w+")


def single_answer(answers: Sequence[str]) -> str:
    """The answer that most annotators gave; ties go to the highest mean F1 to the others.

    Of equal answers the first is chosen.

    Args:
        answers: the answers to one question, at least one.
    """
    counts = Counter(answers)
    most = max(counts.values())
    candidates = [answer for answer, count in counts.items() if count == most]
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda answer: fmean(f1(answer, other) for other in answers))


def squad_reports(
    task: str, squad: Mapping[str, SquadQuestion], predictions: Mapping[str, str]
) -> dict[str, Report]:
    """Official scores on SQuAD with all answers, and with one per question."""
    references = {
        SQUAD: [Reference(qid, ENGLISH, row.answers) for qid, row in squad.items()],
        SQUAD_SINGLE: [
            Reference(qid, ENGLISH, (single_answer(row.answers),)) for qid, row in squad.items()
        ],
    }
    scorer = find_task(task)
    return {
        name: scorer.report(scorer.score(rows, predictions)) for name, rows in references.items()
    }


def first_word(question: str) -> str:
    """The group of an English question's first word, one of `FIRST_WORDS`; whom, whose are who."""
    match = _FIRST_WORD.search(question.lower())
    word = match[0] if match else ""
    if word in ("whom", "whose"):
        return "who"
    return word if word in FIRST_WORDS else "other"


def first_word_shares(questions: Iterable[SquadQuestion]) -> dict[str, float]:
    """The share of questions in each of `FIRST_WORDS`, in percent."""
    counts = Counter(first_word(row.question) for row in questions)
    return {word: 100 * counts[word] / counts.total() for word in FIRST_WORDS}
