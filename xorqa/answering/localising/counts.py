"""Counted nouns: read in English, and written in the languages of nouns.toml."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .inflection import Plural, as_counted
from .nouns import NOUNS, noun_parts, with_noun
from .numbers import SCALES
from .values import Counted, Quantity

if TYPE_CHECKING:
    from babel import Locale

COUNTING = ("ja", "ko")
"""The languages with one measure word for a noun, in all its forms."""
_ALSO_PLURAL = ("people", "species")
_COUNTED = re.compile(
    r"(\d[\d,]*(?:\.\d+(?= [tmb]))?)(?: (thousand|million|billion|trillion))? ([a-z]+)", re.ASCII
)


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
