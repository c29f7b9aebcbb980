"""Forms of numbers and amounts that other words ask for."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

Plural = Callable[[Decimal, "Locale"], Decimal]
"""From a number to one that has the plural form to use."""
_VOWEL_SIGN = re.compile("[\u09be-\u09cc]$")
_CONSONANT = re.compile("[\u0995-\u09b9\u09bc\u09dc-\u09df]$")


def as_counted(value: Decimal, to: Locale) -> Decimal:
    """The number whose plural form is used: the value itself."""
    return value


def after_words(value: Decimal, to: Locale) -> Decimal:
    """The value itself, after other words: Arabic then has no dual without a number."""
    return value


def in_genitive(value: Decimal, to: Locale) -> Decimal:
    """A number whose plural form is that of the genitive in Russian: "2 километра"."""
    if to.language != "ru":
        return value
    return Decimal({"one": 2, "few": 5, "many": 5}.get(to.plural_form(value), "1.5"))


def before_noun(number: str, to: Locale, noun: str = "") -> str:
    """A Telugu number as it stands before a noun: "మిలియన్ల మంది", "మిలియన్ డాలర్లు"."""
    if to.language != "te":
        return number
    form = "ల" if noun.startswith("మంది") else ""
    return re.sub("(వే|లక్ష)లు$", r"\1ల", re.sub("(?<=లియన్)లు$", form, number))


def genitive(text: str, to: Locale) -> str:
    """A Bengali or Telugu amount in the genitive; other languages' stays unchanged."""
    if to.language == "te":
        return re.sub("లు$", "ల", text)
    if to.language != "bn":
        return text
    if _VOWEL_SIGN.search(text):
        return f"{text}র"
    return f"{text}ের" if _CONSONANT.search(text) else f"{text}-এর"
