"""Rough romanisation of any script, from the Unicode names of its characters.

Most names spell the sound ("KATAKANA LETTER ZI", "HANGUL SYLLABLE GAN", "BENGALI LETTER KA").
The result is deterministic and keeps words distinct, which is all a model needs to learn from
it; for text that people read, use `answering.transliteration`.
"""

import re
import unicodedata
from functools import cache

_CYRILLIC = {"IE": "e", "IO": "yo", "YA": "ya", "YU": "yu", "YERU": "y", "HARD SIGN": "",
             "SOFT SIGN": "", "SHORT I": "y", "EL": "l", "EM": "m", "EN": "n", "ER": "r",
             "ES": "s", "EF": "f", "GHE": "g", "HA": "kh"}  # fmt: skip
_SIGNS = {"ANUSVARA": "m", "CANDRABINDU": "n", "VISARGA": "h"}
_CONSONANTS = re.compile("[^AEIOU]+")


def romanise(text: str) -> tuple[str, list[int]]:
    """Romanise a text; also return, for each letter, the index of its source character.

    Latin letters stay, digits of every script become ASCII digits, and characters without a
    sound become spaces.
    """
    letters: list[str] = []
    indices: list[int] = []
    for index, char in enumerate(text):
        sound, ends_inherent = _sound(char)
        if ends_inherent and letters and letters[-1] == "a":
            letters.pop()
            indices.pop()
        letters += sound
        indices += [index] * len(sound)
    return "".join(letters), indices


@cache
def _sound(char: str) -> tuple[str, bool]:
    """A character's letters, and whether it replaces the inherent vowel a before it."""
    name, digit = unicodedata.name(char, ""), unicodedata.digit(char, None)
    if digit is not None:
        return str(digit), False
    if unicodedata.category(char)[0] == "M":
        return _sign(name)
    return _letter(char, name), False


def _sign(name: str) -> tuple[str, bool]:
    """A mark's letters, usually none; Indic vowel signs and viramas replace the inherent vowel."""
    *_, last = name.split() or [""]
    if " VOWEL SIGN " in name:
        return last.lower(), True
    return _SIGNS.get(last, ""), last in {"VIRAMA", "COENG"}


def _letter(char: str, name: str) -> str:
    head, _, letter = name.partition(" LETTER ")
    if char.isascii() or name.startswith("LATIN"):
        return char
    if name.startswith("HANGUL SYLLABLE "):
        return name.rsplit(maxsplit=1)[-1].lower()
    if not letter:
        return "" if "PROLONGED SOUND" in name else " "
    script = head.split()[0]
    if script not in {"CYRILLIC", "ARABIC"}:
        return letter.split()[-1].lower()
    first = _CONSONANTS.match(letter.split()[0])
    sound = (first[0] if first else letter[0]).lower()
    return _CYRILLIC.get(letter, sound) if script == "CYRILLIC" else sound
