"""Find numbers in texts of any language and convert them to English notation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...core.lang import locale
from ...core.text.normalize import ascii_digits

Around = tuple[str, str]
"""What stands before and after a number."""

_SPACES = " \u00a0\u202f"
_NUMBER = re.compile(r"\d(?:[\d.,]|[ \u00a0\u202f](?=\d{3}(?!\d)))*(?<=\d)")


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
