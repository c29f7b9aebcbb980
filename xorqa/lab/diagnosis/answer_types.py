"""Types of answers: date, number, person, place or other, by rules.

The rules of `analysis.breakdown` classify the English question and answer; this module separates
dates from numbers. Without English, only dates and numbers are recognised, in any script.
"""

import re
from functools import cache

from ...core.lang import locale
from ...core.text.normalize import ascii_digits
from ...io.squad_xor import SquadQuestion
from ..mlqa.breakdown import answer_type as english_answer_type
from ..mlqa.breakdown import question_word
from .facts import QuestionFacts

TYPES = ("date", "number", "person", "place", "other")

_YEAR = re.compile(r"(?:1\d|20)\d\ds?")
_ASKS_FOR_TIME = re.compile(
    r"\b(?:what|which) (?:year|date|day|month|decade|century|time|season)\b|\bhow long ago\b"
)
_SMALL_WORDS = re.compile(
    r"the|of|in|on|at|to|and|until|by|from|since|between|early|late|mid|middle|end|about|around|"
    r"circa|c|bc|ad|bce|ce|st|nd|rd|th|centur(?:y|ies)|decade|year"
)
_CENTURY = re.compile(r"\b(?:centur(?:y|ies)|decade)\b|世紀|世纪")


def answer_type(question: QuestionFacts) -> str | None:
    """The type of a question's first gold answer; None if it cannot be known without English."""
    english_question = question.in_english
    answer = question.english_answer
    if not answer and question.answer_lang == "en" and question.answers:
        answer = question.answers[0]
    if english_question and answer:
        return _english_type(english_question, answer)
    if not question.answers:
        return None
    return _numeric_type(question.answers[0], question.answer_lang, english_question)


def _english_type(question: str, answer: str) -> str:
    row = SquadQuestion("", question, "", "", (answer,), None)
    kind = english_answer_type(row)
    if kind == "date or number":
        return _date_or_number(answer, "en", question)
    return "date" if question_word(question) == "when" else kind


def _numeric_type(answer: str, lang: str, question: str) -> str | None:
    if any(map(str.isnumeric, answer)):
        return _date_or_number(answer, lang, question)
    word = question_word(question) if question else ""
    return {"who": "person", "where": "place", "when": "date", "how many/much": "number"}.get(word)


def _date_or_number(answer: str, lang: str, question: str) -> str:
    """Whether an answer with a number is a date.

    It is if the question asks for a time, or if the answer has a year, a month, a century or the
    signs of a date and nothing else but numbers and small words.
    """
    word = question_word(question) if question else ""
    if word == "when" or _ASKS_FOR_TIME.search(question.lower()):
        return "date"
    if word == "how many/much":
        return "number"
    words = re.findall(r"\d+[a-z]*|[^\W\d_]+", ascii_digits(answer).lower())
    months = month_names(lang)
    dated = any(_YEAR.fullmatch(word) or word in months for word in words)
    dated = dated or bool(_CENTURY.search(answer.lower())) or "年" in answer or "년" in answer
    if any(sign in answer for sign in "%$€£¥"):
        return "number"
    small = all(
        word[0].isdigit() or word in months or _SMALL_WORDS.fullmatch(word) for word in words
    )
    return "date" if dated and (small or lang != "en") else "number"


@cache
def month_names(lang: str) -> frozenset[str]:
    """The names of months and days of the week in a language, lower-cased."""
    locale_data = locale(lang)
    if locale_data is None:
        return frozenset()
    contexts = (names for kind in (locale_data.months, locale_data.days) for names in kind.values())
    names = (name for forms in contexts for name in forms.get("wide", {}).values())
    return frozenset(name.lower() for name in names)
