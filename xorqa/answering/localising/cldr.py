"""Data of the Unicode CLDR through Babel: digits, names and number patterns."""

from __future__ import annotations

import pickle
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.lang import LANGUAGES

if TYPE_CHECKING:
    from babel import Locale

_MARKS = str.maketrans("", "", "\u200e\u200f\u061c")  # bidi marks, which nobody types


def written(text: str, to: Locale) -> str:
    """`text` with the digits of the language, and without bidirectional marks."""
    digits = "0123456789"
    if to.default_numbering_system != "latn":
        digits = _digits(to)
    else:
        text = text.replace("٪", "%")  # the Arabic sign goes only with Arabic digits
    return text.translate(_MARKS).translate(str.maketrans("0123456789", digits))


_ZEROS = {"arab": "٠", "arabext": "۰", "beng": "০", "deva": "०", "mymr": "၀", "tibt": "༠"}


def _digits(to: Locale) -> str:
    """The digits of a language that does not use the European ones."""
    if to.language in LANGUAGES:
        return LANGUAGES[to.language].digits
    zero = ord(_ZEROS.get(str(to.default_numbering_system), "0"))
    return "".join(map(chr, range(zero, zero + 10)))


@cache
def alone(kind: str, to: Locale) -> dict[int, str]:
    """The stand-alone names of "months" (from 1) or "days" (from 0, Monday).

    They are read from the language's own file, because Babel up to 2.18 writes an inherited
    stand-alone table into data that all languages share (python-babel issue 1234). A language
    without such names uses the names in its dates.
    """
    from babel.localedata import resolve_locale_filename

    path = Path(resolve_locale_filename(to.language))
    own = pickle.loads(path.read_bytes())  # a file of the installed package, not the user's
    names = own.get(kind, {}).get("stand-alone", {}).get("wide", {})
    usual = dict(getattr(to, kind)["format"]["wide"])
    return {**usual, **names} if isinstance(names, dict) else usual


@cache
def plural_samples(to: Locale) -> tuple[Decimal, ...]:
    """A number for each plural form of the language."""
    numbers = [Decimal("1.5"), *map(Decimal, range(101))]
    return tuple({to.plural_form(number): number for number in numbers}.values())


def decimal(number: str, to: Locale) -> str:
    """An English number ("11,680.5", no sign) with the language's separators, ASCII digits.

    Thousands are grouped only if they were; every digit is kept.
    """
    from babel.numbers import get_decimal_symbol, get_group_symbol

    whole, _, fraction = number.partition(".")
    if "," in whole:
        symbol = get_group_symbol(to, numbering_system="default")
        size, further = to.decimal_formats[None].grouping  # of the last group, and of the others
        rest, groups = whole.replace(",", ""), []
        while rest:
            groups.append(rest[-size:])
            rest, size = rest[:-size], further
        whole = symbol.join(reversed(groups))
    point = get_decimal_symbol(to, numbering_system="default")
    return f"{whole}{point}{fraction}" if fraction else whole


def fill(pattern: str, number: str) -> str:
    """A CLDR number pattern ("0 миллиона", "#,##0 %") with its number slot filled."""
    return re.sub(r"[#0][#0,.]*", lambda _: number, positive(pattern), count=1)


def positive(pattern: str) -> str:
    """The part of a number pattern for positive numbers, without quotes."""
    return pattern.partition(";")[0].replace("'", "")
