"""Phones (see `sounds`) in Cyrillic, Arabic, Bengali and Telugu letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

# Russian: after Gilyarevsky and Starostin's practical transcription of English names
_RUSSIAN = {
    "p": "п", "b": "б", "t": "т", "d": "д", "k": "к", "q": "к", "g": "г", "f": "ф", "v": "в",
    "T": "т", "D": "т", "s": "с", "z": "з", "z:": "с", "S": "ш", "Z": "ж", "C": "ч", "J": "дж",
    "h": "х",
    "m": "м", "n": "н", "N": "нг", "r": "р", "l": "л", "w": "у", "y": "й",
    "a": "а", "e": "е", "i": "и", "o": "о", "u": "а", "U": "у", "a-": "а", "e-": "е", "o-": "о",
    "i+": "и", "A": "а", "I": "и", "O": "о", "W": "у", "Y": "ью", "ei": "ей", "ai": "ай",
    "oi": "ой", "ou": "о", "au": "ау", "ar": "ар", "or": "ор", "er": "ер", "ir": "ир", "ur": "ер",
    "ar-": "ар", "er-": "ер", "or-": "ор",
}  # fmt: skip
_RUSSIAN_FIRST = {"e": "э", "ei": "эй", "er": "эр", "Y": "ю", "i": "и", "ou": "о"}
_RUSSIAN_PAIRS = {"йа": "я", "йу": "ю", "иа": "ия", "уу": "ву"}

_ARABIC = {
    "p": "ب", "b": "ب", "t": "ت", "d": "د", "k": "ك", "q": "ك", "g": "غ", "f": "ف", "v": "ف",
    "T": "ث", "D": "ذ", "s": "س", "z": "ز", "z:": "ز", "S": "ش", "Z": "ج", "C": "تش", "J": "ج",
    "h": "ه",
    "m": "م", "n": "ن", "N": "نغ", "r": "ر", "l": "ل", "w": "و", "y": "ي",
    "a": "ا", "e": "ي", "i": "ي", "o": "و", "u": "ا", "U": "و", "a-": "ا", "e-": "ي", "o-": "و",
    "i+": "ي", "A": "ا", "I": "ي", "O": "و", "W": "و", "Y": "يو", "ei": "ي", "ai": "اي",
    "oi": "وي", "ou": "و", "au": "او", "ar": "ار", "or": "ور", "er": "ير", "ir": "ير", "ur": "ور",
    "ar-": "ار", "er-": "ر", "or-": "ور",
}  # fmt: skip
_ARABIC_FIRST = {
    "a": "أ", "e": "إ", "i": "إ", "o": "أو", "u": "أ", "A": "آ", "I": "إي", "O": "أو", "ei": "إي",
    "ai": "آي", "ou": "أو", "au": "أو", "ar": "آر", "or": "أور", "er": "إير", "ir": "إير",
    "W": "أو", "oi": "أوي", "ur": "أور",
}  # fmt: skip


def cyrillic(phones: Sequence[str]) -> str:
    """One word in Russian letters."""
    heard = _soft_s(phones)
    vowels = [at for at, phone in enumerate(heard) if phone[0].lower() in "aeiouwy"]
    text = ""
    for at, phone in enumerate(heard):
        letters = _RUSSIAN[phone]
        if at == 0:
            letters = _RUSSIAN_FIRST.get(phone, letters)
        elif phone == "a" and heard[at - 1] in ("J", "S", "C"):
            letters = "е"
        elif phone == "a" and len(vowels) == 1 and heard[at - 1] != "l":
            letters = "э"
        elif phone == "ou" and 0 < at < len(heard) - 1:
            letters = "оу"
        text += letters
    for spelt, usual in _RUSSIAN_PAIRS.items():
        text = text.replace(spelt, usual)
    return text[:1].upper() + text[1:]


def arabic(phones: Sequence[str]) -> str:
    """One word in Arabic letters; long vowels are written, and most short ones of names."""
    heard = _single(_soft_s(phones))
    text = _ARABIC_FIRST.get(heard[0], _ARABIC[heard[0]]) if heard else ""
    for before, phone in pairwise(heard):
        last = phone in ("i", "e", "e-", "a-") and heard[-2:] == [phone, "n"]
        text += "" if last and before not in _ARABIC_FIRST else _ARABIC[phone]
    return text.replace("اا", "ا").replace("يي", "ي").replace("وو", "و")


def _soft_s(phones: Sequence[str]) -> list[str]:
    """A last s that sounds as z gets a phone of its own: Russian writes it as spelt."""
    heard = [
        "s" if phone == "z" and at + 1 == len(phones) else phone for at, phone in enumerate(phones)
    ]
    if heard and heard[-1] == "s" and phones[-1] == "z":
        heard[-1] = "z:"
    return heard


def _single(phones: Sequence[str]) -> list[str]:
    return [p for at, p in enumerate(phones) if at == 0 or p != phones[at - 1]]


_INDIC = {  # phone: Bengali consonant, Telugu consonant
    "p": "প ప", "b": "ব బ", "t": "ট ట", "d": "ড డ", "k": "ক క", "q": "ক క", "g": "গ గ", "f": "ফ ఫ",
    "v": "ভ వ", "T": "থ థ", "D": "দ ద", "s": "স స", "z": "জ జ", "S": "শ ష", "Z": "জ జ",
    "C": "চ చ", "J": "জ జ", "h": "হ హ", "m": "ম మ", "n": "ন న", "r": "র ర", "l": "ল ల",
    "y": "ই య", "w": "ও వ",
}  # fmt: skip
_SIGNS = {  # phone: sign after a consonant and letter at the start, Bengali and Telugu
    "a": "্যা অ্যা ా ఆ", "e": "ে এ ె ఎ", "i": "ি ই ి ఇ", "o": "ো অ ా ఆ", "u": "া আ  అ",
    "U": "ু উ ు ఉ", "A": "া আ ా ఆ", "I": "ি ই ీ ఈ", "O": "ো অ ో ఓ", "W": "ু উ ూ ఊ",
    "a-": "া আ ా ఆ", "e-": "ে এ ె ఎ", "o-": "  ా ఆ", "i+": "ি ই ీ ఈ",
    "ou": "ো ও ో ఓ", "ei": "ে এ ే ఏ",
}  # fmt: skip
_SPLIT = {  # phones of two letters, and those with an r
    "ai": ("A", "y"),
    "oi": ("o", "y"),
    "au": ("A", "U"),
    "ar": ("A", "r"),
    "or": ("O", "r"),
    "er": ("A", "r"),
    "ir": ("A", "r"),
    "ur": ("A", "r"),
    "ar-": ("A", "r"),
    "er-": ("A", "r"),
    "or-": ("O", "r"),
    "N": ("n", "g"),
    "Y": ("y", "W"),
}


def bengali(phones: Sequence[str]) -> str:
    """One word in Bengali letters."""
    return _abugida(phones, 0, "্", independent={"y": "ই", "w": "ও"})


def telugu(phones: Sequence[str]) -> str:
    """One word in Telugu letters; a last consonant has no vowel."""
    return _abugida(phones, 1, "్", independent={})


def _abugida(
    phones: Sequence[str], which: int, virama: str, *, independent: Mapping[str, str]
) -> str:
    """Consonants joined by the virama, vowels as signs after them and as letters elsewhere."""
    heard = _single([part for phone in phones for part in _SPLIT.get(phone, (phone,))])
    text, consonant = "", False
    for phone in heard:
        if phone in _SIGNS:
            sign, letter = _SIGNS[phone].split(" ")[2 * which : 2 * which + 2]
            text += sign if consonant else letter
            consonant = False
        elif phone in independent:
            text += independent[phone]
            consonant = False
        else:
            text += (virama if consonant else "") + _INDIC[phone].split(" ")[which]
            consonant = True
    return text + (virama if consonant and which else "")
