"""Counted things, centuries and imperial measures: what CLDR's number patterns do not have."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from .cldr import decimal, written
from .names import currency_code
from .numbers import SCALES, UNITS, number

if TYPE_CHECKING:
    from babel import Locale

_COUNTED = re.compile(r"(\d[\d,]*) ([a-z]+)", re.ASCII)
_PLURALS = {"children": "child", "countries": "country", "stories": "story"}
_AMOUNT = r"(\d[\d,]*(?:\.\d+)?)(?: (thousand|million|billion|trillion))?"
_MONEY = re.compile(rf"(?:([$£€]){_AMOUNT}|{_AMOUNT} (.+))", re.ASCII)
_SIGNS = {"$": "us dollar", "£": "pound sterling", "€": "euro"}
_CENTURY = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -]century", re.ASCII)
_BENGALI = ("", "ম", "য়", "য়", "র্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম")  # then "শ"
_ROMAN = {10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}
_IMPERIAL = re.compile(
    r"(\d[\d,]*(?:\.\d+)?) (square miles?|miles?(?: per hour)?|yards?|foot|feet|inch(?:es)?|"
    r"pounds?|acres?)",
    re.ASCII,
)


def counted(text: str, to: Locale) -> str | None:
    """A number of things with the measure word of Japanese or Korean: "22 episodes"."""
    match = _COUNTED.fullmatch(text)
    if match is None or to.language not in ("ja", "ko"):
        return None
    much, noun = match.groups()
    counters: dict[str, dict[str, str]] = UNITS["counters"]
    word = counters.get(_PLURALS.get(noun, noun)) or counters.get(noun.removesuffix("s"))
    return decimal(much, to) + word[to.language] if word else None


def money(text: str, to: Locale) -> str | None:
    """An amount of money ("$5 million", "20 euros") with the currency's name in words."""
    from babel.numbers import get_currency_name

    match = _MONEY.fullmatch(text)
    if match is None:
        return None
    sign, first, much, second, many, named = match.groups()
    plain, scale = first or second, much or many
    code = currency_code(_SIGNS[sign] if sign else named)
    said = number(f"{plain} {scale}" if scale else plain, to)
    if code is None or said is None:
        return None
    value = Decimal(plain.replace(",", "")).scaleb(SCALES.get(scale or "", 0))
    between = "" if to.language == "ja" else " "
    return said + between + written(get_currency_name(code, value, to), to)


def century(text: str, to: Locale) -> str | None:
    """A century by its number: "19th century"."""
    match = _CENTURY.fullmatch(text.lower())
    pattern = UNITS["centuries"].get(to.language)
    if match is None or pattern is None or not 0 < int(match[1]) < 40:
        return None
    number = int(match[1])
    ordinal = _roman(number) if to.language == "ru" else str(number)
    if to.language == "bn":
        ordinal += _BENGALI[number] if number < len(_BENGALI) else "শ"
    return written(pattern.format(ordinal), to)


def metric(text: str) -> str:
    """An English imperial quantity in metric units; any other text stays as it is.

    It gets as many significant digits, but whole units are kept and at most two decimals:
    "29,029 feet" becomes "8,848 meters", "5 miles" "8 kilometers".
    """
    match = _IMPERIAL.fullmatch(text)
    if match is None:
        return text
    plain, unit = match.groups()
    single = {"feet": "foot", "inches": "inch"}.get(unit, unit.replace("miles", "mile"))
    conversion = UNITS["metric"].get(single) or UNITS["metric"][single.removesuffix("s")]
    value = Decimal(plain.replace(",", "")) * Decimal(conversion["factor"])
    digits = len(plain.replace(",", "").replace(".", "").lstrip("0")) or 1
    step = Decimal(1).scaleb(min(max(value.adjusted() - digits + 1, -2), 0))
    rounded = f"{value.quantize(step, rounding=ROUND_HALF_EVEN):,f}"
    return f"{rounded.rstrip('0').rstrip('.') if '.' in rounded else rounded} {conversion['unit']}"


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN.items():
        text += letters * (number // value)
        number %= value
    return text
