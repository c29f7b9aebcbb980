"""Search tokens without Java: words, or bigrams for scripts written without spaces."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from ..lang import LANGUAGES
from .folding import UNSPACED, fold_for_search
from .patterns import compiled

VERSION = 2
"""Increased whenever `tokens` changes. Indexes name the version that they were built with, and are
searched with it; `fold_1` is the folding of version 1."""

_CHARACTERS = r"\p{Han}\p{Hiragana}\p{Katakana}\u30fc\p{Hangul}\p{Thai}"
_CLUSTER = r"\p{L}(?:[\u17d2\u1039\u1a60]\p{L}|\p{M})*|\X"  # with subscript letters

_JOINERS = "\u200c\u200d"
_OPTIONAL_1 = {  # optional marks, by script
    "Arab": "\u0640\u0670" + "".join(map(chr, range(0x064B, 0x0653))),  # tatweel, vowel signs
    "Hebr": "".join(map(chr, [*range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5])),
    "Cyrl": "\u0300\u0301",  # stress marks, as in the first line of an encyclopedia article
    "Beng": _JOINERS,
    "Deva": _JOINERS,
    "Taml": _JOINERS,
    "Telu": _JOINERS,
}
_CASES_1 = {"tr": str.maketrans("Iİ", "\u0131i")}  # before case folding, which maps I to i

_STOP = Path(__file__).with_name("english_stop_words.txt")
ENGLISH_STOP_WORDS = frozenset(_STOP.read_text(encoding="utf-8").split())


def tokens(
    text: str,
    lang: str,
    *,
    version: int = VERSION,
    folding: tuple[str, ...] = (),
    pairs: bool = False,
) -> list[str]:
    """The tokens of a text in order, after folding (`folding.fold_for_search`).

    Runs of scripts written without spaces become overlapping bigrams, whatever the language: of
    characters in Han, kana, Hangul and Thai, and of letters with their marks in Khmer, Lao,
    Burmese and others. Tibetan becomes syllables and their bigrams, other text words (letters,
    digits and their combining marks). English stop words are removed. `folding` names optional
    foldings. With `pairs`, each two adjacent tokens are another one, stop words included.
    """
    found = _all_tokens(text, lang, version, folding)
    adjacent = [f"{a} {b}" for a, b in pairwise(found)] if pairs else []
    if lang == "en":
        found = [token for token in found if token not in ENGLISH_STOP_WORDS]
    return found + adjacent


def stop_tokens(text: str, title: str = "") -> list[str]:
    """The English stop words that `tokens` removes, for queries that have no other word.

    Each pair of adjacent ones is a token, and each of the title's, or of a text without a title.
    """
    parts = [_all_tokens(part, "en") for part in (title, text)]
    pairs = (pair for words in parts for pair in pairwise(words))
    joint = [f"{a} {b}" for a, b in pairs if a in ENGLISH_STOP_WORDS and b in ENGLISH_STOP_WORDS]
    return joint + [word for word in parts[0] or parts[1] if word in ENGLISH_STOP_WORDS]


def _all_tokens(
    text: str, lang: str, version: int = VERSION, folding: tuple[str, ...] = ()
) -> list[str]:
    text = fold_1(text, lang) if version == 1 else fold_for_search(text, lang, folding)
    found: list[str] = []
    for match in _pattern(version).finditer(text):
        units: Sequence[str] = match[0]
        if match.lastgroup == "clusters":
            units = compiled(_CLUSTER).findall(units)
        elif match.lastgroup == "syllables":
            units = str(match[0]).split("\u0f0b")
            found += units
        if match.lastgroup and len(units) > 1:
            found += [units[at] + units[at + 1] for at in range(len(units) - 1)]
        else:
            found.append(match[0])
    return found


def fold_1(text: str, lang: str) -> str:
    """The folding of version 1."""
    language = LANGUAGES.get(lang)
    text = unicodedata.normalize("NFKC", text).translate(_CASES_1.get(lang, {})).casefold()
    if language and language.script in _OPTIONAL_1:
        text = text.translate(dict.fromkeys(map(ord, _OPTIONAL_1[language.script])))
    return text


@cache
def _pattern(version: int) -> Any:
    clusters = rf"[[{UNSPACED}]--[{_CHARACTERS}]]&&[\p{{L}}\p{{M}}]"
    if version == 1:
        clusters = r"\p{L}&&\p{N}"  # nothing
    tibetan = r"[\p{Tibetan}&&[\p{L}\p{M}]]+"
    syllables = r"\b\B" if version == 1 else rf"{tibetan}(?:\u0f0b{tibetan})+"
    runs = rf"(?P<characters>[{_CHARACTERS}]+)|(?P<clusters>[{clusters}]+)"
    runs += f"|(?P<syllables>{syllables})"
    bounded = f"--[{_CHARACTERS}]--[{clusters}]"
    return compiled(rf"{runs}|[[\p{{L}}\p{{N}}]{bounded}][[\p{{L}}\p{{N}}\p{{M}}]{bounded}]*")


@cache
def in_bigrams(character: str) -> bool:
    """Whether runs of the character's script become bigrams of characters."""
    return bool(compiled(f"[{_CHARACTERS}]").match(character))
