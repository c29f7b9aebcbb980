"""Ranges of amounts and added quantities: read in English, and written in other languages.

They are "2 to 3 weeks" and "2 hours 30 minutes".
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from .amounts import TABLES, write_amount
from .cldr import decimal, written
from .counts import read_english_count
from .inflection import after_words, genitive
from .numbers import dash_of, number_text, read_english, write_quantity
from .values import Compound, Counted, Quantity, Spread

if TYPE_CHECKING:
    from babel import Locale

_PLAIN = r"\d[\d,]*(?:\.\d+)?"
_SPREAD = re.compile(rf"(?:between |from )?({_PLAIN})(?: to | and | ?[-–] ?)({_PLAIN} [^\d]+)")
_COMPOUND = re.compile(r"(\d[\d,]* ?[a-z]+),? (?:and )?(\d[\d,]* ?[a-z]+)", re.ASCII)
_SMALLER = {
    "duration-year": ("duration-month", "duration-week", "duration-day"),
    "duration-month": ("duration-week", "duration-day"),
    "duration-week": ("duration-day",),
    "duration-day": ("duration-hour",),
    "duration-hour": ("duration-minute",),
    "duration-minute": ("duration-second",),
    "length-foot": ("length-inch",),
    "length-meter": ("length-centimeter",),
}
_DIGITS = re.compile(r"[\d.,\s]*\d")
_MYRIADS = ("ja", "ko")  # "200万〜300万"; other languages have the word once: "2–3 miljoonaa"


def read_english_spread(text: str) -> Spread | None:
    """Read "2 to 3 weeks", "10–15 km" or "between 2 and 3 million people"."""
    match = _SPREAD.fullmatch(text)
    if match is None or (" and " in text) != text.startswith("between "):
        return None
    low, amount = match[1], read_english(match[2]) or read_english_count(match[2])
    if not isinstance(amount, Quantity | Counted):
        return None
    high = Decimal(amount.plain.replace(",", ""))
    return Spread(low, amount) if Decimal(low.replace(",", "")) < high else None


def write_spread(value: Spread, to: Locale) -> str | None:
    """Write both numbers before the unit or noun."""
    low, amount = value
    quantity = amount if isinstance(amount, Quantity) else Quantity("", amount.plain, amount.power)
    ends = [number_text(quantity._replace(plain=plain), to) for plain in (low, quantity.plain)]
    text = write_amount(amount, to, after_words)
    numbers = [match[0] for end in ends if (match := _DIGITS.match(end or ""))]
    if text is None or len(numbers) < len(ends):
        return None
    as_given = numbers == [decimal(plain, to) for plain in (low, quantity.plain)]
    same_scale = as_given or _DIGITS.sub("", ends[0] or "") == _DIGITS.sub("", ends[1] or "")
    once = same_scale and to.language not in _MYRIADS
    first, high = written(numbers[0] if once else ends[0] or "", to), written(numbers[1], to)
    return text.replace(high, first + dash_of(to) + high, 1) if high in text else None


def read_english_compound(text: str) -> Compound | None:
    """Read "2 hours 30 minutes" or "5 ft 10 in"."""
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    first, last = (
        read_english(re.sub(r"^(\S+) in$", r"\1 inches", part)) for part in match.groups()
    )
    if not isinstance(first, Quantity) or not isinstance(last, Quantity):
        return None
    if first.unit is None or last.unit is None or first.power or last.power:
        return None
    parts = tuple(part._replace(unit=(part.unit[0], "long")) for part in (first, last) if part.unit)
    return Compound(parts) if last.unit[0] in _SMALLER.get(first.unit[0], ()) else None


def write_compound(value: Compound, to: Locale) -> str | None:
    """Write the quantities one after the other."""
    between = TABLES["between"].get(to.language)
    parts = [write_quantity(part, to) for part in value.parts]
    texts = [part for part in parts if part]
    feet = value.parts[0].unit == ("length-foot", "long") and to.language == "ar"
    if between is None or len(texts) < len(parts) or feet:  # CLDR lacks the plural of "قدم"
        return None
    *first, last = texts
    inflected = [genitive(text, to) if to.language == "te" else text for text in first]
    return str(between.join([*inflected, last]))
