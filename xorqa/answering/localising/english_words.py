"""English number words: "twenty-five" and "half a million" with digits, "twentieth" as 20."""

from __future__ import annotations

import re
from decimal import Decimal

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BELOW_HUNDRED = {word: number for number, word in enumerate(_ONES)} | {
    f"{tens}{f'-{ones}' if ones else ''}": 10 * tens_digit + digit
    for tens_digit, tens in enumerate(_TENS, 2)
    for digit, ones in enumerate(("", *_ONES[1:10]))
}
"""The cardinals from "zero" to "ninety-nine"."""
_IRREGULAR = {
    **{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth"},
    **{"nine": "ninth", "twelve": "twelfth"},
}
_SCALES = ("thousand", "million", "billion", "trillion")


def _ordinal(cardinal: str) -> str:
    head, dash, last = cardinal.rpartition("-")
    regular = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return head + dash + _IRREGULAR.get(last, regular)


_ORDINALS = {_ordinal(word): number for word, number in _BELOW_HUNDRED.items() if number}
_FEW = 10  # thousands, which are written in digits: 2,000
_HALF_OR_DOZEN = re.compile(
    r"half an? (?P<half>dozen|thousand|million|billion|trillion)|(?P<dozens>[a-z-]+) dozen"
    r"|(?P<whole>[a-z-]+) and a half(?: (?P<scale>thousand|million|billion|trillion))?"
)
_FIGURES = re.compile(r"(\d{1,3})(st|nd|rd|th)", re.ASCII)


def ordinal_number(text: str) -> int | None:
    """The number of an English ordinal: "3rd", "twenty-first"."""
    if match := _FIGURES.fullmatch(text):
        number = int(match[1])
        return number if number and match[2] == ordinal_ending(number) else None
    return _ORDINALS.get(text)


def ordinal_ending(number: int) -> str:
    """What English writes after the digits of an ordinal: "st", "nd", "rd" or "th"."""
    teens = number % 100 // 10 == 1
    return {1: "st", 2: "nd", 3: "rd"}.get(0 if teens else number % 10, "th")


_INDIAN = re.compile(r"(\d[\d,]*(?:\.\d+)?) (lakh|crore)s?\b")
_IN_ONES = {"lakh": 100_000, "crore": 10_000_000}


def without_indian_units(text: str) -> str:
    """The text with lakhs and crores in ones: "2.5 crore" becomes "25,000,000"."""
    return _INDIAN.sub(_in_ones, text)


def _in_ones(match: re.Match[str]) -> str:
    number = Decimal(match[1].replace(",", "")) * _IN_ONES[match[2]]
    return f"{int(number):,}" if number == int(number) else match[0]


def with_digits(text: str) -> str:
    """A text that begins with a number in words, with digits: "three years" becomes "3 years".

    Other texts stay unchanged, and so do capitalised words, which may be a name ("Three Mile
    Island"), except the first word of several ("Twenty-five years").
    """
    lower = text[:1].lower() + text[1:]
    several = re.search(r"[ -]", text)
    if not lower[:1].isalpha() or lower != lower.lower() or (text != lower and not several):
        return text
    words = lower.split(" ")
    for end in range(len(words), 0, -1):
        if number := _figures(" ".join(words[:end]), " ".join(words[end:])):
            part = words[end : end + 1] and words[end] in _BELOW_HUNDRED  # "nineteen eighty"
            return text if part else " ".join([number, *words[end:]])
    return text


def _figures(words: str, after: str) -> str | None:
    """Digits for words that are a number as a whole, perhaps with a scale word; else None."""
    if match := _HALF_OR_DOZEN.fullmatch(words):
        return _half_or_dozen(match, after)
    head, _, scale = words.rpartition(" ")
    if scale in _SCALES:
        number = 1 if head == "a" else _below_thousand(head)
        if not number:
            return None
        as_digits = scale == "thousand" and number < _FEW
        return f"{1000 * number:,}" if as_digits else f"{number} {scale}"
    cardinal = _cardinal(words)
    return None if cardinal is None else f"{cardinal:,}"


def _half_or_dozen(match: re.Match[str], after: str) -> str | None:
    """Digits for halves ("half a million", "two and a half") and dozens."""
    half, dozens, whole, scale = match.group("half", "dozens", "whole", "scale")
    if half:
        return "6" if half == "dozen" else f"0.5 {half}"
    number = _BELOW_HUNDRED.get("one" if dozens == "a" else dozens or whole)
    if not number or (whole and not scale and not after):
        return None
    return str(12 * number) if dozens else f"{number}.5{f' {scale}' if scale else ''}"


def _cardinal(words: str) -> int | None:
    """A cardinal below a million: "two thousand five hundred and six"."""
    thousands, scale, rest = words.partition(" thousand")
    if not scale:
        return _below_thousand(words)
    rest = rest.removeprefix(" and").removeprefix(",").strip()
    high = 1 if thousands == "a" else _below_thousand(thousands)
    low = _below_thousand(rest) if rest else 0
    return 1000 * high + low if high and low is not None else None


def _below_thousand(words: str) -> int | None:
    head, hundred, rest = words.partition(" hundred")
    if not hundred:
        return _BELOW_HUNDRED.get(words, _BELOW_HUNDRED.get(words.replace(" ", "-")))
    hundreds = 1 if head == "a" else _BELOW_HUNDRED.get(head, 0)
    rest = rest.removeprefix(" and").strip()
    low = _BELOW_HUNDRED.get(rest.replace(" ", "-")) if rest else 0
    return 100 * hundreds + low if 0 < hundreds < 20 and low is not None else None
