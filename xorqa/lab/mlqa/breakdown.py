"""Break XLT scores down by properties of the English question and answer; mean text lengths.

As in Lewis et al. 2020, section 5.1 and appendix A.3; answer types, found by rules, and answer
lengths are our own. Entity types are found by a tagger (`mlqa.entities`). The files are parallel,
so a translated question is in the group of the English one.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from ...core.lang import ENGLISH
from ...io.squad_xor import SquadQuestion
from ...metrics.registry import find_task
from ...metrics.report import Report, Score
from ..common.word_count import word_count
from .entities import group_order

QUESTION_WORDS = ("what", "when", "where", "who", "which", "why", "how", "how many/much", "other")
ANSWER_TYPES = ("date or number", "person", "place", "other")
ANSWER_LENGTHS = ("1 word", "2 words", "3 words", "4 or 5", "6 to 10", "over 10 words")
DIFFICULTIES = ("F1 = 1", "0 < F1 < 1", "F1 > 0", "F1 = 0")
TEXT_FIELDS = ("context", "question", "answer")
UNITS = ("characters", "words", "tokens")

_LONGEST = (1, 2, 3, 5, 10)  # in words, of each of ANSWER_LENGTHS but the last

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
    task: str,
    scores: Sequence[Score],
    english: Mapping[str, SquadQuestion],
    entities: Mapping[str, Collection[str]] | None = None,
) -> dict[str, dict[str, Report]]:
    """Average the scores of each group of each breakdown; empty groups are left out.

    Args:
        task: the task that was scored, by its official scorer.
        scores: XLT scores, including English: the English F1 defines a question's difficulty.
        english: the English questions by qid; other questions are in no group.
        entities: the entity types of each English answer, by qid.
    """
    f1 = {row.qid: row.values["f1"] for row in scores if row.lang == ENGLISH}
    rows = english.items()
    groups: dict[str, tuple[Sequence[str], Mapping[str, Collection[str]]]] = {
        "question word": (QUESTION_WORDS, {i: question_words(row.question) for i, row in rows}),
        "answer type": (ANSWER_TYPES, {i: [answer_type(row)] for i, row in rows}),
        "answer length": (ANSWER_LENGTHS, {i: [answer_length(row)] for i, row in rows}),
        "English answer": (DIFFICULTIES, {i: difficulties(value) for i, value in f1.items()}),
    }
    if entities is not None:
        groups["entity type"] = (group_order(entities), entities)
    return {
        name: _by_group(task, scores, order, groups_of)
        for name, (order, groups_of) in groups.items()
    }


def question_word(question: str) -> str:
    """The group of an English question, by its first question word; whom and whose count as who."""
    match = _WORD.search(question.lower())
    if match is None:
        return "other"
    if " " in match[1]:
        return "how many/much"
    return "who" if match[1].startswith("who") else match[1]


def question_words(question: str) -> list[str]:
    """The groups of an English question: how many and how much are how, too, as in Figure 3."""
    word = question_word(question)
    return ["how", word] if word == "how many/much" else [word]


def answer_type(english: SquadQuestion) -> str:
    """The type of an English question's first gold answer, by the first rule that applies.

    - date or number: the answer contains a digit, a cardinal number word or a month's name;
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


def answer_length(english: SquadQuestion) -> str:
    """The length of an English question's first gold answer, one of `ANSWER_LENGTHS`."""
    return ANSWER_LENGTHS[bisect_left(_LONGEST, word_count(english.answers[0], ENGLISH))]


def difficulties(f1: float) -> list[str]:
    """The groups of a question by its English F1; Figure 4 has F1 > 0 and F1 = 0."""
    if not f1:
        return ["F1 = 0"]
    return ["F1 = 1" if f1 == 1 else "0 < F1 < 1", "F1 > 0"]


def sizes(questions: Iterable[SquadQuestion]) -> dict[str, int]:
    """The numbers of articles, contexts and instances (Table 4)."""
    rows = list(questions)
    titles = {row.title or row.context for row in rows}
    return {
        "articles": len(titles),
        "contexts": len({row.context for row in rows}),
        "instances": len(rows),
    }


def mean_lengths(
    questions: Iterable[SquadQuestion], tokenizer: Any, *, lang: str
) -> dict[str, dict[str, float]]:
    """Mean lengths of context, question and first gold answer, in each of `UNITS`.

    Tokens are those of the reader; the paper's (Table 8) are the words of `word_count`. A context
    counts once for each of its questions.
    """
    rows = ((row.context, row.question, row.answers[0]) for row in questions)
    texts = dict(zip(TEXT_FIELDS, zip(*rows, strict=True), strict=True))
    return {
        "characters": {field: fmean(map(len, values)) for field, values in texts.items()},
        "words": {
            field: fmean(word_count(text, lang) for text in values)
            for field, values in texts.items()
        },
        "tokens": {name: fmean(_token_counts(tokenizer, texts[name])) for name in TEXT_FIELDS},
    }


def _by_group(
    task: str,
    scores: Sequence[Score],
    order: Sequence[str],
    groups_of: Mapping[str, Collection[str]],
) -> dict[str, Report]:
    by_group: dict[str, list[Score]] = {group: [] for group in order}
    for score in scores:
        for group in groups_of.get(score.qid, ()):
            by_group[group].append(score)
    return {group: find_task(task).report(rows) for group, rows in by_group.items() if rows}


def _token_counts(tokenizer: Any, texts: Iterable[str]) -> list[int]:
    # verbose=False silences the warning about contexts longer than one window
    encoded = tokenizer(list(texts), add_special_tokens=False, verbose=False)
    return [len(ids) for ids in encoded["input_ids"]]
