"""Fractions and ordinals: read in English, and written in the languages of fractions.toml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .english_words import ordinal_number, with_digits
from .values import Fraction, Ordinal

if TYPE_CHECKING:
    from babel import Locale

_FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("fractions.toml"))
_FRACTION = re.compile(r"(an?|[a-z]+)[ -]([a-z]+)", re.ASCII)
_HALVES = ("half", "a half", "one half", "one-half")
_UNITS_OF_TIME = ("second",)


def read_english_fraction(text: str) -> Fraction | None:
    """Read "two thirds", "a quarter" or "half"; not "third", which is an ordinal."""
    if text in _HALVES:
        return Fraction(1, 2)
    if not (match := _FRACTION.fullmatch(text)):
        return None
    word = match[2].removesuffix("s")
    of = 4 if word == "quarter" else ordinal_number(word)
    digits = "1" if match[1] in ("a", "an") else with_digits(match[1])
    count = int(digits) if digits.isdecimal() else 0
    plural = match[2].endswith("s")
    known = of is not None and of > 2 and 0 < count < of and plural == (count > 1)
    return Fraction(count, of or 0) if known else None


def write_fraction(value: Fraction, to: Locale) -> str | None:
    """Write a fraction; None if fractions.toml has no name for it."""
    lang = to.language
    if (
        name := _FORMS["names"].get(f"{value.numerator}/{value.denominator}", {}).get(lang)
    ) is not None:
        return written(name, to)
    pattern = _FORMS["fractions"].get(lang)
    return written(pattern.format(value.denominator, value.numerator), to) if pattern else None


def read_english_ordinal(text: str) -> Ordinal | None:
    """Read "third", "3rd" or "twenty-first"; not "second", which is a unit too."""
    bare = text.removeprefix("the ")
    number = ordinal_number(bare) if bare not in _UNITS_OF_TIME else None
    return Ordinal(number) if number else None


def write_ordinal(value: Ordinal, to: Locale) -> str | None:
    """Write an ordinal, in languages in which it has one form in most contexts."""
    names, number = _FORMS["ordinals"].get(to.language, []), value.number
    if number <= len(names):
        return written(names[number - 1], to) if names[number - 1] else None
    pattern = _FORMS["ordinal"].get(to.language)
    return written(pattern.format(number), to) if pattern else None
