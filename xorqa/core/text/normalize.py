"""Normal forms for comparing texts, shared by several packages; scorers add their own rules."""

import unicodedata
from functools import cache
from importlib import import_module
from typing import Any


def fold(text: str) -> str:
    """The text without differences of case, width, composition and invisible characters.

    Unicode's NFKC, case folded; soft hyphens, joiners and direction marks are dropped.
    """
    visible = _format_characters().sub("", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFKC", visible.casefold())


def strip_accents(text: str) -> str:
    """The text decomposed (NFKD), without combining marks."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def ascii_digits(text: str) -> str:
    """The text with ASCII digits for the decimal digits of every script."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


@cache
def _format_characters() -> Any:
    return import_module("regex").compile(r"\p{Cf}")
