"""All rules: parse a short text in one language to a value, and write the value in another.

Patterns and names come from the Unicode CLDR (UTS #35). English has its own parsing rules; other
languages are parsed by inverting CLDR's patterns (`source_dates`, `source_numbers`, `names`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...core.lang import locale
from . import amounts, dates, names, nouns, numbers, periods, source_dates, source_numbers
from .cldr import written
from .english_words import with_digits
from .values import (
    Bounded,
    CalendarName,
    Century,
    Clock,
    CodedName,
    Compound,
    Counted,
    Decade,
    EraYear,
    Fraction,
    Money,
    Ordinal,
    PartialDate,
    PartOf,
    Quantity,
    Range,
    Season,
    Spread,
    Value,
    YearSpan,
)

if TYPE_CHECKING:
    from babel import Locale

_LONGEST = 80  # characters; no text that a rule can parse is longer

ENGLISH: tuple[tuple[str, Callable[[str], Value | None]], ...] = (
    ("rule:date", dates.read_english_date),
    ("rule:date", dates.read_english_name),
    ("rule:date", periods.read_english_era_year),
    ("rule:date", periods.read_english_span),
    ("rule:date", periods.read_english_season),
    ("rule:date", periods.read_english_decade),
    ("rule:date", dates.read_english_time),
    ("rule:number", numbers.read_english),
    ("rule:number", amounts.read_english_spread),
    ("rule:number", amounts.read_english_compound),
    ("rule:number", nouns.read_english_count),
    ("rule:money", amounts.read_english_money),
    ("rule:number", amounts.read_english_bounded),
    ("rule:century", periods.read_english_century),
    ("rule:date", periods.read_english_part),
    ("rule:number", numbers.read_english_fraction),
    ("rule:number", numbers.read_english_ordinal),
)
"""`Answer.method` and what reads an English text; the first that can be written is used."""

OTHERS: tuple[tuple[str, Callable[[str, str], Value | None]], ...] = (
    ("rule:date", source_dates.read_date),
    ("rule:date", source_dates.read_name),
    ("rule:number", source_numbers.read_number),
    ("rule:number", source_numbers.read_count),
    ("rule:money", source_numbers.read_money),
    ("rule:century", source_numbers.read_century),
    ("rule:date", source_numbers.read_decade),
    ("rule:date", source_numbers.read_bc_year),
)
"""Likewise for the other languages."""

NAMES: tuple[tuple[str, Callable[[str, str], Value | None]], ...] = (
    ("rule:territory", names.read_territory),
    ("rule:language", names.read_language),
    ("rule:currency", names.read_currency),
    ("rule:city", names.read_city),
)
"""Likewise for the names of all languages."""


def apply_rules(text: str, lang: str, source: str = "en") -> tuple[str, str] | None:
    """A text in language `source` written in `lang`, and the name of the rule; None without one."""
    short = " ".join(text.split()).rstrip(",.;:،。") if len(text) <= _LONGEST else ""
    to = locale(lang)
    if to is None or not short or locale(source) is None:
        return None
    if digits := source_dates.read_iso(short):
        return written(digits, to), "rule:date"
    results = (
        (answer, method) for method, value in read(short, source) if (answer := write(value, to))
    )
    return next(results, None)


def read(text: str, lang: str) -> Iterator[tuple[str, Value]]:
    """The rules that can parse a text in a language, and the resulting values."""
    if lang == "en":
        digits = with_digits(text)
        values = ((method, parse(digits) or parse(text)) for method, parse in ENGLISH)
    else:
        values = ((method, parse_other(text, lang)) for method, parse_other in OTHERS)
    yield from ((method, value) for method, value in values if value is not None)
    for method, parse_name in NAMES:
        if (name := parse_name(text, lang)) is not None:
            yield method, name


_WRITERS: Mapping[type, Callable[[Any, Locale], str | None]] = {
    PartialDate: dates.write_date,
    CalendarName: dates.write_name,
    Quantity: numbers.write_quantity,
    Range: numbers.write_range,
    Spread: amounts.write_spread,
    Compound: amounts.write_compound,
    Bounded: amounts.write_bounded,
    Counted: nouns.write_count,
    Money: amounts.write_money,
    Fraction: numbers.write_fraction,
    Ordinal: numbers.write_ordinal,
    Century: periods.write_century,
    Decade: periods.write_decade,
    EraYear: periods.write_era_year,
    YearSpan: periods.write_span,
    Season: periods.write_season,
    PartOf: periods.write_part,
    Clock: dates.write_time,
    CodedName: names.write,
}


def write(value: Value, to: Locale) -> str | None:
    """Write a value in the language of a locale; None if there is no pattern or name for it."""
    return _WRITERS[type(value)](value, to)
