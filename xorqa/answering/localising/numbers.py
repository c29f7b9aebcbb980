"""Numbers with scale words and units, fractions and ordinals: read in English, written in any.

Imperial measures become metric ones. Fractions are written in the languages of fractions.toml.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from .cldr import decimal, fill, positive, written
from .english_words import ordinal_number, with_digits
from .values import Fraction, Ordinal, Quantity, Range

if TYPE_CHECKING:
    from babel import Locale

UNITS = read_toml(Path(__file__).with_name("units.toml"))
_PLAIN = r"(?:[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}|[0-9]+)(?:\.[0-9]+)?"
_QUANTITY = re.compile(
    rf"(?P<sign>[-−+]?)(?P<number>{_PLAIN})"
    r"(?: ?(?P<scale>thousand|million|billion|trillion)\b)?"
    r" ?(?P<unit>.*)",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"({_PLAIN})( ?[-–—] ?| to )({_PLAIN})")
_CLDR_LARGEST = 14  # zeros of the largest power of ten with a word in CLDR
_LARGEST = 15  # maximum digits of a number used in arithmetic
SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
MYRIADS = {
    "ja": {"兆": 12, "億": 8, "万": 4},
    "ko": {"조": 12, "억": 8, "만": 4},
    "zh": {"万亿": 12, "兆": 12, "亿": 8, "万": 4},
}
"""Languages that write large numbers in steps of ten thousand: units and their powers."""
_BETWEEN_MYRIADS = {"ja": "", "ko": " "}  # Chinese is written by CLDR's patterns
_LAKH = 5  # CLDR's Telugu has hundreds of thousands, which nobody writes
TO = " to "
"""The dash of a range in words."""
_DASHES = {"ja": "〜", "ko": "~"}
_LINKED = {"es", "fr", "it", "pt", "ro"}  # "millions d'années": CLDR lacks the preposition
_JAPANESE_BLANK = re.compile(r"(?<=[ぁ-鿿]) | (?=[ぁ-鿿])")  # in CLDR, but in few texts

PERCENT = "concentr-percent"
_WITHOUT_LONG = {("ar", "duration-week")}  # Babel writes the plural after every number

_IMPERIAL = re.compile(
    r"(\d[\d,]*(?:\.\d+)?) (square miles?|miles?(?: per hour)?|yards?|foot|feet|inch(?:es)?|"
    r"pounds?|acres?)",
    re.ASCII,
)
_FORMS: dict[str, Any] = read_toml(Path(__file__).with_name("fractions.toml"))
_FRACTION = re.compile(r"(an?|[a-z]+)[ -]([a-z]+)", re.ASCII)
_HALVES = ("half", "a half", "one half", "one-half")
_UNITS_OF_TIME = ("second",)
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


def read_english(text: str) -> Quantity | Range | None:
    """Read a number ("1896", "11,680", "1.5 million"), a quantity ("23%", "5 km") or a range."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        return None
    sign, plain, scale, unit = match.group("sign", "number", "scale", "unit")
    if not scale and not unit:
        return Quantity(sign, plain)
    if between := _RANGE.fullmatch(text):
        return Range(*between.groups())
    known = _unit(unit)
    if unit and known is None:
        return None
    return Quantity(sign, plain, SCALES[scale.lower()] if scale else None, known)


def write_range(value: Range, to: Locale) -> str:
    """Write both numbers with the original dash, or the language's for " to "."""
    dash = dash_of(to) if value.dash == TO else value.dash
    return written(decimal(value.low, to) + dash + decimal(value.high, to), to)


def dash_of(to: Locale) -> str:
    """What the language has between the ends of a range."""
    return _DASHES.get(to.language, "–")


def write_quantity(value: Quantity, to: Locale, plural: Plural = as_counted) -> str | None:
    """Write a number with its scale and unit; None if CLDR has no pattern for them."""
    number = number_text(value, to, plural)
    text = number and with_unit(number, value, to, plural)
    return written(text, to) if text else None


def number_text(value: Quantity, to: Locale, plural: Plural = as_counted) -> str | None:
    """A quantity's number and scale, in ASCII digits."""
    sign, plain, power, _ = value
    if power is None:
        return sign + decimal(plain, to)
    return None if len(plain) > _LARGEST else sign + compact(value.size, to, plural)


def with_unit(number: str, value: Quantity, to: Locale, plural: Plural = as_counted) -> str | None:
    """`number` before or after the unit of `value`; None if CLDR has no pattern for the unit."""
    _, plain, power, unit = value
    if unit is None:
        return number
    if len(plain) > _LARGEST or (power is not None and to.language in _LINKED):
        return None
    return measure(before_noun(number, to), plural(value.value, to), unit, to)


def compact(value: Decimal, to: Locale, plural: Plural = as_counted) -> str:
    """Write a large positive number with scale words: "1,5 миллиона", "15 লাখ", "13億8600万"."""
    whole = value == value.to_integral_value()
    if to.language in _BETWEEN_MYRIADS and whole:
        rest, parts = int(value), []
        for unit, power in {**MYRIADS[to.language], "": 0}.items():
            units, rest = divmod(rest, 10**power)
            parts += [f"{units}{unit}"] if units else []
        return _BETWEEN_MYRIADS[to.language].join(parts) or "0"
    if to.language == "te" and value.adjusted() == _LAKH:
        count = value.scaleb(-_LAKH).normalize()
        return f"{decimal(format(count, 'f'), to)} {'లక్ష' if count == 1 else 'లక్షలు'}"
    styles = to.compact_decimal_formats
    forms = styles["long"] if "long" in styles else styles["short"]
    magnitude = "1" + "0" * min(value.adjusted(), _CLDR_LARGEST)
    pattern = _pattern(forms, "other", magnitude)
    zeros = positive(pattern).count("0")
    if not re.search(r"[^0\W]", pattern):  # "0": the language has no word for this scale
        return decimal(format(value, "f"), to)
    count = value.scaleb(zeros - len(magnitude)).normalize()
    pattern = _pattern(forms, to.plural_form(plural(count, to)), magnitude) or pattern
    number = fill(pattern, decimal(format(count, "f"), to))
    if to.language == "ar" and re.match(r"(?:[3-9]|10) ", number):
        return re.sub("(مليار)$", r"\1ات", number)  # CLDR's Arabic lacks this plural
    return number


def _pattern(forms: object, plural: str, magnitude: str) -> str:
    """One compact pattern, or "" if the locale has none."""
    try:
        return str(forms[plural][magnitude].pattern)  # type: ignore[index]
    except KeyError:
        return ""


def measure(formatted: str, value: Decimal, unit: tuple[str, str], to: Locale) -> str | None:
    """The CLDR unit pattern for `value`, with `formatted` in place of the number."""
    from babel.numbers import format_decimal
    from babel.units import format_unit

    name, preferred = unit
    if (to.language, name) in _WITHOUT_LONG:
        preferred = "short"
    for length in dict.fromkeys((preferred, "short")):
        if (name, length) == (PERCENT, "short"):
            return fill(to.percent_formats[None].pattern, formatted)
        text = format_unit(value, name, length, locale=to)
        if name not in text:  # Babel writes the bare name if the locale has no pattern
            text = text.replace(format_decimal(value, locale=to), formatted, 1)
            if to.language == "bn":  # CLDR's Bengali lacks the blank
                return re.sub("(?<=[0-9])(?=শতাংশ)", " ", text)
            return _JAPANESE_BLANK.sub("", text) if to.language == "ja" else text
    return None


def _unit(text: str) -> tuple[str, str] | None:
    """The CLDR unit and the length ("short" for a symbol) of an English unit."""
    if text in UNITS["symbols"]:
        return UNITS["symbols"][text], "short"
    words: dict[str, str] = UNITS["words"]
    word = text.lower().replace("metre", "meter").replace("per cent", "percent")
    first, _, rest = word.partition(" ")
    singular = (word, f"{first.removesuffix('s')} {rest}".rstrip(), word.removesuffix("s"))
    return next(((words[form], "long") for form in singular if form in words), None)


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


def read_english_fraction(text: str) -> Fraction | None:
    """Read "two thirds", "a quarter" or "half"; not "third", which is an ordinal."""
    if text in _HALVES:
        return Fraction(1, 2)
    if not (match := _FRACTION.fullmatch(text)):
        return None
    word = match[2].removesuffix("s")
    of = 4 if word == "quarter" else ordinal_number(word)
    digits = "1" if match[1] in ("a", "an") else with_digits(match[1])
    count = int(digits) if digits.isdecimal() else 0
    plural = match[2].endswith("s")
    known = of is not None and of > 2 and 0 < count < of and plural == (count > 1)
    return Fraction(count, of or 0) if known else None


def write_fraction(value: Fraction, to: Locale) -> str | None:
    """Write a fraction; None if fractions.toml has no name for it."""
    lang = to.language
    name = _FORMS["names"].get(f"{value.numerator}/{value.denominator}", {}).get(lang)
    if name is not None:
        return written(name, to)
    pattern = _FORMS["fractions"].get(lang)
    return written(pattern.format(value.denominator, value.numerator), to) if pattern else None


def read_english_ordinal(text: str) -> Ordinal | None:
    """Read "third", "3rd" or "twenty-first"; not "second", which is a unit too."""
    bare = text.removeprefix("the ")
    number = ordinal_number(bare) if bare not in _UNITS_OF_TIME else None
    return Ordinal(number) if number else None


def write_ordinal(value: Ordinal, to: Locale) -> str | None:
    """Write an ordinal, in languages in which it has one form in most contexts."""
    names, number = _FORMS["ordinals"].get(to.language, []), value.number
    if number <= len(names):
        return written(names[number - 1], to) if names[number - 1] else None
    pattern = _FORMS["ordinal"].get(to.language)
    return written(pattern.format(number), to) if pattern else None
