"""Dates and times of day: read in English, and written in any language (times by clock.toml)."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date as Day
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import alone, written
from .values import CalendarName, Clock, PartialDate

if TYPE_CHECKING:
    from babel import Locale

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
_WORDS = {"may", "march"}  # also common words, so months only with a capital letter

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
_YEAR_WORD = re.compile(r"\s*'[гр]'\.$")  # "8 мая 1980 г."; answers omit it

_FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("clock.toml"))
_TIME = re.compile(r"(?:at )?(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?", re.ASCII | re.IGNORECASE)
_NAMED = {
    **dict.fromkeys(("noon", "12 noon", "midday"), Clock(12, named=True)),
    **dict.fromkeys(("midnight", "12 midnight"), Clock(0, named=True)),
}


def read_english_date(text: str) -> PartialDate | None:
    """Read "8 May 1980", "May 8, 1980", "March 1914" or "May 8"."""
    match = next((m for form in _DATES if (m := form.fullmatch(text))), None)
    if match is None:
        return None
    groups = match.groupdict()
    month = _MONTH_NUMBER.get(groups["month"].lower(), 0)
    year, day = (int(groups[key]) if groups.get(key) else None for key in ("year", "day"))
    return PartialDate(year, month, day) if exists(year, month, day) else None


def exists(year: int | None, month: int, day: int | None) -> bool:
    """Whether there is such a day, in some year if the year is unknown."""
    try:
        Day(2000 if year is None else year, month, 1 if day is None else day)
    except ValueError:
        return False
    return True


def write_date(value: PartialDate, to: Locale) -> str:
    """The long CLDR form of a date or of its known parts, without a word for year."""
    from babel.dates import format_date as babel_date

    if value.month is None:
        pattern = to.datetime_skeletons["y"].pattern
    elif value.day is None:
        pattern = to.datetime_skeletons["yMMMM"].pattern
    elif value.year is None:
        pattern = to.datetime_skeletons["MMMMd"].pattern
    else:
        pattern = to.date_formats["long"].pattern
    month = f"'{alone('months', to)[value.month or 1]}'"
    pattern = _YEAR_WORD.sub("", pattern).replace("LLLL", month)
    day = Day(value.year or 2000, value.month or 1, value.day or 1)
    return written(babel_date(day, pattern, locale=to), to)


def is_iso(text: str) -> bool:
    """Whether a text is a day in ISO 8601, which differs between languages only in digits."""
    digits = _ISO.fullmatch(text)
    return digits is not None and exists(*map(int, digits.groups()))


def read_english_name(text: str) -> CalendarName | None:
    """Read the name of a month or weekday by itself."""
    word = text.lower()
    if word in _WORDS and not text[0].isupper():
        return None
    if word in _MONTHS:
        return CalendarName("months", _MONTHS.index(word) + 1)
    return CalendarName("days", _WEEKDAYS.index(word)) if word in _WEEKDAYS else None


def write_name(value: CalendarName, to: Locale) -> str:
    """The stand-alone name of a month or weekday."""
    return written(alone(value.kind, to)[value.number], to)


def read_english_time(text: str) -> Clock | None:
    """Read "7:30 pm", "7 a.m." or "noon"; not "7:30", which may be a score or a duration."""
    if text in _NAMED:
        return _NAMED[text]
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    known = 1 <= hour <= 12 and minute < 60
    return Clock(hour % 12 + 12 * (match[3].lower() == "p"), minute) if known else None


def write_time(value: Clock, to: Locale) -> str | None:
    """Write the time with the part of the day, or by 24 hours where that is usual."""
    hour, minute, named = value
    if to.language not in _FORMS["minutes"]:
        return None
    if named:
        return written(_FORMS["midnight" if hour == 0 else "noon"][to.language], to)
    pattern = _FORMS["minutes" if minute else "hours"][to.language]
    part = _part(hour, minute, to)
    text = pattern.format(
        hour=hour, of_twelve=hour % 12 or 12, from_zero=hour % 12, minute=minute, part=part
    )
    return written(text, to)


def _part(hour: int, minute: int, to: Locale) -> str:
    """The part of the day, which clock.toml or CLDR names."""
    from babel.dates import format_time

    if (names := _FORMS["parts"].get(to.language)) is not None:
        return str(names[bisect_right(_FORMS["from"][to.language], hour) - 1])
    return str(format_time(time(hour, minute), "B", locale=to))
