"""Counted nouns, money, ranges and bounds: read in English, and written by the tables.

They are "22 episodes" (nouns.toml), "at least $5", "about 5 km", "more than 3 million people",
"2 to 3 weeks" and "2 hours 30 minutes" (amounts.toml).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import decimal, written
from .english_words import with_digits
from .names import currency_code
from .numbers import (
    SCALES,
    Plural,
    after_words,
    as_counted,
    before_noun,
    dash_of,
    genitive,
    in_genitive,
    number_text,
    read_english,
    write_quantity,
)
from .periods import FIRST_YEAR, LAST_YEAR
from .values import Bound, Bounded, Compound, Counted, Money, Quantity, Spread

if TYPE_CHECKING:
    from babel import Locale

Amount = Quantity | Counted | Money
TABLES: Mapping[str, Any] = read_toml(Path(__file__).with_name("amounts.toml"))
BOUNDS: tuple[Bound, ...] = ("about", "nearly", "over", "at least", "under", "up to")
_BOUNDS = {word: bound for bound, words in TABLES["words"].items() for word in words}
_BOUNDED = re.compile(
    f"({'|'.join(sorted(map(re.escape, _BOUNDS), key=len, reverse=True))}) (.+)", re.IGNORECASE
)
_AGO = " ago"
_WORDS_INSIDE = ("bn", "te")
"""The languages in which the words stand between number and noun: "more than 5 (people)"."""

_AMOUNT = r"(\d[\d,]*(?:\.\d+)?)"
_SIGNED = re.compile(
    rf"(US ?\$|\$|£|€|USD|GBP|EUR) ?{_AMOUNT}(?: ?(thousand|million|billion|trillion|bn|tn)"
    r"|([kmbKMBT]))?",
    re.ASCII,
)
_NAMED = re.compile(rf"{_AMOUNT}(?: (thousand|million|billion|trillion))? (.+)", re.ASCII)
_SIGNS = {"$": "USD", "US$": "USD", "£": "GBP", "€": "EUR"}
_CODES = ("USD", "GBP", "EUR")
_NAMES = {"dollar": "USD", "euro": "EUR", "yen": "JPY"}
_LETTERS = {"k": "thousand", "m": "million", "b": "billion", "t": "trillion"}
_PLAIN = r"\d[\d,]*(?:\.\d+)?"
_SPREAD = re.compile(rf"(?:between |from )?({_PLAIN})(?: to | and | ?[-–] ?)({_PLAIN} [^\d]+)")
_COMPOUND = re.compile(r"(\d[\d,]* ?[a-z]+),? (?:and )?(\d[\d,]* ?[a-z]+)", re.ASCII)
_SMALLER = {
    "duration-year": ("duration-month", "duration-week", "duration-day"),
    "duration-month": ("duration-week", "duration-day"),
    "duration-week": ("duration-day",),
    "duration-day": ("duration-hour",),
    "duration-hour": ("duration-minute",),
    "duration-minute": ("duration-second",),
    "length-foot": ("length-inch",),
    "length-meter": ("length-centimeter",),
}
_DIGITS = re.compile(r"[\d.,\s]*\d")
_MYRIADS = ("ja", "ko")  # "200万〜300万"; other languages have the word once: "2–3 miljoonaa"


def read_english_bounded(text: str) -> Bounded | None:
    """Read "about 5 km", "more than 3 million people" or "at least $5"; not "around 1450"."""
    if text.endswith(_AGO):
        time = read_english(text.removesuffix(_AGO))
        if isinstance(time, Quantity) and time.unit and time.unit[0].startswith("duration"):
            return Bounded("ago", time)
        return None
    match = _BOUNDED.fullmatch(text)
    rest = with_digits(match[2]) if match else ""
    number = read_english(rest)
    amount: Amount | None = number if isinstance(number, Quantity) else None
    amount = amount or read_english_count(rest) or read_english_money(rest)
    if match is None or amount is None:
        return None
    bare = amount == Quantity("", rest)
    year = bare and len(rest) == 4 and FIRST_YEAR <= int(rest) <= LAST_YEAR
    name = bare and text[:1].isupper()  # "Under 21"
    return None if year or name else Bounded(_BOUNDS[match[1].lower()], amount)


def write_bounded(value: Bounded, to: Locale) -> str | None:
    """Write the amount in the form that the words for its bound need."""
    bound, amount = value
    pattern = TABLES[bound].get(to.language)
    if pattern is None or _is_arabic_dual(amount, to):
        return None
    inflected = bound in TABLES["genitive"].get(to.language, ())
    parts = count_parts(amount, to) if inflected and isinstance(amount, Counted) else None
    if parts and to.language in _WORDS_INSIDE:
        text: str | None = f"{pattern.format(genitive(parts[0], to))} {parts[1]}"
    else:
        plain = write_amount(amount, to, in_genitive if inflected else after_words)
        text = plain and pattern.format(genitive(plain, to) if inflected else plain)
    return written(text, to) if text and any(map(str.isdigit, text)) else None


def write_amount(value: Amount, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write an amount of any kind."""
    if isinstance(value, Counted):
        return write_count(value, to, plural)
    if isinstance(value, Money):
        return write_money(value, to, plural)
    return write_quantity(value, to, plural)


def _is_arabic_dual(amount: Amount, to: Locale) -> bool:
    """One or two of a unit, which Arabic writes without a number and inflects after other words."""
    return (
        to.language == "ar"
        and isinstance(amount, Quantity)
        and amount.unit is not None
        and amount.size in (1, 2)
    )


def read_english_money(text: str) -> Money | None:
    """Read an amount of money: "$5 million", "US$1.2bn", "20 euros"."""
    if match := _SIGNED.fullmatch(text):
        sign, plain, word, letter = match.groups()
        short: str | None = _SIGNS.get(sign.replace(" ", ""), sign)
        code, scale = short, _LETTERS.get((letter or word or "")[:1].lower())
    elif match := _NAMED.fullmatch(text):
        plain, scale, name = match.groups()
        short = name if name in _CODES else _NAMES.get(name.lower().removesuffix("s"))
        code = short or currency_code(name)
    else:
        return None
    amount = read_english(f"{plain} {scale}" if scale else plain)
    return Money(amount, code, bool(short)) if code and isinstance(amount, Quantity) else None


def write_money(value: Money, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write the amount with the name of the currency."""
    from babel.numbers import get_currency_name

    forms = NOUNS["currencies"].get(value.code, {}).get(to.language) if value.short else None
    if forms is not None:
        return with_noun(value.amount, forms, to, plural)
    amount = write_quantity(value.amount, to, plural)
    if amount is None:
        return None
    between = "" if to.language == "ja" else " "
    count = plural(value.amount.value, to)
    return amount + between + written(get_currency_name(value.code, count, to), to)


def read_english_spread(text: str) -> Spread | None:
    """Read "2 to 3 weeks", "10–15 km" or "between 2 and 3 million people"."""
    match = _SPREAD.fullmatch(text)
    if match is None or (" and " in text) != text.startswith("between "):
        return None
    low, amount = match[1], read_english(match[2]) or read_english_count(match[2])
    if not isinstance(amount, Quantity | Counted):
        return None
    high = Decimal(amount.plain.replace(",", ""))
    return Spread(low, amount) if Decimal(low.replace(",", "")) < high else None


def write_spread(value: Spread, to: Locale) -> str | None:
    """Write both numbers before the unit or noun."""
    low, amount = value
    quantity = amount if isinstance(amount, Quantity) else amount.quantity
    ends = [number_text(quantity._replace(plain=plain), to) for plain in (low, quantity.plain)]
    text = write_amount(amount, to, after_words)
    numbers = [match[0] for end in ends if (match := _DIGITS.match(end or ""))]
    if text is None or len(numbers) < len(ends):
        return None
    as_given = numbers == [decimal(plain, to) for plain in (low, quantity.plain)]
    same_scale = as_given or _DIGITS.sub("", ends[0] or "") == _DIGITS.sub("", ends[1] or "")
    once = same_scale and to.language not in _MYRIADS
    first, high = written(numbers[0] if once else ends[0] or "", to), written(numbers[1], to)
    return text.replace(high, first + dash_of(to) + high, 1) if high in text else None


def read_english_compound(text: str) -> Compound | None:
    """Read "2 hours 30 minutes" or "5 ft 10 in"."""
    match = _COMPOUND.fullmatch(text)
    if match is None:
        return None
    first, last = (
        read_english(re.sub(r"^(\S+) in$", r"\1 inches", part)) for part in match.groups()
    )
    if not isinstance(first, Quantity) or not isinstance(last, Quantity):
        return None
    if first.unit is None or last.unit is None or first.power or last.power:
        return None
    parts = tuple(part._replace(unit=(part.unit[0], "long")) for part in (first, last) if part.unit)
    return Compound(parts) if last.unit[0] in _SMALLER.get(first.unit[0], ()) else None


def write_compound(value: Compound, to: Locale) -> str | None:
    """Write the quantities one after the other."""
    between = TABLES["between"].get(to.language)
    parts = [write_quantity(part, to) for part in value.parts]
    texts = [part for part in parts if part]
    feet = value.parts[0].unit == ("length-foot", "long") and to.language == "ar"
    if between is None or len(texts) < len(parts) or feet:  # CLDR lacks the plural of "قدم"
        return None
    *first, last = texts
    inflected = [genitive(text, to) if to.language == "te" else text for text in first]
    return str(between.join([*inflected, last]))


NOUNS: dict[str, Any] = read_toml(Path(__file__).with_name("nouns.toml"))

COUNTING = ("ja", "ko")
"""The languages with one measure word for a noun, in all its forms."""
_ALSO_PLURAL = ("people", "species")
_COUNTED = re.compile(
    r"(\d[\d,]*(?:\.\d+(?= [tmb]))?)(?: (thousand|million|billion|trillion))? ([a-z]+)", re.ASCII
)


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
    if lang == "bn":  # large numbers in words take no classifier
        classifier = forms[0] if amount.power is None else ""
        return number + (f" {classifier}" if classifier == "জন" else classifier), forms[1]
    if lang in ("fi", "te"):
        noun = forms[0] if amount.power is None and amount.value == 1 else forms[1]
        return before_noun(number, to, noun=noun), noun
    if lang == "ru":
        form = {"one": 0, "many": 2}.get(to.plural_form(plural(amount.value, to)), 1)
        return number, forms[form if amount.power is None else 2]
    return number, str(forms)


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


def measure_words(lang: str) -> dict[str, str]:
    """The English nouns with a measure word in Japanese or Korean, to that word."""
    return {noun: row[lang] for noun, row in NOUNS["nouns"].items() if lang in row}


def read_english_count(text: str) -> Counted | None:
    """Read a counted noun: "22 episodes", "3 million people"."""
    if not (match := _COUNTED.fullmatch(text)):
        return None
    plain, scale, noun = match.groups()
    if noun in NOUNS["nouns"] and noun not in _ALSO_PLURAL and (plain != "1" or scale):
        return None  # "2001 season", "1984 film"
    singulars = (NOUNS["plurals"].get(noun, noun), noun.removesuffix("s"))
    known = next((single for single in singulars if single in NOUNS["nouns"]), None)
    if known is None or ("." in plain and not scale):
        return None
    return Counted(plain, (known,), SCALES[scale] if scale else None)


def write_count(value: Counted, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write it with the form of the noun, if all its nouns have the same."""
    forms = _forms(value, to)
    return with_noun(value.quantity, forms, to, plural) if forms is not None else None


def count_parts(value: Counted, to: Locale) -> tuple[str, str] | None:
    """The number as `write_count` writes it, and the noun."""
    forms = _forms(value, to)
    return noun_parts(value.quantity, forms, to) if forms is not None else None


def _forms(value: Counted, to: Locale) -> Any:
    rows = [NOUNS["nouns"][noun].get(to.language) for noun in value.nouns]
    return rows[0] if rows and all(row == rows[0] for row in rows) else None
