"""Centuries and decades: read in English, and written in languages that have a form for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .english_words import ordinal_ending, ordinal_number
from .values import Century, Decade

if TYPE_CHECKING:
    from babel import Locale

FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("periods.toml"))
LAST_CENTURY = 39
_NO_CENTURY = 2000  # "the 2000s" are most often its first ten years
_CENTURY = re.compile(r"(?:the )?([\w-]+)[ -]century(?: (b\.?c\.?(?:e\.?)?))?", re.ASCII)
_DECADE = re.compile(r"(?:the )?(\d{3}0)['’]?s", re.ASCII)
_BENGALI = ("", "ম", "য়", "য়", "র্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম")  # then "শ"
_ROMAN_CENTURIES = {"es", "it", "pt", "ro", "ru", "uk"}
_ROMAN = {10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}


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
    pattern = FORMS["other century"].get(to.language)
    return {pattern.format(n): n for n in range(1, LAST_CENTURY + 1)} if pattern else {}


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
        return _roman(number)
    if lang == "bn":
        return str(number) + (_BENGALI[number] if number < len(_BENGALI) else "শ")
    if lang == "en":
        return str(number) + ordinal_ending(number)
    if lang == "fi":
        return str(100 * (number - 1))  # the years of the 18th century begin with 1700
    return _arabic_ordinal(number, case) if lang == "ar" else str(number)


def _arabic_ordinal(number: int, case: str) -> str:
    words = FORMS["arabic"]
    tens, ones = divmod(number, 10)
    if number <= 10:
        return str(words["ordinals"][number - 1])
    one = words["eleven"] if ones == 1 else words["ordinals"][ones - 1] if ones else ""
    if tens == 1:
        return str(words["teen"].format(one))
    ten = words["tens"][tens - 2] + case
    return str(words["compound"].format(one, ten) if one else ten)


def _arabic_decade(value: Decade, to: Locale) -> str | None:
    """A decade of a century: "the nineties of the 20th century"."""
    words, tens = FORMS["arabic"], value.year // 10 % 10
    name = words["decades"][tens]
    return f"{name} {century_of(Century(value.year // 100 + 1), to)}"


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN.items():
        text += letters * (number // value)
        number %= value
    return text
