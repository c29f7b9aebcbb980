"""Imperial measures, converted to metric ones."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, Decimal

from .numbers import UNITS

_IMPERIAL = re.compile(
    r"(\d[\d,]*(?:\.\d+)?) (square miles?|miles?(?: per hour)?|yards?|foot|feet|inch(?:es)?|"
    r"pounds?|acres?)",
    re.ASCII,
)


def metric(text: str) -> str:
    """Convert an English imperial quantity to metric units; other texts stay unchanged.

    The result has as many significant digits, but is not rounded beyond whole units and has at
    most two decimals: "29,029 feet" becomes "8,848 meters", "5 miles" becomes "8 kilometers".
    """
    match = _IMPERIAL.fullmatch(text)
    if match is None:
        return text
    plain, unit = match.groups()
    single = {"feet": "foot", "inches": "inch"}.get(unit, unit.replace("miles", "mile"))
    conversion = UNITS["metric"].get(single) or UNITS["metric"][single.removesuffix("s")]
    value = Decimal(plain.replace(",", "")) * Decimal(conversion["factor"])
    digits = len(plain.replace(",", "").replace(".", "").lstrip("0")) or 1
    step = Decimal(1).scaleb(min(max(value.adjusted() - digits + 1, -2), 0))
    rounded = f"{value.quantize(step, rounding=ROUND_HALF_EVEN):,f}"
    return f"{rounded.rstrip('0').rstrip('.') if '.' in rounded else rounded} {conversion['unit']}"
