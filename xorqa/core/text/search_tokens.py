"""Search tokens without Java: words, or bigrams for scripts written without spaces."""

import unicodedata
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ..lang import LANGUAGES

VERSION = 1
"""Increased whenever `tokens` changes, so that older indexes are refused."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\p{Hangul}\p{Thai}"
_PATTERN = rf"""
    (?P<run> [{_UNSPACED}]+ )
    | [[\p{{L}}\p{{N}}]--[{_UNSPACED}]] [[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]*
"""

_JOINERS = "\u200c\u200d"
_OPTIONAL = {  # optional marks, by script
    "Arab": "\u0640\u0670" + "".join(map(chr, range(0x064B, 0x0653))),  # tatweel, vowel signs
    "Hebr": "".join(map(chr, [*range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5])),
    "Cyrl": "\u0300\u0301",  # stress marks, as in the first line of an encyclopedia article
    "Beng": _JOINERS,
    "Deva": _JOINERS,
    "Taml": _JOINERS,
    "Telu": _JOINERS,
}
_CASES = {"tr": str.maketrans("Iİ", "\u0131i")}  # before case folding, which maps I to i

_STOP = Path(__file__).with_name("english_stop_words.txt")
ENGLISH_STOP_WORDS = frozenset(_STOP.read_text(encoding="utf-8").split())


def tokens(text: str, lang: str) -> list[str]:
    """The tokens of a text in order, after NFKC and case folding.

    Runs of Han, kana, Hangul and Thai become overlapping character bigrams, whatever the
    language; other text becomes words (letters, digits and their combining marks). `lang` selects
    the optional marks to drop; English stop words are removed.
    """
    language = LANGUAGES.get(lang)
    text = unicodedata.normalize("NFKC", text).translate(_CASES.get(lang, {})).casefold()
    if language and language.script in _OPTIONAL:
        text = text.translate(dict.fromkeys(map(ord, _OPTIONAL[language.script])))
    result: list[str] = []
    for match in _pattern().finditer(text):
        word = match[0]
        if match["run"] and len(word) > 1:
            result += [word[start : start + 2] for start in range(len(word) - 1)]
        else:
            result.append(word)
    if lang == "en":
        return [token for token in result if token not in ENGLISH_STOP_WORDS]
    return result


@cache
def _pattern() -> Any:
    regex = import_module("regex")
    return regex.compile(_PATTERN, regex.VERBOSE | regex.VERSION1)
