"""Numbers, units, money and centuries of languages other than English, by CLDR's patterns.

CLDR has patterns to write them. They are inverted: sample numbers are written in the language by
the writers of this package, and what stands around the number is what is recognised. A text that
two units, scales or currencies would write is ambiguous and not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache
from typing import NamedTuple, TypeVar

from ...core.lang import locale
from ...text.normalize import ascii_digits
from . import numbers, units
from .cldr import decimal, plural_samples
from .names import currency_codes
from .numbers import UNITS
from .values import Century, Counted, Money, Quantity, Range

_Meaning = TypeVar("_Meaning")
Around = tuple[str, str]
"""What stands before and after a number."""

_SPACES = " \u00a0\u202f"
_NUMBER = re.compile(r"\d(?:[\d.,]|[ \u00a0\u202f](?=\d{3}(?!\d)))*(?<=\d)")
_DASH = re.compile(r"\s?[-–—~〜～]\s?")
_PERCENT = "concentr-percent"
_SIGNS = "-−+"
_MYRIADS = {
    "ja": {"兆": 12, "億": 8, "万": 4},
    "ko": {"조": 12, "억": 8, "만": 4},
    "zh": {"万亿": 12, "兆": 12, "亿": 8, "万": 4},
}
_THOUSAND = {"ja": "千", "ko": "천", "zh": "千(?![克米瓦])"}  # not of a kilogram
_LARGEST_SCALE = 14
_MILLION = 6  # the least power that is written with a word
_DAY = {"ja": "日", "ko": "일"}  # "8日": eight days, or the eighth


class _Parts(NamedTuple):
    """A number, and what stands around it without the word of scale."""

    amount: Quantity
    around: Around


def read_number(text: str, lang: str) -> Quantity | Range | None:
    """A number, a number with a unit, or a range."""
    short = _plain(text)
    if between := _range(short, lang):
        return between
    parts = _parts(short, lang)
    if parts is None or parts.around[1] == _DAY.get(lang):
        return None
    if parts.around == ("", ""):
        return parts.amount
    unit = _units(lang).get(parts.around)
    return parts.amount._replace(unit=unit) if unit else None


def read_money(text: str, lang: str) -> Money | None:
    """An amount with the name or the sign of its currency."""
    parts = _parts(_plain(text), lang)
    code = _currencies(lang).get(parts.around) if parts else None
    return Money(parts.amount, code) if parts and code and not parts.amount.sign else None


def read_century(text: str, lang: str) -> Century | None:
    """A century by its number, as `units.write_century` writes it."""
    short = _plain(text).casefold()
    return next((Century(n) for n, name in _centuries(lang).items() if name == short), None)


def read_count(text: str, lang: str) -> Counted | None:
    """A number of things with a measure word."""
    if lang not in units.COUNTING or not (parts := _parts(_plain(text), lang)):
        return None
    before, word = parts.around
    nouns = tuple(noun for noun, row in UNITS["counters"].items() if row[lang] == word)
    simple = not before and parts.amount.power is None and not parts.amount.sign
    return Counted(parts.amount.plain, nouns) if nouns and simple else None


def _plain(text: str) -> str:
    """The text with ASCII digits and signs, without marks of direction."""
    marks = str.maketrans({"\u200e": "", "\u200f": "", "\u061c": "", "٪": "%", "％": "%"})
    return ascii_digits(text).translate(marks | {0x2103: "°C", 0xFF0C: ",", 0xFF0E: "."}).strip()


def _english(digits: str, lang: str) -> str | None:
    """A number of the language as English writes it; None if it is not written so."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    group = get_group_symbol(locale(lang), numbering_system="default")
    point = get_decimal_symbol(locale(lang), numbering_system="default")
    if group == "٬":
        digits, group, point = digits.replace("٬", ",").replace("٫", "."), ",", "."
    groups = (
        f"[{re.escape(group)}{_SPACES}]" if group in _SPACES or point == "," else re.escape(group)
    )
    form = rf"(\d{{1,3}}(?:{groups}\d{{2,3}})*{groups}\d{{3}}|\d+)(?:{re.escape(point)}(\d+))?"
    if not (match := re.fullmatch(form, digits)):
        return None
    whole = re.sub(groups, ",", match[1])
    return f"{whole}.{match[2]}" if match[2] else whole


def _range(text: str, lang: str) -> Range | None:
    parts = [_english(part, lang) for part in _DASH.split(text)]
    if len(parts) != 2 or not all(parts):
        return None
    [dash] = _DASH.findall(text)
    return Range(parts[0] or "", "–" if dash.strip() in "~〜～" else dash, parts[1] or "")


def _parts(text: str, lang: str) -> _Parts | None:
    if lang in _MYRIADS and (parts := _myriads(text, lang)):
        return parts
    found = list(_numbers(text))
    if len(found) != 1:
        return None
    [match] = found
    plain = _english(match[0], lang)
    if plain is None:
        return None
    before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    sign = before[-1:] if before[-1:] in _SIGNS else ""
    around = (before.removesuffix(sign).strip() if sign else before, after)
    power, rest = _scale(around, lang)
    return _Parts(Quantity(sign, plain, power), _folded(rest))


def _numbers(text: str) -> Iterable[re.Match[str]]:
    """Numbers, but for a digit that belongs to a unit ("km2")."""
    arabic = text.replace("٬", ",").replace("٫", ".")
    return (m for m in _NUMBER.finditer(arabic) if not re.search(r"[mм]$", text[: m.start()]))


def _myriads(text: str, lang: str) -> _Parts | None:
    """ "24만 5,000", "13億8600万", "4千万" and what stands around."""
    thousand, powers = _THOUSAND[lang], _MYRIADS[lang]
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
        if power >= least or (plain := _english(digits, lang)) is None:
            return None
        least = power
        total += Decimal(plain.replace(",", "")).scaleb(power + (3 if thousands else 0))
    if total != total.to_integral_value():
        return None
    large = total >= 10**_MILLION
    amount = Quantity("", f"{int(total)}" if large else f"{int(total):,}", 0 if large else None)
    return _Parts(amount, _folded((match[1].strip(), match[6].strip())))


def _scale(around: Around, lang: str) -> tuple[int | None, Around]:
    """The power of a word of scale beside the number, and what stands around both."""
    before, after = around
    for (first, last), power in _scales(lang).items():
        if power is None or not before.endswith(first) or not after.startswith(last):
            continue
        rest = before.removesuffix(first), after.removeprefix(last)
        if (first and rest[0][-1:].isalpha()) or (last and rest[1][:1].isalpha()):
            continue  # only a part of a word
        return power, (rest[0].strip(), rest[1].strip())
    return None, around


@cache
def _scales(lang: str) -> dict[Around, int]:
    """Words of scale around a number, the longest first."""
    to = locale(lang)
    pairs = []
    for power in range(3, _LARGEST_SCALE) if to and lang not in _MYRIADS else ():
        for value in (sample.scaleb(power) for sample in plural_samples(to) if sample):
            text = _plain(numbers.compact(value, to))
            around = _around(text)
            plain = _english(text[len(around[0]) : len(text) - len(around[1])].strip(), lang)
            if plain and any(map(str.isalpha, "".join(around))):
                pairs.append((around, (value / Decimal(plain.replace(",", ""))).adjusted()))
    index = _unambiguous(pairs)
    return dict(sorted(index.items(), key=lambda row: -len("".join(row[0]))))


@cache
def _units(lang: str) -> dict[Around, tuple[str, str]]:
    """What CLDR writes around a number, and symbols, to units and lengths of pattern."""
    to = locale(lang)
    if to is None:
        return {}
    known = dict.fromkeys([*UNITS["words"].values(), *UNITS["symbols"].values()])
    pairs = []
    counts = plural_samples(to)
    for length in ("long", "short"):
        for unit in known:
            texts = [numbers.measure(decimal(str(n), to), n, (unit, length), to) for n in counts]
            pairs += [(_around(_plain(text)), (unit, length)) for text in texts if text]
    index = _unambiguous(pairs, same=lambda unit: unit[0])
    for symbol, unit in UNITS["symbols"].items():
        index.setdefault(("", symbol), (unit, "short"))
    index |= dict.fromkeys((("", "%"), ("%", "")), (_PERCENT, "short"))
    index.pop(("", ""), None)
    return index


@cache
def _currencies(lang: str) -> dict[Around, str]:
    """The names and signs of currencies beside an amount."""
    pairs = [
        (around, code)
        for name, code in currency_codes(lang)
        for around in (("", " ".join(name.split())), (" ".join(name.split()), ""))
    ]
    return _unambiguous(pairs)


@cache
def _centuries(lang: str) -> dict[int, str]:
    """The language's names of centuries in small letters, by number."""
    to = locale(lang)
    every = range(1, units.LAST_CENTURY + 1)
    names = {n: units.write_century(Century(n), to) for n in every} if to else {}
    return {n: _plain(name).casefold() for n, name in names.items() if name}


def _around(text: str) -> Around:
    """What stands before and after the one number of a text; nothing without one."""
    found = list(_numbers(text))
    if len(found) != 1:
        return "", ""
    return _folded((text[: found[0].start()], text[found[0].end() :]))


def _folded(around: Around) -> Around:
    before, after = (" ".join(part.split()) for part in around)
    return before, after


def _unambiguous(
    pairs: Iterable[tuple[Around, _Meaning]],
    same: Callable[[_Meaning], object] = lambda meaning: meaning,
) -> dict[Around, _Meaning]:
    """The index of texts with one meaning; of equal ones the first stands."""
    index: dict[Around, _Meaning] = {}
    ambiguous = set()
    for around, meaning in pairs:
        if same(index.setdefault(around, meaning)) != same(meaning):
            ambiguous.add(around)
    return {around: meaning for around, meaning in index.items() if around not in ambiguous}
