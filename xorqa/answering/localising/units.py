"""Counted things, centuries and imperial measures: what CLDR's number patterns do not have."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from .cldr import decimal, written
from .names import currency_code
from .numbers import SCALES, number

if TYPE_CHECKING:
    from babel import Locale

_COUNTED = re.compile(r"(\d[\d,]*) ([a-z]+)", re.ASCII)
_COUNTERS = {  # singular: Japanese, Korean
    "album": ("枚", "장"),
    "animal": ("匹", "마리"),
    "book": ("冊", "권"),
    "building": ("棟", "채"),
    "car": ("台", "대"),
    "chapter": ("章", "장"),
    "child": ("人", "명"),
    "country": ("か国", "개국"),
    "episode": ("話", "화"),
    "film": ("本", "편"),
    "floor": ("階", "층"),
    "game": ("試合", "경기"),
    "goal": ("ゴール", "골"),
    "island": ("島", "개 섬"),
    "language": ("言語", "개 언어"),
    "member": ("人", "명"),
    "movie": ("本", "편"),
    "page": ("ページ", "쪽"),
    "people": ("人", "명"),
    "person": ("人", "명"),
    "player": ("人", "명"),
    "point": ("点", "점"),
    "season": ("シーズン", "시즌"),
    "song": ("曲", "곡"),
    "state": ("州", "개 주"),
    "storey": ("階", "층"),
    "story": ("階", "층"),
    "student": ("人", "명"),
    "team": ("チーム", "팀"),
    "time": ("回", "번"),
    "volume": ("巻", "권"),
}
_PLURALS = {"children": "child", "countries": "country", "stories": "story"}
_AMOUNT = r"(\d[\d,]*(?:\.\d+)?)(?: (thousand|million|billion|trillion))?"
_MONEY = re.compile(rf"(?:([$£€]){_AMOUNT}|{_AMOUNT} (.+))", re.ASCII)
_SIGNS = {"$": "us dollar", "£": "pound sterling", "€": "euro"}
_CENTURY = re.compile(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)[ -]century", re.ASCII)
_CENTURIES = {
    "bn": "{} শতাব্দী",
    "fi": "{}. vuosisata",
    "ja": "{}世紀",
    "ko": "{}세기",
    "ru": "{} век",
    "te": "{}వ శతాబ్దం",
}
_BENGALI = ("", "ম", "য়", "য়", "র্থ", "ম", "ষ্ঠ", "ম", "ম", "ম", "ম")  # then "শ"
_ROMAN = {10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"}
_METRIC = {  # a word's singular: factor, metric word (NIST Special Publication 811, appendix B)
    "mile": ("1.609344", "kilometers"),
    "yard": ("0.9144", "meters"),
    "foot": ("0.3048", "meters"),
    "inch": ("2.54", "centimeters"),
    "pound": ("0.45359237", "kilograms"),
    "acre": ("0.40468564224", "hectares"),
    "square mile": ("2.589988110336", "square kilometers"),
    "mile per hour": ("1.609344", "kilometers per hour"),
}
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
    word = _COUNTERS.get(_PLURALS.get(noun, noun)) or _COUNTERS.get(noun.removesuffix("s"))
    return decimal(much, to) + word[to.language == "ko"] if word else None


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
    pattern = _CENTURIES.get(to.language)
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
    factor, name = _METRIC.get(single) or _METRIC[single.removesuffix("s")]
    value = Decimal(plain.replace(",", "")) * Decimal(factor)
    digits = len(plain.replace(",", "").replace(".", "").lstrip("0")) or 1
    step = Decimal(1).scaleb(min(max(value.adjusted() - digits + 1, -2), 0))
    rounded = f"{value.quantize(step, rounding=ROUND_HALF_EVEN):,f}"
    return f"{rounded.rstrip('0').rstrip('.') if '.' in rounded else rounded} {name}"


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN.items():
        text += letters * (number // value)
        number %= value
    return text
