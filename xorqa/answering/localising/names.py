"""English names of territories, languages and currencies in another language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from ...core.lang import locale
from ..transliteration.name_table import key
from .cldr import written

if TYPE_CHECKING:
    from babel import Locale

_SKIPPED = {"001", "QO", "XA", "XB", "ZZ"}  # the world, leftovers and test locales
_TERRITORIES = {  # what English texts say besides CLDR's own names
    "US": ("united states of america", "usa", "us", "america"),
    "GB": ("uk", "great britain", "britain"),
    "CD": ("democratic republic of the congo", "dr congo", "drc"),
    "CG": ("republic of the congo",),
    "CI": ("ivory coast",),
    "CN": ("people's republic of china", "prc"),
    "CZ": ("czech republic",),
    "FM": ("federated states of micronesia",),
    "HK": ("hong kong",),
    "IE": ("republic of ireland",),
    "KP": ("democratic people's republic of korea",),
    "KR": ("republic of korea",),
    "MK": ("macedonia", "republic of macedonia"),
    "MO": ("macau", "macao"),
    "NL": ("holland",),
    "PS": ("palestine", "state of palestine"),
    "RU": ("russian federation",),
    "SZ": ("swaziland",),
    "TL": ("east timor",),
    "TR": ("turkey",),
    "AE": ("uae",),
    "VA": ("vatican",),
    "VC": ("st vincent and the grenadines",),
    "VN": ("viet nam",),
    "GB-ENG": ("england",),
    "GB-SCT": ("scotland",),
    "GB-WLS": ("wales",),
    "GB-NIR": ("northern ireland",),
    "SU": ("soviet union", "ussr"),
}
_OWN_LANGUAGES = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
_OWN_NAMES = {  # what CLDR lacks, or gives in an official form that few people use
    "003": ("", "", "", "北アメリカ", "", "", ""),
    "US": ("", "", "", "", "", "США", "అమెరికా సంయుక్త రాష్ట్రాలు"),
    "HK": ("هونغ كونغ", "হংকং", "Hongkong", "香港", "홍콩", "", "హాంగ్ కాంగ్"),
    "MO": ("ماكاو", "মাকাও", "Macao", "マカオ", "마카오", "", "మకావ్"),
    "PS": ("فلسطين", "ফিলিস্তিন", "Palestiina", "パレスチナ", "팔레스타인", "Палестина", "పాలస్తీనా"),
    "GB-ENG": ("إنجلترا", "ইংল্যান্ড", "Englanti", "イングランド", "잉글랜드", "Англия", "ఇంగ్లాండు"),
    "GB-SCT": (
        *("اسكتلندا", "স্কটল্যান্ড", "Skotlanti", "スコットランド"),
        *("스코틀랜드", "Шотландия", "స్కాట్లాండ్"),
    ),
    "GB-WLS": ("ويلز", "ওয়েলস", "Wales", "ウェールズ", "웨일스", "Уэльс", "వేల్స్"),
    "GB-NIR": (
        *("أيرلندا الشمالية", "উত্তর আয়ারল্যান্ড", "Pohjois-Irlanti", "北アイルランド"),
        *("북아일랜드", "Северная Ирландия", "ఉత్తర ఐర్లాండ్"),
    ),
    "SU": (
        *("الاتحاد السوفيتي", "সোভিয়েত ইউনিয়ন", "Neuvostoliitto", "ソビエト連邦"),
        *("소련", "СССР", "సోవియట్ యూనియన్"),
    ),
}
_OWN = {
    (code, lang): name
    for code, names in _OWN_NAMES.items()
    for lang, name in zip(_OWN_LANGUAGES, names, strict=True)
    if name
}
_LANGUAGES = {"fa": ("farsi",), "zh": ("mandarin", "mandarin chinese"), "si": ("sinhalese",)}
_LONG_CODES = {"arc", "fil", "grc", "haw", "yue"}  # the other three-letter names are rare words
_CURRENCIES = {
    "USD": ("american dollar", "united states dollar"),
    "GBP": ("pound sterling",),
    "JPY": ("yen",),
    "CNY": ("renminbi", "yuan"),
    "RUB": ("russian rouble",),
}
_PARENTHESES = re.compile(r"\s*[(（].*?[)）]")


def territory(text: str, to: Locale) -> str | None:
    """A country, territory or continent."""
    code = _index("territories").get(key(text)) if _capital(text) else None
    return _OWN.get((code or "", to.language)) or _name(to.territories, code, to)


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
    found = to.time_zones.get(zone, {}).get("city") if zone else None
    return written(found, to) if found else None


def _name(table: Mapping[str, str], code: str | None, to: Locale) -> str | None:
    """The name of a code, without an explanation in parentheses."""
    name = table.get(code) if code else None
    return written(_PARENTHESES.sub("", name) or name, to) if name else None


@cache
def _index(kind: str) -> dict[str, str]:
    """English names, as keys, to codes; where two codes share a name the first wins."""
    english = locale("en")
    table: Mapping[str, str] = getattr(english, kind)
    aliases = {"territories": _TERRITORIES, "languages": _LANGUAGES, "currencies": _CURRENCIES}
    index = {key(name): code for code, names in aliases[kind].items() for name in names}
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
