"""Parse numbers, units, money, counted nouns and periods in languages other than English.

Digits are converted to English notation. The words around them are found by inverted CLDR patterns:
the writers of this package write sample numbers in a language, and the text around the number
becomes a key of the index. Keys with two meanings are ambiguous and left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import cache
from typing import NamedTuple, TypeVar

from ...core.lang import locale
from ...core.text.normalize import ascii_digits
from . import numbers
from .amounts import BOUNDS, COUNTING, TABLES, measure_words, short_currencies
from .cldr import decimal, plural_samples
from .names import currency_codes
from .numbers import MYRIADS, PERCENT, UNITS
from .periods import FORMS, LAST_CENTURY, is_year, other_centuries, write_century, write_decade
from .values import Bounded, Century, Counted, Decade, EraYear, Money, Quantity, Range

_DASH = re.compile(r"\s?[-–—~〜～]\s?")
_SIGNS = "-−+"
_THOUSAND = {"ja": "千", "ko": "천", "zh": "千(?![克米瓦])"}  # not in units such as 千克
_MILLION = 6  # the smallest power of ten with a scale word
_DAY = {"ja": "日", "ko": "일"}  # "8日": eight days, or the eighth

_Meaning = TypeVar("_Meaning")
_INCLUSIVE = ("ja", "ko")  # 300以上 has 300
_LARGEST_SCALE = 14
Around = tuple[str, str]
"""What stands before and after a number."""
_SPACES = " \u00a0\u202f"
_NUMBER = re.compile(r"\d(?:[\d.,]|[ \u00a0\u202f](?=\d{3}(?!\d)))*(?<=\d)")


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
    term = rf"(\d[\d,]*(?:\.\d+)?)\s?({thousand})?\s?({unit})?\s?"
    match = re.fullmatch(rf"(\D*?)((?:{term})+)(.*)", text)
    if (
        match is None
        or not re.search(rf"{thousand}|{unit}", match[2])
        or re.search(r"\d", match[6])
    ):
        return None
    total, least = Decimal(0), 16
    for digits, thousands, name in re.findall(term, match[2]):
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
    index |= dict.fromkeys((("", "%"), ("%", "")), (PERCENT, "short"))
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


def plain_text(text: str) -> str:
    """The text with ASCII digits and signs, without marks of direction."""
    marks = str.maketrans({"\u200e": "", "\u200f": "", "\u061c": "", "٪": "%", "％": "%"})
    return ascii_digits(text).translate(marks | {0x2103: "°C", 0xFF0C: ",", 0xFF0E: "."}).strip()


def english_digits(digits: str, lang: str) -> str | None:
    """A number of the language in English notation; None if it does not follow the language's."""
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


def find_numbers(text: str) -> Iterable[re.Match[str]]:
    """The numbers in a text, except digits that belong to a unit ("km2")."""
    arabic = text.replace("٬", ",").replace("٫", ".")
    return (m for m in _NUMBER.finditer(arabic) if not re.search(r"[mм]$", text[: m.start()]))


def around_number(text: str) -> Around:
    """The text before and after its only number; empty unless it has exactly one."""
    numbers = list(find_numbers(text))
    if len(numbers) != 1:
        return "", ""
    return folded((text[: numbers[0].start()], text[numbers[0].end() :]))


def folded(around: Around) -> Around:
    """Both sides with single spaces."""
    before, after = (" ".join(part.split()) for part in around)
    return before, after


def read_century(text: str, lang: str) -> Century | None:
    """Parse a century as `periods.write_century` writes it."""
    return centuries(lang).get(plain_text(text).casefold().rstrip("."))


def read_decade(text: str, lang: str) -> Decade | None:
    """Parse a decade as `periods.write_decade` writes it."""
    return decades(lang).get(plain_text(text).casefold())


def read_circa_year(text: str, lang: str) -> EraYear | None:
    """Parse "um 1850", "1850年頃" and the like, by the forms of a year in periods.toml."""
    forms = [FORMS["circa"].get(lang, ""), *FORMS["other circa"].get(lang, [])]
    years = "|".join(re.escape(form).replace(r"\{\}", r"(\d{4})") for form in forms if form)
    match = re.fullmatch(years, plain_text(text), re.IGNORECASE)
    year = next(filter(None, match.groups()), "") if match and years else ""
    return EraYear(year, circa=True) if is_year(year) else None


def read_bounded(text: str, lang: str) -> Bounded | None:
    """Parse "noin 5 km", "約300万" and the like, where the amount is not inflected."""
    text = plain_text(text)
    for bound in BOUNDS:
        pattern = TABLES[bound].get(lang)
        if pattern is None or bound in TABLES["genitive"].get(lang, ()):
            continue
        before, after = pattern.split("{}")
        if text.casefold().startswith(before) and text.endswith(after):
            rest = text[len(before) : len(text) - len(after)]
            number = read_number(rest, lang)
            amount = number if isinstance(number, Quantity) else None
            known = amount or read_count(rest, lang) or read_money(rest, lang)
            if known and not is_year(rest):
                inclusive = bound == "over" and lang in _INCLUSIVE
                return Bounded("at least" if inclusive else bound, known)
    return None


def read_bc_year(text: str, lang: str) -> EraYear | None:
    """Parse a year before Christ as `periods.write_era_year` writes it."""
    if (pattern := FORMS["bc"].get(lang)) is None:
        return None
    before, after = (re.escape(part) for part in pattern.rstrip(".").split("{}"))
    match = re.fullmatch(rf"{before}(\d(?:[\d.,\s]*\d)?){after}", plain_text(text).rstrip("."))
    plain = english_digits(match[1], lang) if match else None
    return EraYear(plain, bc=True) if plain and "." not in plain else None
