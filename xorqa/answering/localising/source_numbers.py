"""Parse numbers, units, money and counted nouns in languages other than English."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from .counts import COUNTING, measure_words
from .source_digits import Around, english_digits, find_numbers, folded, plain_text
from .source_patterns import MYRIADS, currencies, scales, units_around
from .values import Counted, Money, Quantity, Range

_DASH = re.compile(r"\s?[-–—~〜～]\s?")
_SIGNS = "-−+"
_THOUSAND = {"ja": "千", "ko": "천", "zh": "千(?![克米瓦])"}  # not in units such as 千克
_MILLION = 6  # the smallest power of ten with a scale word
_DAY = {"ja": "日", "ko": "일"}  # "8日": eight days, or the eighth


class _Parts(NamedTuple):
    """A number, and the text around it without the scale word."""

    amount: Quantity
    around: Around


def read_number(text: str, lang: str) -> Quantity | Range | None:
    """Parse a number, a number with a unit, or a range."""
    short = plain_text(text)
    if between := _range(short, lang):
        return between
    parts = _parts(short, lang)
    if parts is None or parts.around[1] == _DAY.get(lang):
        return None
    if parts.around == ("", ""):
        return parts.amount
    unit = units_around(lang).get(parts.around)
    return parts.amount._replace(unit=unit) if unit else None


def read_money(text: str, lang: str) -> Money | None:
    """Parse an amount with the name or sign of its currency."""
    parts = _parts(plain_text(text), lang)
    code = currencies(lang).get(parts.around) if parts else None
    return Money(parts.amount, code) if parts and code and not parts.amount.sign else None


def read_count(text: str, lang: str) -> Counted | None:
    """Parse a number with a measure word."""
    if lang not in COUNTING or not (parts := _parts(plain_text(text), lang)):
        return None
    before, word = parts.around
    nouns = tuple(noun for noun, measure in measure_words(lang).items() if measure == word)
    simple = not before and not parts.amount.sign
    return Counted(parts.amount.plain, nouns, parts.amount.power) if nouns and simple else None


def _range(text: str, lang: str) -> Range | None:
    parts = [english_digits(part, lang) for part in _DASH.split(text)]
    if len(parts) != 2 or not all(parts):
        return None
    [dash] = _DASH.findall(text)
    return Range(parts[0] or "", "–" if dash.strip() in "~〜～" else dash, parts[1] or "")


def _parts(text: str, lang: str) -> _Parts | None:
    if lang in MYRIADS and (parts := _myriads(text, lang)):
        return parts
    numbers = list(find_numbers(text))
    if len(numbers) != 1:
        return None
    [match] = numbers
    plain = english_digits(match[0], lang)
    if plain is None:
        return None
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    sign = before[-1:] if before[-1:] in _SIGNS else ""
    around = (before.removesuffix(sign).strip() if sign else before, after)
    power, rest = _scale(around, lang)
    return _Parts(Quantity(sign, plain, power), folded(rest))


def _myriads(text: str, lang: str) -> _Parts | None:
    """A number such as "24만 5,000", "13億8600万" or "4千万", and the text around it."""
    thousand, powers = _THOUSAND[lang], MYRIADS[lang]
    unit = "|".join(powers)
    one = rf"(\d[\d,]*(?:\.\d+)?)\s?({thousand})?\s?({unit})?\s?"
    match = re.fullmatch(rf"(\D*?)((?:{one})+)(.*)", text)
    if (
        match is None
        or not re.search(rf"{thousand}|{unit}", match[2])
        or re.search(r"\d", match[6])
    ):
        return None
    total, least = Decimal(0), 16
    for digits, thousands, name in re.findall(one, match[2]):
        power = powers.get(name, 0)
        if power >= least or (plain := english_digits(digits, lang)) is None:
            return None
        least = power
        total += Decimal(plain.replace(",", "")).scaleb(power + (3 if thousands else 0))
    if total != total.to_integral_value():
        return None
    large = total >= 10**_MILLION
    amount = Quantity("", f"{int(total)}" if large else f"{int(total):,}", 0 if large else None)
    return _Parts(amount, folded((match[1].strip(), match[6].strip())))


def _scale(around: Around, lang: str) -> tuple[int | None, Around]:
    """The power of ten of a scale word next to the number, and the text around both."""
    before, after = around
    for (first, last), power in scales(lang).items():
        if power is None or not before.endswith(first) or not after.startswith(last):
            continue
        rest = before.removesuffix(first), after.removeprefix(last)
        if (first and rest[0][-1:].isalpha()) or (last and rest[1][:1].isalpha()):
            continue  # it is only part of a word
        return power, (rest[0].strip(), rest[1].strip())
    return None, around
