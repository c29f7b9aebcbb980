"""Any script in Latin letters, roughly: what a character's Unicode name says of its sound.

The names of most letters spell them ("KATAKANA LETTER ZI", "HANGUL SYLLABLE GAN", "BENGALI
LETTER KA"). The outcome is the same for the same text and keeps what tells words apart, which
is all that a model needs to learn from it; people want a proper transliteration.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_CYRILLIC = {"IE": "e", "IO": "yo", "YA": "ya", "YU": "yu", "YERU": "y", "HARD SIGN": "",
             "SOFT SIGN": "", "SHORT I": "y", "EL": "l", "EM": "m", "EN": "n", "ER": "r",
             "ES": "s", "EF": "f", "GHE": "g", "HA": "kh"}  # fmt: skip
_SIGNS = {"ANUSVARA": "m", "CANDRABINDU": "n", "VISARGA": "h"}
_CONSONANTS = re.compile("[^AEIOU]+")


def romanise(text: str) -> tuple[str, list[int]]:
    """Latin letters for a text, and for each of them the character it comes from.

    Latin letters stay; digits of every script become ASCII's; what has no sound is a blank.
    """
    letters: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        sound, ends_inherent = _sound(char)
        if ends_inherent and letters and letters[-1] == "a":
            letters.pop()
            places.pop()
        letters += sound
        places += [at] * len(sound)
    return "".join(letters), places


@cache
def _sound(char: str) -> tuple[str, bool]:
    """A character's letters, and whether it takes the place of the vowel a before it."""
    name, digit = unicodedata.name(char, ""), unicodedata.digit(char, None)
    if digit is not None:
        return str(digit), False
    if unicodedata.category(char)[0] == "M":
        return _sign(name)
    return _letter(char, name), False


def _sign(name: str) -> tuple[str, bool]:
    """A mark's letters, most often none; signs of Indic scripts are vowels, or take one away."""
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
