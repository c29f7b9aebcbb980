"""XLT scores by English question word, answer type and difficulty; and the lengths of texts.

As Lewis et al. 2020, section 5.1 and appendix A.3, with rules where they had an entity tagger.
The files are parallel: what an English question tells holds for its translations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from ..io.squad_xor import SquadQuestion
from ..metrics import tasks
from ..metrics.report import Report, Score

ENGLISH = "en"
WORDS = ("what", "when", "where", "who", "which", "why", "how", "how many/much", "other")
TYPES = ("date or number", "person", "place", "other")
LEVELS = ("F1 = 1", "0 < F1 < 1", "F1 = 0")
PARTS = ("context", "question", "answer")

_WORD = re.compile(r"\b(what|when|where|who(?:m|se)?|which|why|how(?: many| much)?)\b")
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_NUMBER = re.compile(
    r"\b(?:zero|one|two|three|five|ten|eleven|twelve|(?:thir|fif|eigh)teen|"
    r"(?:four|six|seven|eight?|nine)(?:teen)?|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|"
    r"(?:hundred|thousand|million|billion|dozen)s?)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:what|which) (?:cit(?:y|ies)|countr(?:y|ies)|count(?:y|ies)|"
    r"(?:town|village|nation|state|province|region|continent|island|place|location)s?)\b"
)


def break_down(
    task: str, scores: Sequence[Score], english: Mapping[str, SquadQuestion]
) -> dict[str, dict[str, Report]]:
    """Break-down to group to the report of that group's questions; empty groups are left out.

    Args:
        task: whose official scores these are.
        scores: XLT's, English among them: its F1 is a question's difficulty.
        english: the English questions by qid; others are in no group.
    """
    f1 = {row.qid: row.values["f1"] for row in scores if row.lang == ENGLISH}
    groups = {
        "question word": (WORDS, {i: question_word(row.question) for i, row in english.items()}),
        "answer type": (TYPES, {i: answer_type(row) for i, row in english.items()}),
        "English answer": (LEVELS, {i: difficulty(value) for i, value in f1.items()}),
    }
    return {name: _by_group(task, scores, order, of) for name, (order, of) in groups.items()}


def question_word(question: str) -> str:
    """The first of `WORDS` in an English question, wherever it stands.

    Whom and whose count as who.
    """
    found = _WORD.search(question.lower())
    if found is None:
        return "other"
    if " " in found[1]:
        return "how many/much"
    return "who" if found[1].startswith("who") else found[1]


def answer_type(english: SquadQuestion) -> str:
    """The kind of an English question's first gold answer, by the first rule that holds.

    - date or number: the answer holds a digit, a cardinal number word or a month's name;
    - person: the question word is who, whom or whose;
    - place: the question word is where, or what or which comes right before a noun such as
      city, country, state or place;
    - other.
    """
    answer, question = english.answers[0], english.question
    if any(map(str.isnumeric, answer)) or _MONTH.search(answer) or _NUMBER.search(answer):
        return "date or number"
    word = question_word(question)
    if word == "who":
        return "person"
    return "place" if word == "where" or _PLACE.search(question.lower()) else "other"


def difficulty(f1: float) -> str:
    """How well the English question was answered; the paper parts only 0 from the rest."""
    if f1 == 1:
        return LEVELS[0]
    return LEVELS[1] if f1 else LEVELS[2]


def lengths(questions: Iterable[SquadQuestion], tokenizer: Any) -> dict[str, dict[str, float]]:
    """Mean lengths of context, question and first gold answer, in characters and in tokens.

    A context counts once for each of its questions. The paper (table 8) counts words; these
    are the tokens the reader sees.
    """
    rows = ((row.context, row.question, row.answers[0]) for row in questions)
    texts = dict(zip(PARTS, zip(*rows, strict=True), strict=True))
    return {
        "characters": {part: fmean(map(len, some)) for part, some in texts.items()},
        "tokens": {part: fmean(_token_counts(tokenizer, some)) for part, some in texts.items()},
    }


def _by_group(
    task: str, scores: Sequence[Score], order: Sequence[str], group_of: Mapping[str, str]
) -> dict[str, Report]:
    by_group: dict[str, list[Score]] = {group: [] for group in order}
    for score in scores:
        if score.qid in group_of:
            by_group[group_of[score.qid]].append(score)
    return {group: tasks.summary(task, some) for group, some in by_group.items() if some}


def _token_counts(tokenizer: Any, texts: Iterable[str]) -> list[int]:
    # verbose: it would warn of contexts that are longer than one window
    encoded = tokenizer(list(texts), add_special_tokens=False, verbose=False)
    return [len(ids) for ids in encoded["input_ids"]]
