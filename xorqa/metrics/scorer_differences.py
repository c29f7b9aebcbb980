"""The habits that part the two scorers of answers, and which of them a disagreement is due to.

Every habit comes with a change of texts after which it makes no difference: without letters of
two widths, for one, no scorer can take them as different. So a reason is tried, not guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import regex

from .articles import ARTICLES
from .strict.text import CHARACTERS, PUNCTUATION, fold
from .strict.tokenize import words
from .tokens import wakati

Habit = tuple[str, Callable[[str], str]]
"""What to call it, and the change of both answers that takes its effect away."""


def fewest(habits: list[Habit], suffice: Callable[[list[Habit]], bool]) -> list[Habit]:
    """The habits left when, from the last on, each is dropped that is not needed to suffice."""
    for habit in reversed(habits):
        fewer = [other for other in habits if other is not habit]
        if suffice(fewer):
            habits = fewer
    return habits


def changed(text: str, habits: list[Habit]) -> str:
    """The text after all changes, in their order."""
    for _, change in habits:
        text = change(text)
    return text


def of_answers(task: str, lang: str) -> Iterator[Habit]:
    """What can part the scorers of a task for questions in a language; the special ones first."""
    if task == "xor-full":
        yield "a counter (年 歳 人 년) is removed by official", _without("[年歳人년]")
        if lang == "ja":
            yield "the Japanese points ・ and 、 part words otherwise", _without("[・、]", " ")
    else:
        yield from _of_articles(task, lang)
    yield "Unicode punctuation", _without(PUNCTUATION.pattern)
    yield "case, width or composition of characters", fold
    yield from _of_words(task, lang)


def _of_articles(task: str, lang: str) -> Iterator[Habit]:
    if task != "mlqa":
        yield "official removes English articles", _without(_listed("en"))
        if lang in ARTICLES and lang != "en":
            yield f"official keeps the articles of {lang}", _without(_listed(lang))
    if lang == "ar":
        verb = "removes ال inside words" if task == "mlqa" else "keeps ال"
        yield f"official {verb}", _without("ال")


def _of_words(task: str, lang: str) -> Iterator[Habit]:
    if task == "xor-full":
        yield "words are cut otherwise (Moses, MeCab)", lambda text: " ".join(words(text, lang))
    elif lang == "ja":
        yield "strict cuts Japanese into words", wakati
    elif lang in CHARACTERS:
        yield "strict takes characters as words", _by_character(lang)


def _by_character(lang: str) -> Callable[[str], str]:
    return lambda text: " ".join(CHARACTERS[lang].findall(text))


def _listed(lang: str) -> str:
    return rf"\b({'|'.join(ARTICLES[lang])})\b"


def _without(pattern: str, by: str = "") -> Callable[[str], str]:
    compiled = regex.compile(pattern, regex.IGNORECASE)
    return lambda text: str(compiled.sub(by, text))
