"""One table of languages.

Codes are ISO 639-1. Analyzers are Lucene class names below `org.apache.lucene.analysis`
(`standard` where the jar has nothing better, `xorqa` for this package's tokens: the Java wheel
cannot segment Thai); Elasticsearch's names are its built-in ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from .errors import ConfigError, one_of

if TYPE_CHECKING:
    from babel import Locale


@dataclass(frozen=True, slots=True)
class Language:
    """One language, as the stages need it."""

    code: str
    name: str
    script: str
    lucene: str = "standard.StandardAnalyzer"
    elastic: str = "standard"
    spaced: bool = True  # words are separated by spaces
    digits: str = "0123456789"


_CJK = "cjk.CJKAnalyzer"
_OWN = "xorqa"
_TABLE = [
    Language("ar", "Arabic", "Arab", "ar.ArabicAnalyzer", "arabic", digits="٠١٢٣٤٥٦٧٨٩"),
    Language("bn", "Bengali", "Beng", "bn.BengaliAnalyzer", "bengali", digits="০১২৩৪৫৬৭৮৯"),
    Language("de", "German", "Latn", "de.GermanAnalyzer", "german"),
    Language("el", "Greek", "Grek", "el.GreekAnalyzer", "greek"),
    Language("en", "English", "Latn", "en.EnglishAnalyzer", "english"),
    Language("es", "Spanish", "Latn", "es.SpanishAnalyzer", "spanish"),
    Language("fa", "Persian", "Arab", "fa.PersianAnalyzer", "persian", digits="۰۱۲۳۴۵۶۷۸۹"),
    Language("fi", "Finnish", "Latn", "fi.FinnishAnalyzer", "finnish"),
    Language("fr", "French", "Latn", "fr.FrenchAnalyzer", "french"),
    Language("he", "Hebrew", "Hebr"),
    Language("hi", "Hindi", "Deva", "hi.HindiAnalyzer", "hindi", digits="०१२३४५६७८९"),
    Language("id", "Indonesian", "Latn", "id.IndonesianAnalyzer", "indonesian"),
    Language("it", "Italian", "Latn", "it.ItalianAnalyzer", "italian"),
    Language("ja", "Japanese", "Jpan", "ja.JapaneseAnalyzer", "cjk", spaced=False),
    Language("ko", "Korean", "Kore", _CJK, "cjk"),
    Language("nl", "Dutch", "Latn", "nl.DutchAnalyzer", "dutch"),
    Language("pt", "Portuguese", "Latn", "pt.PortugueseAnalyzer", "portuguese"),
    Language("ro", "Romanian", "Latn", "ro.RomanianAnalyzer", "romanian"),
    Language("ru", "Russian", "Cyrl", "ru.RussianAnalyzer", "russian"),
    Language("sv", "Swedish", "Latn", "sv.SwedishAnalyzer", "swedish"),
    Language("sw", "Swahili", "Latn"),
    Language("ta", "Tamil", "Taml", "ta.TamilAnalyzer"),
    Language("te", "Telugu", "Telu", "te.TeluguAnalyzer", digits="౦౧౨౩౪౫౬౭౮౯"),
    Language("th", "Thai", "Thai", _OWN, "thai", spaced=False, digits="๐๑๒๓๔๕๖๗๘๙"),
    Language("tr", "Turkish", "Latn", "tr.TurkishAnalyzer", "turkish"),
    Language("uk", "Ukrainian", "Cyrl", "uk.UkrainianMorfologikAnalyzer"),
    Language("ur", "Urdu", "Arab", digits="۰۱۲۳۴۵۶۷۸۹"),
    Language("vi", "Vietnamese", "Latn"),
    Language("zh", "Chinese", "Hans", _CJK, "cjk", spaced=False),
]
LANGUAGES = {language.code: language for language in _TABLE}

XOR_LANGUAGES = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
"""The seven languages of XOR-TyDi (Asai et al. 2021, section 3)."""


def language(code: str) -> Language:
    """The language with an ISO 639-1 code.

    Raises:
        ConfigError: listing the valid codes.
    """
    if code not in LANGUAGES:
        raise ConfigError(f"no language is called '{code}'; valid: {one_of(LANGUAGES)}")
    return LANGUAGES[code]


def in_name(name: str) -> str | None:
    """The first language in a file's name: `xquad.ar.json`, `arabic_tydiqa_dev.json`."""
    named = {row.name.lower(): code for code, row in LANGUAGES.items()}
    codes = (named.get(part, part) for part in re.split(r"[^a-z]+", name.lower()))
    return next((code for code in codes if code in LANGUAGES), None)


@cache
def locale(lang: str) -> Locale | None:
    """The locale of a language of `LANGUAGES`; None for any other language."""
    from babel import Locale, UnknownLocaleError

    if lang not in LANGUAGES:
        return None
    try:
        return Locale.parse(lang)
    except UnknownLocaleError:
        return None


def cldr_version() -> str:
    """Babel's version, which stands for the CLDR release it carries."""
    import babel

    return str(babel.__version__)
