"""Times of day: read in English, and written in the languages of clock.toml."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .values import Clock

if TYPE_CHECKING:
    from babel import Locale

_FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("clock.toml"))
_TIME = re.compile(r"(?:at )?(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?", re.ASCII | re.IGNORECASE)
_NAMED = {
    **dict.fromkeys(("noon", "12 noon", "midday"), Clock(12, named=True)),
    **dict.fromkeys(("midnight", "12 midnight"), Clock(0, named=True)),
}


def read_english_time(text: str) -> Clock | None:
    """Read "7:30 pm", "7 a.m." or "noon"; not "7:30", which may be a score or a duration."""
    if text in _NAMED:
        return _NAMED[text]
    match = _TIME.fullmatch(text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    known = 1 <= hour <= 12 and minute < 60
    return Clock(hour % 12 + 12 * (match[3].lower() == "p"), minute) if known else None


def write_time(value: Clock, to: Locale) -> str | None:
    """Write the time with the part of the day, or by 24 hours where that is usual."""
    hour, minute, named = value
    if to.language not in _FORMS["minutes"]:
        return None
    if named:
        return written(_FORMS["midnight" if hour == 0 else "noon"][to.language], to)
    pattern = _FORMS["minutes" if minute else "hours"][to.language]
    part = _part(hour, minute, to)
    text = pattern.format(
        hour=hour, of_twelve=hour % 12 or 12, from_zero=hour % 12, minute=minute, part=part
    )
    return written(text, to)


def _part(hour: int, minute: int, to: Locale) -> str:
    """The part of the day, which clock.toml or CLDR names."""
    from babel.dates import format_time

    if (names := _FORMS["parts"].get(to.language)) is not None:
        return str(names[bisect_right(_FORMS["from"][to.language], hour) - 1])
    return str(format_time(time(hour, minute), "B", locale=to))
