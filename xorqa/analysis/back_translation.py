"""How well English answers are said in other languages, on answers known in parallel.

Exact match after SQuAD v1.1's normalisation, with any of the answers in the other language; the
English side is the first answer of each question. Copying it is the baseline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import DataError
from ..core.stages import Localiser
from ..core.types import Candidate, Question, Span
from ..io.files import read_jsonl
from ..metrics.official.squad import exact_match
from ..metrics.overlap import best

ENGLISH = "en"
_FILE = re.compile(r"dev.*-([a-z]{2})\.jsonl")
_QUANTITIES = {"rule:date", "rule:number", "rule:money", "rule:century"}


@dataclass(frozen=True, slots=True)
class Pair:
    """An English answer, and the answers to the same question in another language."""

    english: str
    golds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: how it was made, and whether it and the English text are right."""

    made: str
    right: bool
    copied_right: bool
    quantity: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of answers; `rescued` are the right ones among the `copied_wrong`."""

    n: int
    right: int
    copied_wrong: int
    rescued: int

    @property
    def exact(self) -> float:
        """Percent right."""
        return 100 * self.right / self.n if self.n else 0.0

    @property
    def copying(self) -> float:
        """Percent right if English is copied."""
        return 100 * (1 - self.copied_wrong / self.n) if self.n else 0.0

    @property
    def of_wrong(self) -> float:
        """Percent right of what copying gets wrong."""
        return 100 * self.rescued / self.copied_wrong if self.copied_wrong else 0.0


def read_parallel(folder: Path) -> dict[str, list[Pair]]:
    """MKQA's files `dev*-LANG.jsonl` by language, paired with English by the id before "_".

    Raises:
        DataError: without the English file or another, or if one has other questions.
    """
    files = {
        m[1]: path for path in sorted(folder.glob("*.jsonl")) if (m := _FILE.fullmatch(path.name))
    }
    if ENGLISH not in files or len(files) == 1:
        raise DataError(f"{folder} needs files such as dev.mkqa-en.jsonl and dev.mkqa-ja.jsonl")
    english = _answers(files.pop(ENGLISH))
    pairs = {}
    for lang, path in files.items():
        own = _answers(path)
        if set(own) != set(english):
            raise DataError(f"{path} does not hold the questions of the English file")
        pairs[lang] = [Pair(english[qid][0], own[qid]) for qid in english]
    return pairs


def say_all(localiser: Localiser, pairs: Sequence[Pair], *, lang: str) -> list[Said]:
    """Every English answer in `lang` by the localiser, as if read from a passage."""
    questions = [Question(str(at), "?", lang) for at in range(len(pairs))]
    texts = [[_candidate(pair.english)] for pair in pairs]
    answers = localiser.localise(questions, texts)
    return [
        Said(
            answer.made,
            best(exact_match, answer.text, pair.golds) == 1.0,
            best(exact_match, pair.english, pair.golds) == 1.0,
            answer.made in _QUANTITIES or pair.english[:1].isdigit(),
        )
        for pair, [answer] in zip(pairs, answers, strict=True)
    ]


def tally(rows: Iterable[Said]) -> Tally:
    """The counts of some answers."""
    some = list(rows)
    wrong = [row for row in some if not row.copied_right]
    return Tally(
        len(some), sum(row.right for row in some), len(wrong), sum(row.right for row in wrong)
    )


def by_way(rows: Sequence[Said]) -> dict[str, Tally]:
    """The tallies of each way answers were made, of dates and numbers, and of all."""
    ways: Mapping[str, list[Said]] = {
        made: [row for row in rows if row.made == made] for made in sorted({r.made for r in rows})
    }
    quantities = [row for row in rows if row.quantity]
    groups = {**ways, "dates and numbers": quantities, "all": list(rows)}
    return {name: tally(some) for name, some in groups.items()}


def _answers(path: Path) -> dict[str, tuple[str, ...]]:
    found = {}
    for where, row in read_jsonl(path):
        try:
            qid, answers = str(row["id"]).partition("_")[0], tuple(map(str, row["answers"]))
        except (KeyError, TypeError) as error:
            raise DataError(f"{where} needs id and answers") from error
        if not answers:
            raise DataError(f"{where} has no answers")
        found[qid] = answers
    return found


def _candidate(text: str) -> Candidate:
    return Candidate(text, ENGLISH, "given", "given", Span(0, len(text)), 0.0, 0.0, None, 0.0, 0)
