"""Nouns after numbers, in the form that the number asks for (nouns.toml)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import written
from .inflection import Plural, as_counted, before_noun
from .numbers import number_text
from .values import Quantity

if TYPE_CHECKING:
    from babel import Locale

NOUNS: dict[str, Any] = read_toml(Path(__file__).with_name("nouns.toml"))


def short_currencies(lang: str) -> list[tuple[str, str]]:
    """The (name, code) pairs of currencies without their country, in all forms."""
    rows = ((row.get(lang, []), code) for code, row in NOUNS["currencies"].items())
    return [
        (name, code)
        for forms, code in rows
        for name in ([forms] if isinstance(forms, str) else forms)
        if name
    ]


def with_noun(
    amount: Quantity, forms: Sequence[str], to: Locale, plural: Plural = as_counted
) -> str | None:
    """The number and the noun; `forms` are the language's in nouns.toml."""
    parts = noun_parts(amount, forms, to, plural)
    if parts is None:
        return None
    joined = to.language in ("ja", "ko") and not (to.language == "ko" and amount.power is not None)
    return written(("" if joined or not parts[0] else " ").join(parts), to)


def noun_parts(
    amount: Quantity, forms: Sequence[str], to: Locale, plural: Plural = as_counted
) -> tuple[str, str] | None:
    """The number, with its classifier in Bengali, and the noun; None if no form is known."""
    number = number_text(amount, to, plural)
    if number is None:
        return None
    lang = to.language
    if lang == "ar":
        return _arabic(amount, number, forms, to, plural)
    if lang == "bn":
        return number + _classifier(amount, forms[0]), forms[1]
    if lang in ("fi", "te"):
        noun = forms[0] if amount.power is None and amount.value == 1 else forms[1]
        return before_noun(number, to, noun=noun), noun
    if lang == "ru":
        return number, _russian(amount, forms, plural(amount.value, to), to)
    return number, str(forms)


def _classifier(amount: Quantity, classifier: str) -> str:
    """What a Bengali number takes before a noun; large numbers in words take nothing."""
    if amount.power is not None or not classifier:
        return ""
    return f" {classifier}" if classifier == "জন" else classifier


def _russian(amount: Quantity, forms: Sequence[str], value: Decimal, to: Locale) -> str:
    if amount.power is not None:
        return forms[2]
    return forms[{"one": 0, "many": 2}.get(to.plural_form(value), 1)]


def _arabic(
    amount: Quantity, number: str, forms: Sequence[str], to: Locale, plural: Plural
) -> tuple[str, str] | None:
    """One has its number after the noun, and two is an ending, so that only citations have it."""
    if amount.power is not None:
        return number, forms[3]
    if amount.value == 2:
        return ("", forms[0]) if plural is as_counted else None
    if amount.value in (0, 1):
        return None
    return number, forms[{"few": 1, "many": 2}.get(to.plural_form(amount.value), 3)]
