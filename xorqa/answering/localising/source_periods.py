"""Parse centuries, decades and years before Christ in languages other than English."""

from __future__ import annotations

import re

from .centuries import FORMS
from .source_digits import english_digits, plain_text
from .source_patterns import centuries, decades
from .values import Century, Decade, EraYear


def read_century(text: str, lang: str) -> Century | None:
    """Parse a century as `centuries.write_century` writes it."""
    return centuries(lang).get(plain_text(text).casefold().rstrip("."))


def read_decade(text: str, lang: str) -> Decade | None:
    """Parse a decade as `centuries.write_decade` writes it."""
    return decades(lang).get(plain_text(text).casefold())


def read_bc_year(text: str, lang: str) -> EraYear | None:
    """Parse a year before Christ as `periods.write_era_year` writes it."""
    if (pattern := FORMS["bc"].get(lang)) is None:
        return None
    before, after = (re.escape(part) for part in pattern.rstrip(".").split("{}"))
    match = re.fullmatch(rf"{before}(\d(?:[\d.,\s]*\d)?){after}", plain_text(text).rstrip("."))
    plain = english_digits(match[1], lang) if match else None
    return EraYear(plain, bc=True) if plain and "." not in plain else None
