"""English dates in another language, and the list of all rules.

A rule takes a short English text and a locale and returns the text in that language, or
None where it does not fit. Patterns and names come from the Unicode CLDR (UTS #35).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date as Day
from typing import TYPE_CHECKING, NamedTuple

from ...core.lang import locale
from . import names, numbers, units
from .cldr import alone, written

if TYPE_CHECKING:
    from babel import Locale

Rule = Callable[[str, "Locale"], str | None]

_LONGEST = 80  # characters; nothing the rules know is longer
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH_NUMBER = {
    name: number
    for number, month in enumerate(_MONTHS, 1)
    for name in (month, month[:3], *(["sept"] if month == "september" else []))
}
_WORDS = {"may", "march"}  # also everyday words: months only with a capital

_D = r"(?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_M = r"(?P<month>[a-z]{3,9})\.?"
_Y = r"(?P<year>\d{3,4})"
_DATES = [
    re.compile(form, re.ASCII | re.IGNORECASE)
    for form in (
        rf"{_D} (?:of )?{_M},? {_Y}",
        rf"{_M} {_D},? {_Y}",
        rf"{_M}(?:,| of)? {_Y}",
        rf"{_D} (?:of )?{_M}",
        rf"{_M} {_D}",
    )
]
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_YEAR_WORD = re.compile(r"\s*'[гр]'\.$")  # "8 мая 1980 г.": answers go without it


class EnglishDate(NamedTuple):
    """A Gregorian date; year or day may be unknown."""

    year: int | None
    month: int
    day: int | None


def parse_date(text: str) -> EnglishDate | None:
    """Read "8 May 1980", "May 8, 1980", "March 1914" or "May 8"."""
    match = next((m for form in _DATES if (m := form.fullmatch(text))), None)
    if match is None:
        return None
    groups = match.groupdict()
    month = groups["month"].lower()
    number = _MONTH_NUMBER.get(month, 0)
    year, day = (int(groups[key]) if groups.get(key) else None for key in ("year", "day"))
    if not _day(2000 if year is None else year, number, 1 if day is None else day):
        return None
    return EnglishDate(year, number, day)


def _day(year: int, month: int, day: int) -> bool:
    """Whether the day exists."""
    try:
        Day(year, month, day)
    except ValueError:
        return False
    return True


def format_date(value: EnglishDate, to: Locale) -> str:
    """The CLDR long date, year and month, or month and day, without the word for year."""
    from babel.dates import format_date as babel_date

    if value.day is None:
        pattern = to.datetime_skeletons["yMMMM"].pattern
    elif value.year is None:
        pattern = to.datetime_skeletons["MMMMd"].pattern
    else:
        pattern = to.date_formats["long"].pattern
    month = f"'{alone('months', to)[value.month]}'"
    pattern = _YEAR_WORD.sub("", pattern).replace("LLLL", month)
    day = Day(value.year or 2000, value.month, value.day or 1)
    return written(babel_date(day, pattern, locale=to), to)


def date(text: str, to: Locale) -> str | None:
    """A date, whole or in part.

    One in digits (ISO 8601) is the same in all languages and only gets their digits.
    """
    if digits := _ISO.fullmatch(text):
        return written(text, to) if _day(*map(int, digits.groups())) else None
    value = parse_date(text)
    return None if value is None else format_date(value, to)


def month_or_weekday(text: str, to: Locale) -> str | None:
    """The name of a month or a day of the week, alone."""
    word = text.lower()
    if word in _WORDS and not text[0].isupper():
        return None
    if word in _MONTHS:
        return written(alone("months", to)[_MONTHS.index(word) + 1], to)
    if word in _WEEKDAYS:
        return written(alone("days", to)[_WEEKDAYS.index(word)], to)
    return None


RULES: tuple[tuple[str, Rule], ...] = (
    ("rule:date", date),
    ("rule:date", month_or_weekday),
    ("rule:number", numbers.number),
    ("rule:number", units.counted),
    ("rule:money", units.money),
    ("rule:century", units.century),
    ("rule:territory", names.territory),
    ("rule:language", names.language),
    ("rule:currency", names.currency),
    ("rule:city", names.city),
)
"""`Answer.made` and the rule; the first rule that applies is used."""


def apply_rules(text: str, lang: str) -> tuple[str, str] | None:
    """An English text in `lang` and the name of the rule, or None if no rule applies."""
    short = " ".join(text.split()).rstrip(",.;:") if len(text) <= _LONGEST else ""
    to = locale(lang)
    if to is None or not short:
        return None
    results = ((localised, made) for made, rule in RULES if (localised := rule(short, to)))
    return next(results, None)
