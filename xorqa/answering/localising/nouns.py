"""Nouns after numbers, in the form that the number requires: read in English, written in others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .numbers import SCALES, Plural, as_counted, before_noun, number_text
from .values import Counted, Quantity

if TYPE_CHECKING:
    from babel import Locale

NOUNS: dict[str, Any] = read_toml(Path(__file__).with_name("nouns.toml"))

COUNTING = ("ja", "ko")
"""The languages with one measure word for a noun, in all its forms."""
_ALSO_PLURAL = ("people", "species")
_COUNTED = re.compile(
    r"(\d[\d,]*(?:\.\d+(?= [tmb]))?)(?: (thousand|million|billion|trillion))? ([a-z]+)", re.ASCII
)


def short_currencies(lang: str) -> list[tuple[str, str]]:
    """The (name, code) pairs of currencies without their country, in all forms."""
    rows = ((row.get(lang, []), code) for code, row in NOUNS["currencies"].items())
    return [
        (name, code)
        for forms, code in rows
        for name in ([forms] if isinstance(forms, str) else forms)
        if name
    ]


def with_noun(
    amount: Quantity, forms: Sequence[str], to: Locale, plural: Plural = as_counted
) -> str | None:
    """The number and the noun; `forms` are the language's in nouns.toml."""
    parts = noun_parts(amount, forms, to, plural)
    if parts is None:
        return None
    joined = to.language in ("ja", "ko") and not (to.language == "ko" and amount.power is not None)
    return written(("" if joined or not parts[0] else " ").join(parts), to)


def noun_parts(
    amount: Quantity, forms: Sequence[str], to: Locale, plural: Plural = as_counted
) -> tuple[str, str] | None:
    """The number, with its classifier in Bengali, and the noun; None if no form is known."""
    number = number_text(amount, to, plural)
    if number is None:
        return None
    lang = to.language
    if lang == "ar":
        return _arabic(amount, number, forms, to, plural)
    if lang == "bn":
        return number + _classifier(amount, forms[0]), forms[1]
    if lang in ("fi", "te"):
        noun = forms[0] if amount.power is None and amount.value == 1 else forms[1]
        return before_noun(number, to, noun=noun), noun
    if lang == "ru":
        return number, _russian(amount, forms, plural(amount.value, to), to)
    return number, str(forms)


def _classifier(amount: Quantity, classifier: str) -> str:
    """What a Bengali number takes before a noun; large numbers in words take nothing."""
    if amount.power is not None or not classifier:
        return ""
    return f" {classifier}" if classifier == "জন" else classifier


def _russian(amount: Quantity, forms: Sequence[str], value: Decimal, to: Locale) -> str:
    if amount.power is not None:
        return forms[2]
    return forms[{"one": 0, "many": 2}.get(to.plural_form(value), 1)]


def _arabic(
    amount: Quantity, number: str, forms: Sequence[str], to: Locale, plural: Plural
) -> tuple[str, str] | None:
    """One has its number after the noun, and two is an ending, so that only citations have it."""
    if amount.power is not None:
        return number, forms[3]
    if amount.value == 2:
        return ("", forms[0]) if plural is as_counted else None
    if amount.value in (0, 1):
        return None
    return number, forms[{"few": 1, "many": 2}.get(to.plural_form(amount.value), 3)]


def measure_words(lang: str) -> dict[str, str]:
    """The English nouns with a measure word in Japanese or Korean, to that word."""
    return {noun: row[lang] for noun, row in NOUNS["nouns"].items() if lang in row}


def read_english_count(text: str) -> Counted | None:
    """Read a counted noun: "22 episodes", "3 million people"."""
    if not (match := _COUNTED.fullmatch(text)):
        return None
    plain, scale, noun = match.groups()
    if noun in NOUNS["nouns"] and noun not in _ALSO_PLURAL and (plain != "1" or scale):
        return None  # "2001 season", "1984 film"
    singulars = (NOUNS["plurals"].get(noun, noun), noun.removesuffix("s"))
    known = next((single for single in singulars if single in NOUNS["nouns"]), None)
    if known is None or ("." in plain and not scale):
        return None
    return Counted(plain, (known,), SCALES[scale] if scale else None)


def write_count(value: Counted, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write it with the form of the noun, if all its nouns have the same."""
    forms = _forms(value, to)
    return with_noun(_amount(value), forms, to, plural) if forms is not None else None


def count_parts(value: Counted, to: Locale) -> tuple[str, str] | None:
    """The number as `write_count` writes it, and the noun."""
    forms = _forms(value, to)
    return noun_parts(_amount(value), forms, to) if forms is not None else None


def _amount(value: Counted) -> Quantity:
    return Quantity("", value.plain, value.power)


def _forms(value: Counted, to: Locale) -> Any:
    rows = [NOUNS["nouns"][noun].get(to.language) for noun in value.nouns]
    return rows[0] if rows and all(row == rows[0] for row in rows) else None
