"""Dates and times of day, written in any language (times by clock.toml).

English has its own patterns. In other languages a date consists of a month's name, at most one day
(one or two digits), at most one year (three or four digits), and words of the CLDR's patterns or of
dates.toml. Dates with the month in digits ("4/5/2010") are ambiguous and are not parsed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date as Day
from datetime import time
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from ...core.lang import locale
from ...core.text.normalize import ascii_digits
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
_ALSO_WORDS = {"may", "march"}  # also common words, so months only with a capital letter

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
    if word in _ALSO_WORDS and not text[0].isupper():
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
    from babel.dates import format_time

    hour, minute, named = value
    if to.language not in _FORMS["minutes"]:
        return None
    if named:
        return written(_FORMS["midnight" if hour == 0 else "noon"][to.language], to)
    pattern = _FORMS["minutes" if minute else "hours"][to.language]
    if names := _FORMS["parts"].get(to.language):
        part = names[bisect_right(_FORMS["from"][to.language], hour) - 1]
    else:
        part = format_time(time(hour, minute), "B", locale=to)
    text = pattern.format(
        hour=hour, of_twelve=hour % 12 or 12, from_zero=hour % 12, minute=minute, part=part
    )
    return written(text, to)


_TABLES = read_toml(Path(__file__).with_name("dates.toml"))
_BUDDHIST, _THAI_YEARS = 543, 2300  # offset of the era; later years in Thai are Buddhist
_ENDINGS = {"el", "fi", "ru", "tr", "uk"}  # languages for which CLDR lacks some cases
_UNSPACED = {"ja", "ko", "th", "zh"}  # no space is needed around a month's name
_SHORTEST_STEM, _LONGEST_ENDING = 4, 5
_NUMBER = re.compile(r"\d+")
_SEPARATORS = re.compile(r"[\s,.،。]+")
_PARENTHESES = re.compile(r"[(（][^()（）]*[)）]")


def read_date(text: str, lang: str) -> PartialDate | None:
    """Parse a date, a month with a year or a day, or a year with the language's word for year."""
    short = ascii_digits(text)
    if lang in _UNSPACED:
        short = _PARENTHESES.sub("", short)
    short, era = _without_era(short.casefold(), lang)
    bare = era is not None and re.fullmatch(r"\d{3,4}", short.strip())
    if year := int(short) if bare else _year_alone(short, lang):
        return _in_era(PartialDate(year), era, lang)
    for name, month in _months(lang):
        if name.rstrip("\0") in short and (match := re.search(_bounded(name, lang), short)):
            rest = f"{short[: match.start()]} {short[match.end() :]}"
            if value := _with_numbers(rest, month, lang):
                return _in_era(value, era, lang)
    return None


def read_name(text: str, lang: str) -> CalendarName | None:
    """Parse a month or weekday by itself."""
    return _names(lang).get(ascii_digits(text))


def read_iso(text: str) -> str | None:
    """Parse a day in ISO 8601 with ASCII digits."""
    short = ascii_digits(text)
    return short if is_iso(short) else None


def _with_numbers(rest: str, month: int, lang: str) -> PartialDate | None:
    """The date of a month's name and the numbers next to it."""
    numbers = _NUMBER.findall(rest)
    years = [int(digits) for digits in numbers if len(digits) in (3, 4)]
    days = [int(digits) for digits in numbers if len(digits) in (1, 2)]
    if len(years) + len(days) != len(numbers) or len(years) > 1 or len(days) > 1 or not numbers:
        return None
    others = set(_SEPARATORS.split(_NUMBER.sub(" ", rest))) - {""}
    year, day = (values[0] if values else None for values in (years, days))
    known = others <= _fillers(lang) and exists(year, month, day)
    return PartialDate(year, month, day) if known else None


def _year_alone(text: str, lang: str) -> int | None:
    for pattern in _TABLES["years"].get(lang, []):
        form = re.escape(pattern).replace(r"\{\}", r"(\d{1,4})").replace(r"\ ", r"\s*")
        if (match := re.fullmatch(form, text)) and len(match[1]) >= 3:
            return int(match[1])
    return None


def _without_era(text: str, lang: str) -> tuple[str, int | None]:
    """The text with Gregorian years for a Japanese era, and the offset of a Thai era it names."""
    if lang == "th":
        for name, years in (("พ.ศ.", _BUDDHIST), ("พุทธศักราช", _BUDDHIST), ("ค.ศ.", 0)):
            if name in text:
                return text.replace(name, " "), years
    for era, before in _TABLES["eras"].items() if lang == "ja" else ():
        if match := re.match(rf"{era}(\d{{1,2}}|元)年", text):
            year = before + (1 if match[1] == "元" else int(match[1]))
            return f"{year}年{text[match.end() :]}", None
    return text, None


def _in_era(value: PartialDate, era: int | None, lang: str) -> PartialDate | None:
    """The Gregorian date; None if the day does not exist."""
    if lang != "th" or value.year is None:
        return value
    years = era if era is not None else _BUDDHIST if value.year >= _THAI_YEARS else 0
    year = value.year - years
    return value._replace(year=year) if exists(year, value.month or 1, value.day) else None


def _bounded(name: str, lang: str) -> str:
    """A pattern that matches a month's name as a word, with a case ending if there is one."""
    if name[-1:] == "\0":  # a stem
        return rf"(?<!\w){re.escape(name[:-1])}(?:['’]?[^\W\d]{{0,{_LONGEST_ENDING}}})(?!\w)"
    letters = "" if lang in _UNSPACED else r"[^\W\d]"
    before = rf"(?<!{letters})" if letters else ""
    after = rf"(?!{letters})" if letters else ""
    before += r"(?<!\d)" if name[:1].isdigit() else "ב?" if lang == "he" else ""
    return before + re.escape(name) + after + (r"(?!\d)" if name[-1:].isdigit() else "")


@cache
def _months(lang: str) -> tuple[tuple[str, int], ...]:
    """The names of months, longest first, then their stems (marked by a NUL)."""
    months: dict[str, int] = {}
    stems = []
    for number in range(1, 13):
        forms = {name.casefold() for to in _regions(lang) for name in _forms(to, number)}
        months |= {name: number for name in forms if name}
        if lang in _ENDINGS:
            own = [name.casefold() for name in _wide(_regions(lang)[0], number)]
            common = takewhile(lambda pair: pair[0] == pair[1], zip(*own, strict=False))
            stem = "".join(letter for letter, _ in common)
            stems += [(f"{stem}\0", number)] if len(stem) >= _SHORTEST_STEM else []
    named = sorted(months.items(), key=lambda row: -len(row[0]))
    return (*named, *stems)


def _regions(lang: str) -> list[Locale]:
    """The language, and its regional variants with other names of months."""
    from babel import Locale

    named = [Locale.parse(name) for name in _TABLES["regions"].get(lang, [])]
    return [to for to in (locale(lang), *named) if to is not None]


def _wide(to: Locale, number: int) -> list[str]:
    return [to.months["format"]["wide"][number], alone("months", to)[number]]


def _forms(to: Locale, number: int) -> Iterator[str]:
    """The full and short names of a month; short names may end with a full stop."""
    yield from _wide(to, number)
    short = to.months["format"]["abbreviated"][number]
    if not short.isdigit():
        yield short
        yield short.rstrip(".")


@cache
def _fillers(lang: str) -> frozenset[str]:
    """The words between the numbers of a date, from the patterns and from dates.toml."""
    to = locale(lang)
    words = set(_TABLES["fillers"].get(lang, []))
    if to is None:
        return frozenset(words)
    eras: Any = to.eras
    words |= {str(names.get(1, "")).casefold() for names in eras.values()}
    patterns = [pattern.pattern for pattern in to.date_formats.values()]
    patterns += [to.datetime_skeletons[name].pattern for name in ("yMMMM", "MMMMd", "y")]
    for pattern in patterns:
        literal = re.sub(r"'([^']*)'|[A-Za-z]+", lambda match: f" {match[1] or ''} ", pattern)
        words |= set(_SEPARATORS.split(literal.casefold()))
    return frozenset(part for word in words for part in _SEPARATORS.split(word))


@cache
def _names(lang: str) -> dict[str, CalendarName]:
    """The stand-alone names of months and weekdays."""
    names: dict[str, CalendarName] = {}
    for to in _regions(lang):
        for number in range(1, 13):
            for name in _wide(to, number):
                names.setdefault(ascii_digits(name), CalendarName("months", number))
        for number in range(7):
            for name in (to.days["format"]["wide"][number], alone("days", to)[number]):
                names.setdefault(ascii_digits(name), CalendarName("days", number))
    capitals = {name[:1].upper() + name[1:]: value for name, value in names.items()}
    return capitals | names
