"""Years with an era, seasons, spans of years, centuries and decades: read in English.

Centuries and decades are written in the languages that have a form for them (periods.toml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from ...core.config import read_toml
from .cldr import alone, decimal, written
from .dates import read_english_date, read_english_name
from .english_words import ordinal_ending, ordinal_number
from .values import CalendarName, Century, Decade, EraYear, PartialDate, PartOf, Season, YearSpan

if TYPE_CHECKING:
    from babel import Locale

_NUMBER = r"\d{1,4}|\d{1,3},\d{3}"
_ERA_YEAR = re.compile(
    r"(?:in )?(?P<circa>(?:c\.|ca\.|ca|[Cc]irca|[Aa]round) ?)?(?P<before>A\.?D\.? )?"
    rf"(?P<year>{_NUMBER})(?: ?(?:(?P<bc>B\.?C\.?(?:E\.?)?)|(?P<after>A\.?D\.?|C\.?E\.?)))?",
    re.ASCII,
)
_PART = re.compile(r"(?:the )?(early|mid|late)[ -](?:the )?(.+)")
_SEASON = re.compile(
    r"(?:the )?(spring|summer|autumn|fall|winter)(?:(?: of|,)? (\d{4}))?", re.ASCII
)
_SPAN = re.compile(r"(?:from )?(\d{4}) (?:to|until|till) (\d{4})", re.ASCII)
_BETWEEN = re.compile(r"between (\d{4}) and (\d{4})", re.ASCII)
_ALSO_OTHER = {"spring", "fall"}  # by itself each is another word too
FIRST_YEAR, LAST_YEAR = 1000, 2100
"""Numbers of four digits that are most often years."""

FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("periods.toml"))
LAST_CENTURY = 39
_NO_CENTURY = 2000  # "the 2000s" are most often its first ten years
_CENTURY = re.compile(r"(?:the )?([\w-]+)[ -]century(?: (b\.?c\.?(?:e\.?)?))?", re.ASCII)
_DECADE = re.compile(r"(?:the )?(\d{3}0)['’]?s", re.ASCII)
_BENGALI = ("", "ম", "য়", "য়", "র্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম")  # then "শ"
_ROMAN_CENTURIES = {"es", "fr", "it", "pt", "ro", "ru", "uk"}
_ROMAN = {10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}


def read_english_era_year(text: str) -> EraYear | None:
    """Read "500 BC", "AD 79", "c. 1450" or "c. 500 BCE"; a year alone is a number."""
    if not (match := _ERA_YEAR.fullmatch(text)):
        return None
    circa, bc = bool(match["circa"]), bool(match["bc"])
    eras = sum(bool(match[era]) for era in ("before", "bc", "after"))
    plain = match["year"]
    if match["circa"] and match["circa"].strip().lower() == "around" and not is_year(plain):
        return None  # an amount
    if eras > 1 or not (eras or (circa and len(plain) >= 3)) or not int(plain.replace(",", "")):
        return None
    return None if "," in plain and not bc else EraYear(plain, bc, circa)


def is_year(plain: str) -> bool:
    """Whether a number is most often a year."""
    return plain.isdecimal() and FIRST_YEAR <= int(plain) <= LAST_YEAR


def write_era_year(value: EraYear, to: Locale) -> str | None:
    """Write a year with its era or "circa"."""
    form = ("circa_bc" if value.bc else "circa") if value.circa else "bc" if value.bc else "ad"
    pattern = FORMS[form].get(to.language)
    return written(pattern.format(decimal(value.plain, to)), to) if pattern else None


def read_english_part(text: str) -> PartOf | None:
    """Read "early 20th century", "the late 1980s", "mid-July" or "early 1999"."""
    match = _PART.fullmatch(text[:1].lower() + text[1:])
    if match is None:
        return None
    period = _period(match[2])
    part = cast(Literal["early", "mid", "late"], match[1])
    return PartOf(part, period) if period else None


def write_part(value: PartOf, to: Locale) -> str | None:
    """Write the part of a period."""
    part, period = value
    kind = "century"
    if isinstance(period, Century):
        whole = century_of(period, to)
    elif isinstance(period, Decade):
        whole = decade_of(period, to)
    else:
        kind, whole = ("month" if period.month else "year"), _date_of(period, to)
    own = FORMS.get(kind, {}).get(part, {}) if kind != "century" else {}
    pattern = own.get(to.language) or FORMS[part].get(to.language)
    return written(pattern.format(whole), to) if pattern and whole else None


def read_english_season(text: str) -> Season | None:
    """Read "summer 1967" or "winter"."""
    match = _SEASON.fullmatch(text[:1].lower() + text[1:] if text[-1:].isdigit() else text)
    if match is None or (match[1] in _ALSO_OTHER and not match[2]):
        return None
    name = "autumn" if match[1] == "fall" else match[1]
    season = cast(Literal["spring", "summer", "autumn", "winter"], name)
    return Season(season, int(match[2]) if match[2] else None)


def write_season(value: Season, to: Locale) -> str | None:
    """Write the name of a season, with its year if it has one."""
    name = FORMS["seasons"][value.name].get(to.language)
    if name is None:
        return None
    if value.year is None:
        return written(FORMS["season_alone"].get(to.language, "{}").format(name), to)
    return written(FORMS["season_year"][to.language].format(season=name, year=value.year), to)


def read_english_span(text: str) -> YearSpan | None:
    """Read "from 1914 to 1918" or "between 1914 and 1918"."""
    lower = text.lower()
    match = _SPAN.fullmatch(lower) or _BETWEEN.fullmatch(lower)
    if match is None:
        return None
    first, last = int(match[1]), int(match[2])
    known = FIRST_YEAR <= first < last <= LAST_YEAR
    return YearSpan(first, last, lower.startswith("between")) if known else None


def write_span(value: YearSpan, to: Locale) -> str | None:
    """Write both years with the words between them."""
    pattern = FORMS["between" if value.between else "from"].get(to.language)
    return written(pattern.format(value.first, value.last), to) if pattern else None


def _period(text: str) -> Century | Decade | PartialDate | None:
    if re.fullmatch(r"[12]\d{3}", text, re.ASCII):
        return PartialDate(int(text))
    if period := read_english_century(text) or read_english_decade(text):
        return period
    name = read_english_name(text) if text[:1].isupper() else None
    if isinstance(name, CalendarName):
        return PartialDate(None, name.number) if name.kind == "months" else None
    date = read_english_date(text)
    return date if date and date.year and date.day is None else None


def _date_of(value: PartialDate, to: Locale) -> str | None:
    """A month or year as the name of a part of it has it."""
    form = "month_year_of" if value.year else "month_of"
    pattern: str | None = FORMS[form if value.month else "year_of"].get(to.language)
    if pattern is None:
        return None
    in_dates = to.language == "ru"  # in the genitive
    names = to.months["format"]["wide"] if in_dates else alone("months", to)
    return pattern.format(value.year, month=names.get(value.month or 0), year=value.year)


def read_english_century(text: str) -> Century | None:
    """Read a century: "19th century", "the fifth century BC"."""
    match = _CENTURY.fullmatch(text.lower())
    number = ordinal_number(match[1]) if match else None
    if match is None or number is None or number > LAST_CENTURY:
        return None
    name = not match[1][0].isdigit() and "Century" in text  # "Twentieth Century", a play
    return None if name else Century(number, bool(match[2]))


def write_century(value: Century, to: Locale) -> str | None:
    """Write a century; None if periods.toml has no pattern for the language."""
    form = "first_century" if _is_first(value, to) else "century"
    pattern = FORMS[form].get(to.language)
    text = pattern and pattern.format(_ordinal(value.number, to, "ون"))
    if value.bc:
        before = FORMS["century_bc"].get(to.language)
        text = before and text and before.format(text)
    return written(text, to) if text else None


def century_of(value: Century, to: Locale) -> str | None:
    """A century as the name of a part of it has it ("the beginning of the 20th century")."""
    pattern = FORMS["century_of"].get(to.language)
    if pattern is None or _is_first(value, to):
        return None
    text: str = pattern.format(_ordinal(value.number, to, "ين"))
    return FORMS["century_bc"][to.language].format(text) if value.bc else text


def other_centuries(to: Locale) -> dict[str, int]:
    """Further names of centuries in texts of a language, which `write_century` does not write."""
    patterns = FORMS["other century"].get(to.language, [])
    return {
        form.format(n, roman=_roman(n), hundred=100 * (n - 1)): n
        for n in range(1, LAST_CENTURY + 1)
        for form in patterns
    }


def read_english_decade(text: str) -> Decade | None:
    """Read a decade: "the 1990s"; not "1900s", which is most often a century."""
    match = _DECADE.fullmatch(text.lower())
    year = int(match[1]) if match else 0
    return Decade(year) if year % 100 or year == _NO_CENTURY else None


def write_decade(value: Decade, to: Locale) -> str | None:
    """Write a decade; None if periods.toml has no pattern for the language."""
    text = _arabic_decade(value, to) if to.language == "ar" else _filled("decade", value, to)
    return written(text, to) if text else None


def decade_of(value: Decade, to: Locale) -> str | None:
    """A decade as the name of a part of it has it ("the beginning of the 1990s")."""
    return _arabic_decade(value, to) if to.language == "ar" else _filled("decade_of", value, to)


def _filled(form: str, value: Decade, to: Locale) -> str | None:
    pattern: str | None = FORMS[form].get(to.language)
    return pattern.format(value.year) if pattern else None


def _is_first(value: Century, to: Locale) -> bool:
    return value.number == 1 and to.language in FORMS["first_century"]


def _ordinal(number: int, to: Locale, case: str) -> str:
    """What the pattern of a century has for its number; `case` ends an Arabic number of tens."""
    lang = to.language
    if lang in _ROMAN_CENTURIES:
        ending = ("er" if number == 1 else "e") if lang == "fr" else ""
        return _roman(number) + ending
    if lang == "bn":
        return str(number) + (_BENGALI[number] if number < len(_BENGALI) else "শ")
    if lang == "en":
        return str(number) + ordinal_ending(number)
    if lang == "fi":
        return str(100 * (number - 1))  # the years of the 18th century begin with 1700
    return _arabic_ordinal(number, case) if lang == "ar" else str(number)


def _roman(number: int) -> str:
    roman = ""
    for value, letters in _ROMAN.items():
        roman += letters * (number // value)
        number %= value
    return roman


def _arabic_ordinal(number: int, case: str) -> str:
    words = FORMS["arabic"]
    tens, ones = divmod(number, 10)
    if number <= 10:
        return str(words["ordinals"][number - 1])
    last = words["eleven"] if ones == 1 else words["ordinals"][ones - 1] if ones else ""
    if tens == 1:
        return str(words["teen"].format(last))
    first = words["tens"][tens - 2] + case
    return str(words["compound"].format(last, first) if last else first)


def _arabic_decade(value: Decade, to: Locale) -> str | None:
    """A decade of a century: "the nineties of the 20th century"."""
    words, tens = FORMS["arabic"], value.year // 10 % 10
    name = words["decades"][tens]
    return f"{name} {century_of(Century(value.year // 100 + 1), to)}"
