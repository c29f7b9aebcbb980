"""Ranges of dates, "3–5 May 1987": read in English, written by CLDR's interval formats."""

from __future__ import annotations

import re
from datetime import date as Day
from typing import TYPE_CHECKING

from .cldr import written
from .dates import read_english_date
from .values import DateRange, PartialDate

if TYPE_CHECKING:
    from babel import Locale

_TO = r"\s?(?:[-–—]|\bto\b)\s?"
_DAYS_FIRST = re.compile(rf"(?:from )?(\d{{1,2}}){_TO}(\d{{1,2}}) ([A-Z][a-z]+)( \d{{3,4}})?")
_MONTH_FIRST = re.compile(rf"(?:from )?([A-Z][a-z]+) (\d{{1,2}}){_TO}(\d{{1,2}})(,? \d{{3,4}})?")
_ENDS = re.compile(rf"(?:from )?(.*?\d.*?){_TO}(.*?\d.*)")
_YEAR = re.compile(r",? (\d{3,4})$")
_YEAR_WORD = re.compile(r"\s*[гр]\.$")  # answers omit it
_LEAP_YEAR = 2000  # for days without a year


def read_english_date_range(text: str) -> DateRange | None:
    """Read "3–5 May 1987", "May 3–5", "May 3 – June 2, 1987" or "3 May 1987 to 2 June 1988"."""
    if match := _DAYS_FIRST.fullmatch(text):
        first, last, month, year = match.groups("")
        ends = f"{first} {month}{year}", f"{last} {month}{year}"
    elif match := _MONTH_FIRST.fullmatch(text):
        month, first, last, year = match.groups("")
        ends = f"{month} {first}{year}", f"{month} {last}{year}"
    elif match := _ENDS.fullmatch(text):
        before, after = match.groups()
        shared = _YEAR.search(after)
        ends = before + (shared[0] if shared and not _YEAR.search(before) else ""), after
    else:
        return None
    dates = [read_english_date(end) for end in ends]
    if not all(each and each.day for each in dates):
        return None
    start, end = (each for each in dates if each)
    alike = bool(start.year) == bool(end.year)
    return DateRange(start, end) if alike and _day(start) < _day(end) else None


def write_date_range(value: DateRange, to: Locale) -> str:
    """The interval in CLDR's form with the names of months, without a word for year."""
    from babel.dates import format_interval

    first, last = value
    in_month = (first.year, first.month) == (last.year, last.month)
    skeleton = f"{'y' if first.year else ''}{'MMMM' if in_month else 'MMM'}d"
    text = format_interval(_day(first), _day(last), skeleton, locale=to)
    return written(_YEAR_WORD.sub("", str(text)), to)


def _day(date: PartialDate) -> Day:
    return Day(date.year or _LEAP_YEAR, date.month or 1, date.day or 1)
