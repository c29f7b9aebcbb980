"""Which names in another script are transliterations, and which of several is the best one.

GeoNames lists alternate names without their language, so the language follows from the letters:
Persian and Urdu have letters that Arabic lacks, and Ukrainian and Serbian ones that Russian lacks.
"""

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise

from ....answering.choosing.features import consonants

LETTERS = {
    "ar": "ء-غف-ي",
    "bn": "\u0981-\u09ae\u09b0-\u09ef",
    "ja": "ァ-ヴー",
    "ko": "가-힣",
    "ru": "А-Яа-яЁё",
    "te": "\u0c01-\u0c63",
}
"""The letters of names by language; Assamese letters, and those of small alphabets, are absent."""

SEPARATORS = re.compile(r"[\s\-–=・＝＝·\u200b-\u200d]+")
LEAST, LEAST_WORD, LEAST_JOINED = 0.7, 0.4, 0.9
"""Least similarity of consonants: of a name, and of each of its words."""
_LONGEST = 30
_HARD_SIGN = re.compile("ъ(?![еёюя])", re.IGNORECASE)  # Bulgarian, where it is a vowel


def words_of(name: str) -> list[str]:
    """The words of a name in any script, also those joined by a hyphen or a middle dot."""
    return [word for word in SEPARATORS.split(name.strip()) if word]


def is_written_in(lang: str, name: str) -> bool:
    """Whether a name has only letters of the language, and separators."""
    if lang == "ru" and _HARD_SIGN.search(name):
        return False
    return bool(_letters(lang).fullmatch("".join(words_of(name))))


def is_transliteration(english: str, name: str) -> bool:
    """Whether a name sounds like the English one, word by word ("Cape" is not "Мыс")."""
    sides = words_of(english), words_of(name)
    if len(sides[0]) != len(sides[1]) or not all(sides) or len(english) > _LONGEST:
        return False
    if _similarity("".join(sides[0]), "".join(sides[1])) < LEAST:
        return False
    return all(_similarity(*both) >= LEAST_WORD for both in zip(*sides, strict=True))


def preference(lang: str, english: str) -> Callable[[str], tuple[int, ...]]:
    """A key for sorting names of one place, the one most typical of the language first."""
    doubled = _doubled(english)

    def russian(name: str) -> tuple[int, ...]:
        return -len(set(name) & set("ыэё")), abs(_doubled(name) - doubled), -name.count("ь")

    def arabic(name: str) -> tuple[int, ...]:
        return -len(set(name) & set("أإآةؤئ")), -len(set(name) & set("يك")), len(name)

    return {"ru": russian, "ar": arabic}.get(lang, lambda name: (len(name),))


def _similarity(english: str, name: str) -> float:
    """The similarity of consonants; 1 if neither has any."""
    a, b = consonants(english), consonants(name)
    return SequenceMatcher(None, a, b, autojunk=False).ratio() if a or b else 1.0


def _doubled(name: str) -> int:
    return sum(a == b and a not in "aeiouаоеиу" for a, b in pairwise(name.lower()))


@cache
def _letters(lang: str) -> re.Pattern[str]:
    return re.compile(f"[{LETTERS[lang]}]+")
