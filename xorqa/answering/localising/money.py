"""Amounts of money: read in English, and written in any language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .cldr import written
from .inflection import Plural, as_counted
from .names import currency_code
from .nouns import NOUNS, with_noun
from .numbers import read_english, write_quantity
from .values import Money, Quantity

if TYPE_CHECKING:
    from babel import Locale

_AMOUNT = r"(\d[\d,]*(?:\.\d+)?)"
_SIGNED = re.compile(
    rf"(US ?\$|\$|£|€|USD|GBP|EUR) ?{_AMOUNT}(?: ?(thousand|million|billion|trillion|bn|tn)"
    r"|([kmbKMBT]))?",
    re.ASCII,
)
_NAMED = re.compile(rf"{_AMOUNT}(?: (thousand|million|billion|trillion))? (.+)", re.ASCII)
_SIGNS = {"$": "USD", "US$": "USD", "£": "GBP", "€": "EUR"}
_CODES = ("USD", "GBP", "EUR")
_NAMES = {"dollar": "USD", "euro": "EUR", "yen": "JPY"}
_LETTERS = {"k": "thousand", "m": "million", "b": "billion", "t": "trillion"}


def read_english_money(text: str) -> Money | None:
    """Read an amount of money: "$5 million", "US$1.2bn", "20 euros"."""
    if match := _SIGNED.fullmatch(text):
        sign, plain, word, letter = match.groups()
        short: str | None = _SIGNS.get(sign.replace(" ", ""), sign)
        code, scale = short, _LETTERS.get((letter or word or "")[:1].lower())
    elif match := _NAMED.fullmatch(text):
        plain, scale, name = match.groups()
        short = name if name in _CODES else _NAMES.get(name.lower().removesuffix("s"))
        code = short or currency_code(name)
    else:
        return None
    amount = read_english(f"{plain} {scale}" if scale else plain)
    return Money(amount, code, bool(short)) if code and isinstance(amount, Quantity) else None


def write_money(value: Money, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write the amount with the name of the currency."""
    from babel.numbers import get_currency_name

    forms = NOUNS["currencies"].get(value.code, {}).get(to.language) if value.short else None
    if forms is not None:
        return with_noun(value.amount, forms, to, plural)
    amount = write_quantity(value.amount, to, plural)
    if amount is None:
        return None
    between = "" if to.language == "ja" else " "
    count = plural(value.amount.value, to)
    return amount + between + written(get_currency_name(value.code, count, to), to)
