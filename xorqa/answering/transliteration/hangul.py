"""Phones (see `sounds`) in hangul, after the Korean rules for foreign words (1986)."""

from __future__ import annotations

from collections.abc import Sequence

_ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_NUCLEI = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_CODAS = ["", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"]
_ONSET = {
    "p": "ㅍ", "b": "ㅂ", "t": "ㅌ", "d": "ㄷ", "k": "ㅋ", "g": "ㄱ", "f": "ㅍ", "v": "ㅂ",
    "T": "ㅅ", "D": "ㄷ", "s": "ㅅ", "z": "ㅈ", "S": "ㅅ", "Z": "ㅈ", "C": "ㅊ", "J": "ㅈ",
    "h": "ㅎ", "m": "ㅁ", "n": "ㄴ", "N": "ㄱ", "r": "ㄹ", "l": "ㄹ", "ts": "ㅊ", "": "ㅇ",
}  # fmt: skip
_VOWELS = {  # the nuclei of one syllable or two
    "a": "ㅐ", "e": "ㅔ", "i": "ㅣ", "o": "ㅗ", "u": "ㅓ", "U": "ㅜ", "i+": "ㅣ",
    "a-": "ㅏ", "e-": "ㅓ", "o-": "ㅓ", "A": "ㅏ", "I": "ㅣ", "O": "ㅗ", "W": "ㅜ",
    "ei": "ㅔㅣ", "ai": "ㅏㅣ", "oi": "ㅗㅣ", "ou": "ㅗ", "au": "ㅏㅜ",
    "ar": "ㅏ", "or": "ㅗ", "er": "ㅓ", "ir": "ㅓ", "ur": "ㅓ", "ar-": "ㅓ", "er-": "ㅓ",
    "or-": "ㅓ",
}  # fmt: skip
_GLIDES = {  # what a nucleus becomes after a glide
    "y": dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅑㅒㅕㅖㅛㅠㅣ", strict=True)),
    "w": dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅘㅙㅝㅞㅝㅜㅟ", strict=True)),
}
_GLIDED = {"g", "h", "k", "y", "w", "b", "d", "f", "m", "n", "p", "t", "v"}  # one syllable: quin
_CODA = {"m": "ㅁ", "n": "ㄴ", "N": "ㅇ", "l": "ㄹ"}
_STOPS = {"p": "ㅂ", "t": "ㅅ", "k": "ㄱ"}  # codas after a short vowel
_SHORT = {"a", "e", "i", "o", "u", "U", "e-", "o-", "a-"}
_SOFT = {"C", "J", "Z", "S"}  # alone they take ㅣ, the others ㅡ


def hangul(phones: Sequence[str]) -> str:
    """One word in hangul."""
    heard = _joined(phones)
    syllables: list[list[str]] = []  # onset, nucleus, coda
    at = 0
    while at < len(heard):
        vowel = next((i for i in range(at, min(at + 3, len(heard))) if heard[i] in _VOWELS), None)
        before = heard[at:vowel] if vowel is not None else []
        if vowel is not None and (
            len(before) < 2 or (before[-1] in _GLIDES and before[0] in _GLIDED)
        ):
            _double_l(syllables, before)
            syllables += _open(before, heard[vowel], last=vowel + 1 == len(heard))
            at = vowel + 1
        else:
            _close(syllables, heard, at)
            at += 1
    return "".join(map(_block, syllables))


def _joined(phones: Sequence[str]) -> list[str]:
    heard: list[str] = []
    for phone in phones:
        if phone == "Y":
            heard += ["y", "W"]
        elif heard and heard[-1] == "t" and phone in ("s", "z"):
            heard[-1] = "ts"
        elif heard and heard[-1] == "n" and phone in ("k", "q"):
            heard[-1:] = ["N", "k"]
        elif phone == "q":
            heard.append("k")
        elif not heard or heard[-1] != phone or phone in _VOWELS:
            heard.append(phone)
    # a final s that sounds as z is written as s in names
    return ["s" if phone == "z" and i + 1 == len(heard) else phone for i, phone in enumerate(heard)]


def _double_l(syllables: list[list[str]], onset: Sequence[str]) -> None:
    """An l between sounds is heard in both syllables."""
    if onset == ["l"] and syllables and not syllables[-1][2]:
        syllables[-1][2] = "ㄹ"


def _open(onset: Sequence[str], vowel: str, *, last: bool) -> list[list[str]]:
    """The one or two syllables of a vowel with what stands before it: consonant, glide."""
    first, *rest = list(_VOWELS[vowel])
    if vowel == "a-" and not last:
        first = "ㅓ"
    elif (*onset, vowel) == ("s", "o-"):
        first = "ㅡ"  # Johnson
    consonant = next((phone for phone in onset if phone not in _GLIDES), "")
    glide = next((phone for phone in onset if phone in _GLIDES), "y" if consonant == "S" else "")
    nucleus = _GLIDES[glide].get(first, first) if glide else first
    return [[_ONSET[consonant], nucleus, ""], *(["ㅇ", part, ""] for part in rest)]


def _close(syllables: list[list[str]], heard: Sequence[str], at: int) -> None:
    """A consonant without a vowel: at the end of a syllable, or one of its own."""
    free = bool(syllables) and not syllables[-1][2]
    phone, before = heard[at], heard[at - 1] if at else ""
    after = heard[at + 1] if at + 1 < len(heard) else ""
    if phone == "r" and before in _VOWELS:
        return
    if phone in _CODA and free and before in _VOWELS:
        syllables[-1][2] = _CODA[phone]
    elif phone in _STOPS and free and before in _SHORT and after not in ("l", "r", "m", "n"):
        syllables[-1][2] = _STOPS[phone]
    elif phone in (*_GLIDES, "N"):
        syllables.append(["ㅇ", "ㅣ" if phone == "y" else "ㅜ", ""])
    elif phone in _SOFT:
        nucleus = "ㅠ" if phone == "S" and after else "ㅣ"
        syllables.append([_ONSET[phone], nucleus, ""])
    else:
        syllables.append([_ONSET[phone], "ㅡ", ""])


def _block(parts: Sequence[str]) -> str:
    onset, nucleus, coda = parts
    place = _ONSETS.index(onset) * len(_NUCLEI) + _NUCLEI.index(nucleus)
    return chr(ord("가") + place * len(_CODAS) + _CODAS.index(coda))
