"""The languages of languages.toml, and the other ISO 639-1 codes with their names and scripts.

Codes are ISO 639-1, and in `flores` those of FLORES-200 (NLLB Team 2022, table 1). Analyzers are
Lucene class names below `org.apache.lucene.analysis` (`standard` where the jar has nothing better,
`xorqa` for this package's tokens: the Java wheel cannot segment Thai); Elasticsearch's names are
its built-in ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .config import read_toml
from .errors import ConfigError

if TYPE_CHECKING:
    from babel import Locale


@dataclass(frozen=True, slots=True)
class Language:
    """The properties of a language that the stages need."""

    code: str
    name: str
    script: str
    flores: str = ""
    lucene: str = "standard.StandardAnalyzer"
    elastic: str = "standard"
    spaced: bool = True  # words are separated by spaces
    digits: str = "0123456789"


def _read(name: str) -> dict[str, Language]:
    rows = read_toml(Path(__file__).with_name(name))
    return {code: Language(code, **row) for code, row in rows.items()}


LANGUAGES = _read("languages.toml")
"""The languages that have an analyzer, rules for localising answers and a sentence splitter."""

ISO_639_1 = LANGUAGES | _read("iso_639_1.toml")
"""All languages with a code of two letters."""

ENGLISH: Final = "en"
"""The language of the pivot: its Wikipedia is `W_eng`, and XOR-EnglishSpan's answers are in it."""

XOR_LANGUAGES = ("ar", "bn", "fi", "ja", "ko", "ru", "te")
"""The seven languages of XOR-TyDi (Asai et al. 2021, section 2.1)."""


_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*", re.IGNORECASE)
_OTHER_CODES = {  # members of a macrolanguage, and codes that CLDR prefers otherwise
    **dict.fromkeys(("fil", "tgl"), "tl"),
    **dict.fromkeys(("yue", "wuu", "lzh", "nan", "hak"), "zh"),
    **dict.fromkeys(("arz", "ary", "apc", "acm", "ajp", "ars"), "ar"),
    **{"jw": "jv", "prs": "fa", "ckb": "ku", "kmr": "ku", "srp": "sr", "ydd": "yi", "als": "sq"},
}


def code_of(tag: str) -> str:
    """The ISO 639-1 code of a language tag, such as `de-DE`, `zh_Hant`, `fin` or `FI`; "" if none.

    Tags are those of BCP 47, with codes of ISO 639-1, 639-2 and 639-3; only the language counts.
    """
    match = _TAG.fullmatch(tag.strip())
    base = match[1].lower() if match else ""
    if base in ISO_639_1 or not base:
        return base
    return _OTHER_CODES.get(base) or _preferred(base)


@cache
def _preferred(base: str) -> str:
    """The code that CLDR prefers to another one, such as `he` to `iw`."""
    from babel.core import get_global

    code = str(get_global("language_aliases").get(base, "")).partition("_")[0]
    return code if code in ISO_639_1 else ""


def language(code: str) -> Language:
    """The language with an ISO 639-1 code, or of a tag that `code_of` reads.

    Raises:
        ConfigError: if the code is unknown; the message suggests similar codes and names.
    """
    known = code_of(code)
    if not known:
        raise ConfigError(unknown_language(code))
    return ISO_639_1[known]


def unknown_language(code: str) -> str:
    """The message for a code that is not in ISO 639-1."""
    names = {row.name.lower(): known for known, row in ISO_639_1.items()}
    given = code.lower()
    near = [names[name] for name in get_close_matches(given, names, n=3, cutoff=0.75)]
    near += get_close_matches(given, sorted(ISO_639_1), n=3, cutoff=0.5)
    listed = ", ".join(f"{known} ({ISO_639_1[known].name})" for known in dict.fromkeys(near))
    hint = f"did you mean {listed}? " if listed else ""
    return (
        f"no language is called '{code:.60}'; {hint}valid: the {len(ISO_639_1)} codes of ISO 639-1"
    )


def limits(lang: str) -> str:
    """What a language lacks, as one line; "" if it lacks nothing."""
    if lang in LANGUAGES or lang not in ISO_639_1:
        return ""
    return (
        f"{ISO_639_1[lang].name} ({lang}) has no analyzer of its own (word search uses whole "
        "words); of answers, only dates and the names of places, languages and currencies are "
        "localised, as far as the CLDR has them (others stay in the passage's language)"
    )


def in_name(name: str) -> str | None:
    """The first language named in a file name: `xquad.ar.json`, `arabic_tydiqa_dev.json`."""
    named = {row.name.lower(): code for code, row in LANGUAGES.items()}
    codes = (named.get(part, part) for part in re.split(r"[^a-z]+", name.lower()))
    return next((code for code in codes if code in LANGUAGES), None)


@cache
def locale(lang: str) -> Locale | None:
    """The locale of a language of `LANGUAGES`; None for any other language."""
    return cldr_locale(lang) if lang in LANGUAGES else None


@cache
def cldr_locale(lang: str) -> Locale | None:
    """The locale of any language of the CLDR; None if it lacks the language."""
    from babel import Locale, UnknownLocaleError

    if lang not in ISO_639_1:
        return None
    try:
        return Locale.parse(lang)
    except UnknownLocaleError:
        return None


def cldr_version() -> str:
    """Babel's version, which determines the CLDR release."""
    import babel

    return str(babel.__version__)
