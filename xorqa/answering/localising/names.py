"""Names of territories, languages, currencies and cities, converted through CLDR's codes.

In names with a generic word, such as "Lake Victoria", the word is translated (generics.toml) and
the name transliterated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ...core.config import read_toml
from ...core.lang import cldr_locale, locale
from ..transliteration.name_table import BUNDLED, key, read_titles
from ..transliteration.transliterate import is_name
from .cldr import plural_samples, written
from .values import CodedName

if TYPE_CHECKING:
    from babel import Locale

_NAMES: Mapping[str, Mapping[str, Any]] = read_toml(Path(__file__).with_suffix(".toml"))
_SKIPPED = {"001", "QO", "XA", "XB", "ZZ"}  # the world, remaining areas and test locales
_LONG_CODES = {"arc", "fil", "grc", "haw", "yue"}  # other three-letter codes have rare names
_PARENTHESES = re.compile(r"\s*[(（].*?[)）]")


def read_territory(text: str, lang: str) -> CodedName | None:
    """Read a country, territory or continent."""
    return _coded("territories", text, lang)


def read_language(text: str, lang: str) -> CodedName | None:
    """Read a language ("Russian", "Russian language")."""
    word: str = _NAMES["words"].get(lang, "")
    bare = re.sub(rf" {word}$", "", text, flags=re.IGNORECASE) if word else text
    return _coded("languages", bare, lang)


def read_currency(text: str, lang: str) -> CodedName | None:
    """Read a currency; in English some ("yen") have no capital letter."""
    code = (
        currency_code(text) if lang == "en" else _codes_by_name("currencies", lang).get(key(text))
    )
    return CodedName("currencies", code) if code else None


def currency_code(text: str) -> str | None:
    """The ISO 4217 code for an English name of a currency."""
    plain, known = key(text), _index("currencies")
    return known.get(plain) or known.get(plain.removesuffix("s"))


@cache
def currency_codes(lang: str) -> tuple[tuple[str, str], ...]:
    """The (name or sign, code) pairs of a language's currencies, in all plural forms."""
    from babel.numbers import get_currency_name

    to = locale(lang)
    if to is None:
        return ()
    names = [
        (written(get_currency_name(code, count, to), to), code)
        for code in to.currencies
        for count in plural_samples(to)
    ]
    signs = [(sign, code) for sign, code in _NAMES["signs"].items()]
    return (*names, *_NAMES["other currencies"].get(lang, {}).items(), *signs)


def read_city(text: str, lang: str) -> CodedName | None:
    """Read a city that names a time zone: most capitals and many large cities."""
    return _coded("cities", text, lang)


def write(value: CodedName, to: Locale) -> str | None:
    """The name in the language of `to`."""
    kind, code = value
    if kind == "territories":
        name: str | None = _NAMES["localised"].get(code, {}).get(to.language)
        return name or _name(to.territories, code, to)
    if kind == "cities":
        city = to.time_zones.get(code, {}).get("city")
        if to.language == "en":  # CLDR lists only names that differ from the time zone's
            city = city or code.rpartition("/")[2].replace("_", " ")
        return written(city, to) if city else None
    return _name(to.languages if kind == "languages" else to.currencies, code, to)


def _coded(
    kind: Literal["territories", "languages", "cities"], text: str, lang: str
) -> CodedName | None:
    """Look a name up in the index of its language, with the same capitals."""
    if lang == "en":
        index = _cities() if kind == "cities" else _index(kind)
        is_name = re.sub(r"^the ", "", text, flags=re.IGNORECASE)[:1].isupper()  # not "turkey"
        code = index.get(key(text)) if is_name else None
    else:
        code = _codes_by_name(kind, lang).get(_cased(text))
    return CodedName(kind, code) if code else None


@cache
def _codes_by_name(kind: str, lang: str) -> dict[str, str]:
    """Unambiguous names in a language other than English, with their initial's case, to codes."""
    whole: dict[str, set[str]] = {}
    short: dict[str, set[str]] = {}
    entry = key if kind == "currencies" else _cased
    for code, name in _names_and_codes(kind, lang):
        whole.setdefault(entry(name), set()).add(code)
        short.setdefault(entry(_PARENTHESES.sub("", name)), set()).add(code)
    codes = short | whole
    return {name: meant.pop() for name, meant in codes.items() if len(meant) == 1 and name}


def _names_and_codes(kind: str, lang: str) -> Iterator[tuple[str, str]]:
    to = cldr_locale(lang)
    if to is None:
        return
    yield from ((code, name) for name, code in _NAMES[f"other {kind}"].get(lang, {}).items())
    if kind == "cities":
        for zone in _cities().values():
            if city := to.time_zones.get(zone, {}).get("city"):
                yield zone, city
        return
    table: Mapping[str, str] = getattr(to, kind)
    for code, name in table.items():
        if code not in _SKIPPED and (kind != "languages" or _common(code)):
            yield code, name
            if kind == "territories" and (name := _NAMES["localised"].get(code, {}).get(lang, "")):
                yield code, name


def _cased(name: str) -> str:
    """A key under which "Suomi" (Finland) and "suomi" (Finnish) differ."""
    plain = key(name)
    return plain[:1].upper() + plain[1:] if name[:1].isupper() else plain


def _name(table: Mapping[str, str], code: str | None, to: Locale) -> str | None:
    """The name of a code, without an explanation in parentheses."""
    name = table.get(code) if code else None
    return written(_PARENTHESES.sub("", name) or name, to) if name else None


@cache
def _index(kind: str) -> dict[str, str]:
    """Keys of English names to codes; if two codes share a name, the first wins."""
    english = locale("en")
    table: Mapping[str, str] = getattr(english, kind)
    index = {key(name): code for code, names in _NAMES[kind].items() for name in names}
    for code, name in sorted(table.items()):
        if code in _SKIPPED or (kind == "languages" and not _common(code)):
            continue
        inside = re.findall(r"\((.+)\)", name) if kind == "territories" else []
        outside = _PARENTHESES.sub("", name) if inside else name
        for variant in (name, outside, *inside):
            index.setdefault(key(variant), code)
    return index


@cache
def _cities() -> dict[str, str]:
    """Keys of English city names to time zones; if two share a name, the first wins."""
    from babel.core import get_global

    english = locale("en")
    cities: dict[str, str] = {}
    for zone in sorted(get_global("zone_territories")):
        area, _, place = zone.rpartition("/")
        name = (english.time_zones.get(zone, {}) if english else {}).get("city")
        if area and area not in ("Etc", "SystemV", "Antarctica"):  # stations named after people
            cities.setdefault(key(name or place.replace("_", " ")), zone)
    return cities


def _common(code: str) -> bool:
    return len(code) == len("en") or code in _LONG_CODES


class Generic(NamedTuple):
    """The name in a text, and the pattern around it in each language."""

    name: str
    patterns: Mapping[str, str]


def read_english_generic(text: str) -> Generic | None:
    """Read "Lake Victoria", "the Congo River" or "Pope Paul IV"; None for other texts."""
    plain = re.sub(r"^[Tt]he ", "", text)
    for english, patterns in _generics():
        if not (match := english.fullmatch(plain)):
            continue
        name = match[1]
        given_name = ("ja", key(name)) in read_titles(BUNDLED)
        excluded = patterns.get("one_word" if " " in name else "full_name") or (
            patterns.get("surname") and given_name
        )
        if not excluded and (is_name(name) or read_english_generic(name)):
            return Generic(name, patterns)
    return None


@cache
def _generics() -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    """English patterns, the longest first, with those of other languages and their conditions."""
    tables: Mapping[str, Any] = read_toml(Path(__file__).with_name("generics.toml"))
    rows = []
    for english, patterns in sorted(tables.items(), key=lambda item: (-len(item[0]), item[0])):
        words = (  # generic words may begin with a small letter
            "(.+)" if word == "{}" else f"[{word[0].upper()}{word[0].lower()}]{re.escape(word[1:])}"
            for word in english.split()
        )
        rows.append((re.compile(" ".join(words)), patterns))
    return tuple(rows)
