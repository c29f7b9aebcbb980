"""Amounts with a bound: read in English, and written by amounts.toml.

They are "about 5 km", "more than 3 million people" and "at least $5".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .counts import count_parts, read_english_count, write_count
from .english_words import with_digits
from .inflection import Plural, after_words, as_counted, genitive, in_genitive
from .money import read_english_money, write_money
from .numbers import read_english, write_quantity
from .periods import FIRST_YEAR, LAST_YEAR
from .values import Bounded, Counted, Money, Quantity

if TYPE_CHECKING:
    from babel import Locale

Amount = Quantity | Counted | Money
TABLES: Mapping[str, Any] = read_toml(Path(__file__).with_name("amounts.toml"))
_BOUNDS = {word: bound for bound, words in TABLES["words"].items() for word in words}
_BOUNDED = re.compile(
    f"({'|'.join(sorted(map(re.escape, _BOUNDS), key=len, reverse=True))}) (.+)", re.IGNORECASE
)
_AGO = " ago"
_WORDS_INSIDE = ("bn", "te")
"""The languages in which the words stand between number and noun: "more than 5 (people)"."""


def read_english_bounded(text: str) -> Bounded | None:
    """Read "about 5 km", "more than 3 million people" or "at least $5"; not "around 1450"."""
    if text.endswith(_AGO):
        time = read_english(text.removesuffix(_AGO))
        known = isinstance(time, Quantity) and time.unit and time.unit[0].startswith("duration")
        return Bounded("ago", time) if known and isinstance(time, Quantity) else None
    match = _BOUNDED.fullmatch(text)
    rest = with_digits(match[2]) if match else ""
    amount = _amount(rest)
    if match is None or amount is None:
        return None
    bare = amount == Quantity("", rest)
    year = bare and len(rest) == 4 and FIRST_YEAR <= int(rest) <= LAST_YEAR
    name = bare and text[:1].isupper()  # "Under 21"
    return None if year or name else Bounded(_BOUNDS[match[1].lower()], amount)


def write_bounded(value: Bounded, to: Locale) -> str | None:
    """Write the amount in the form that the words for its bound need."""
    bound, amount = value
    pattern = TABLES[bound].get(to.language)
    if pattern is None or _is_arabic_dual(amount, to):
        return None
    inflected = bound in TABLES["genitive"].get(to.language, ())
    parts = count_parts(amount, to) if inflected and isinstance(amount, Counted) else None
    if parts and to.language in _WORDS_INSIDE:
        text: str | None = f"{pattern.format(genitive(parts[0], to))} {parts[1]}"
    else:
        plain = write_amount(amount, to, in_genitive if inflected else after_words)
        text = plain and pattern.format(genitive(plain, to) if inflected else plain)
    return written(text, to) if text and any(map(str.isdigit, text)) else None


def write_amount(value: Amount, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write an amount of any kind."""
    if isinstance(value, Counted):
        return write_count(value, to, plural)
    if isinstance(value, Money):
        return write_money(value, to, plural)
    return write_quantity(value, to, plural)


def _amount(text: str) -> Amount | None:
    amount = read_english(text)
    if isinstance(amount, Quantity):
        return amount
    return read_english_count(text) or read_english_money(text)


def _is_arabic_dual(amount: Amount, to: Locale) -> bool:
    """One or two of a unit, which Arabic writes without a number and inflects after other words."""
    return (
        to.language == "ar"
        and isinstance(amount, Quantity)
        and amount.unit is not None
        and amount.size in (1, 2)
    )
