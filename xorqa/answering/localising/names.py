"""English names of territories, languages and currencies in another language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.config import read_toml
from ...core.lang import locale
from ..transliteration.name_table import key
from .cldr import written

if TYPE_CHECKING:
    from babel import Locale

_NAMES: Mapping[str, Mapping[str, Any]] = read_toml(Path(__file__).with_suffix(".toml"))
_SKIPPED = {"001", "QO", "XA", "XB", "ZZ"}  # the world, leftovers and test locales
_LONG_CODES = {"arc", "fil", "grc", "haw", "yue"}  # the other three-letter names are rare words
_PARENTHESES = re.compile(r"\s*[(（].*?[)）]")


def territory(text: str, to: Locale) -> str | None:
    """A country, territory or continent."""
    code = _index("territories").get(key(text)) if _capital(text) else None
    name: str | None = _NAMES["localised"].get(code or "", {}).get(to.language)
    return name or _name(to.territories, code, to)


def language(text: str, to: Locale) -> str | None:
    """A language ("Russian", "Russian language")."""
    bare = re.sub(r" language$", "", text, flags=re.IGNORECASE)
    code = _index("languages").get(key(bare)) if _capital(bare) else None
    return _name(to.languages, code, to)


def currency(text: str, to: Locale) -> str | None:
    """A currency; English writes some of them ("yen") without a capital."""
    return _name(to.currencies, currency_code(text), to)


def currency_code(text: str) -> str | None:
    """The ISO 4217 code of a currency that is named in English."""
    plain, known = key(text), _index("currencies")
    return known.get(plain) or known.get(plain.removesuffix("s"))


def city(text: str, to: Locale) -> str | None:
    """A city that names a time zone: most capitals and many large cities."""
    zone = _cities().get(key(text)) if _capital(text) else None
    name = to.time_zones.get(zone, {}).get("city") if zone else None
    return written(name, to) if name else None


def _name(table: Mapping[str, str], code: str | None, to: Locale) -> str | None:
    """The name of a code, without an explanation in parentheses."""
    name = table.get(code) if code else None
    return written(_PARENTHESES.sub("", name) or name, to) if name else None


@cache
def _index(kind: str) -> dict[str, str]:
    """English names, as keys, to codes; where two codes share a name the first wins."""
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
    """Keys of English city names to time zones; where two share a name the first wins."""
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


def _capital(text: str) -> bool:
    """Whether it is written as a name: "Turkey", "the Gambia", not "turkey"."""
    return re.sub(r"^the ", "", text, flags=re.IGNORECASE)[:1].isupper()
