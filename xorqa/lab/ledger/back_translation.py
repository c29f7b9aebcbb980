"""Evaluate localisers on MKQA, which has the same answers in several languages.

An answer is correct if it matches any gold answer of its language after normalisation, MKQA's own
or SQuAD v1.1's (`MATCHES`). The input is the first English answer of each question; copying it is
the baseline.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...core.stages import Localiser
from ...core.types import Candidate, CandidateScores, Hit, Passage, Question, Span
from ...io.files import read_jsonl
from ...io.strict_json import as_id, as_texts
from ...metrics.answers import best
from ...metrics.tasks import squad
from . import mkqa

_FILE = re.compile(r"dev.*-([a-z]{2})\.jsonl")
Match = Callable[[str, tuple[str, ...], str], float]
MATCHES: Mapping[str, Match] = {
    "mkqa": mkqa.exact_match,
    "squad": lambda text, golds, lang: best(squad.exact_match, text, golds),
}
"""Exact match (0 or 1) of an answer with gold answers in a language, by the task defining it."""
_QUANTITIES = {"rule:date", "rule:number", "rule:money", "rule:century"}


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An English answer, and the answers to the same question in another language."""

    english: str
    golds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LocalisedAnswer:
    """How one answer was localised, and whether it and the English text are correct."""

    method: str
    right: bool
    copied_right: bool
    quantity: bool


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Counts of answers; `rescued` is the number correct among those `copied_wrong`."""

    n: int
    right: int
    copied_wrong: int
    rescued: int

    @property
    def exact(self) -> float:
        """Exact match, in percent."""
        return 100 * self.right / self.n if self.n else 0.0

    @property
    def copy_exact(self) -> float:
        """Exact match of the English answers, in percent."""
        return 100 * (1 - self.copied_wrong / self.n) if self.n else 0.0

    @property
    def rescued_exact(self) -> float:
        """Exact match over the answers that copying gets wrong, in percent."""
        return 100 * self.rescued / self.copied_wrong if self.copied_wrong else 0.0


def read_parallel(folder: Path) -> dict[str, list[AnswerPair]]:
    """Read MKQA's files `dev*-LANG.jsonl`; pair answers with English by the id before "_".

    Raises:
        DataError: if there is no English file or no other, or if the files' questions differ.
    """
    files = {
        m[1]: path for path in sorted(folder.glob("*.jsonl")) if (m := _FILE.fullmatch(path.name))
    }
    if ENGLISH not in files or len(files) == 1:
        raise DataError(f"{folder} needs files such as dev.mkqa-en.jsonl and dev.mkqa-ja.jsonl")
    english = _read_answers(files.pop(ENGLISH))
    pairs = {}
    for lang, path in files.items():
        golds = _read_answers(path)
        if set(golds) != set(english):
            raise DataError(f"{path} does not have the questions of the English file")
        pairs[lang] = [AnswerPair(english[qid][0], golds[qid]) for qid in english]
    return pairs


def localise_answers(
    localiser: Localiser, pairs: Sequence[AnswerPair], *, lang: str, match: Match = MATCHES["squad"]
) -> list[LocalisedAnswer]:
    """Localise every English answer into `lang`, as if it had been read from a passage."""
    questions = [Question(str(number), "?", lang) for number in range(len(pairs))]
    candidates = [[_candidate(pair.english)] for pair in pairs]
    answers = localiser.localise(questions, candidates)
    return [
        LocalisedAnswer(
            answer.method,
            match(answer.text, pair.golds, lang) == 1.0,
            match(pair.english, pair.golds, lang) == 1.0,
            answer.method in _QUANTITIES or pair.english[:1].isdigit(),
        )
        for pair, [answer] in zip(pairs, answers, strict=True)
    ]


def count_answers(answers: Iterable[LocalisedAnswer]) -> AnswerCounts:
    """Count all answers, the correct ones, and those that copying gets wrong."""
    rows = list(answers)
    copied_wrong = [row for row in rows if not row.copied_right]
    right, rescued = (sum(row.right for row in group) for group in (rows, copied_wrong))
    return AnswerCounts(len(rows), right, len(copied_wrong), rescued)


def count_by_method(answers: Sequence[LocalisedAnswer]) -> dict[str, AnswerCounts]:
    """Count answers by localisation method, then dates and numbers, then all."""
    groups = {
        method: [row for row in answers if row.method == method]
        for method in sorted({row.method for row in answers})
    }
    groups["dates and numbers"] = [row for row in answers if row.quantity]
    groups["all"] = list(answers)
    return {name: count_answers(rows) for name, rows in groups.items()}


def _read_answers(path: Path) -> dict[str, tuple[str, ...]]:
    answers_by_qid = {}
    for number, row in read_jsonl(path):
        try:
            qid, answers = as_id(row["id"]).partition("_")[0], as_texts(row["answers"])
        except KeyError as error:
            raise DataError(f"{path}, line {number}: {error} is missing") from error
        except TypeError as error:
            raise DataError(f"{path}, line {number}: 'id' or 'answers': {error}") from error
        if not answers:
            raise DataError(f"{path}, line {number}: 'answers' is empty")
        answers_by_qid[qid] = answers
    return answers_by_qid


def _candidate(text: str) -> Candidate:
    """A candidate that is a whole passage, with probability 1."""
    hit = Hit(Passage("given", text, lang=ENGLISH), 0.0)
    return Candidate(hit, 0, Span(0, len(text)), CandidateScores(0.0, 0.0))
