"""Inverted CLDR patterns around numbers: scales, units, currencies and centuries.

The writers of this package write sample numbers in a language; the text around the number becomes
a key of the index. Keys with two meanings are ambiguous and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache
from typing import TypeVar

from ...core.lang import locale
from . import numbers
from .centuries import LAST_CENTURY, other_centuries, write_century, write_decade
from .cldr import decimal, plural_samples
from .names import currency_codes
from .nouns import short_currencies
from .numbers import UNITS
from .source_digits import Around, around_number, english_digits, plain_text
from .values import Century, Decade

_Meaning = TypeVar("_Meaning")
_PERCENT = "concentr-percent"
_LARGEST_SCALE = 14
MYRIADS = {
    "ja": {"兆": 12, "億": 8, "万": 4},
    "ko": {"조": 12, "억": 8, "만": 4},
    "zh": {"万亿": 12, "兆": 12, "亿": 8, "万": 4},
}
"""Languages that write large numbers in steps of ten thousand: units and their powers."""


@cache
def scales(lang: str) -> dict[Around, int]:
    """The scale words around a number, longest first."""
    to = locale(lang)
    pairs = []
    for power in range(3, _LARGEST_SCALE) if to and lang not in MYRIADS else ():
        for value in (sample.scaleb(power) for sample in plural_samples(to) if sample):
            text = plain_text(numbers.compact(value, to))
            around = around_number(text)
            plain = english_digits(text[len(around[0]) : len(text) - len(around[1])].strip(), lang)
            if plain and any(map(str.isalpha, "".join(around))):
                pairs.append((around, (value / Decimal(plain.replace(",", ""))).adjusted()))
    index = _unambiguous(pairs)
    return dict(sorted(index.items(), key=lambda row: -len("".join(row[0]))))


@cache
def units_around(lang: str) -> dict[Around, tuple[str, str]]:
    """CLDR's texts and symbols around a number, to units and pattern lengths."""
    to = locale(lang)
    if to is None:
        return {}
    known = dict.fromkeys([*UNITS["words"].values(), *UNITS["symbols"].values()])
    pairs = []
    counts = plural_samples(to)
    for length in ("long", "short"):
        for unit in known:
            texts = [numbers.measure(decimal(str(n), to), n, (unit, length), to) for n in counts]
            pairs += [(around_number(plain_text(text)), (unit, length)) for text in texts if text]
    index = _unambiguous(pairs, same=lambda unit: unit[0])
    for symbol, unit in UNITS["symbols"].items():
        index.setdefault(("", symbol), (unit, "short"))
    index |= dict.fromkeys((("", "%"), ("%", "")), (_PERCENT, "short"))
    index.pop(("", ""), None)
    return index


@cache
def currencies(lang: str) -> dict[Around, str]:
    """The names and signs of currencies next to an amount."""
    pairs = [
        (around, code)
        for name, code in (*currency_codes(lang), *short_currencies(lang))
        for around in (("", " ".join(name.split())), (" ".join(name.split()), ""))
    ]
    return _unambiguous(pairs)


@cache
def centuries(lang: str) -> dict[str, Century]:
    """The language's names of centuries, lower-cased."""
    to = locale(lang)
    if to is None:
        return {}
    every = [Century(n, bc) for n in range(1, LAST_CENTURY + 1) for bc in (False, True)]
    names = {name: century for century in every if (name := write_century(century, to))}
    others = {name: Century(number) for name, number in other_centuries(to).items()}
    both = (others | names).items()
    return {plain_text(name).casefold().rstrip("."): value for name, value in both}


@cache
def decades(lang: str) -> dict[str, Decade]:
    """The language's names of decades, lower-cased."""
    to = locale(lang)
    every = [Decade(year) for year in range(1000, 2100, 10) if year % 100] if to else []
    names = {name: decade for decade in every if to and (name := write_decade(decade, to))}
    return {plain_text(name).casefold(): value for name, value in names.items()}


def _unambiguous(
    pairs: Iterable[tuple[Around, _Meaning]],
    same: Callable[[_Meaning], object] = lambda meaning: meaning,
) -> dict[Around, _Meaning]:
    """An index of the texts with one meaning; of equal meanings the first is kept."""
    index: dict[Around, _Meaning] = {}
    ambiguous = set()
    for around, meaning in pairs:
        if same(index.setdefault(around, meaning)) != same(meaning):
            ambiguous.add(around)
    return {around: meaning for around, meaning in index.items() if around not in ambiguous}
