"""Write phones (see `phones`) in Cyrillic, Arabic, Bengali and Telugu letters, hangul and katakana.

letters.tsv has a column per script, named by language. "ru first" has the letters at the start of a
word. Russian follows Gilyarevsky and Starostin's practical transcription of English names. Bengali
and Telugu write vowels as signs after a consonant, and as the letters of "bn first" elsewhere;
"split" decomposes the phones that they write as several. Japanese has a syllable for a consonant
with each of five vowels ("ja a"); "ja" has bare consonants, and for each vowel one of the five and
the letters that follow it. Hangul follows the Korean rules for loanwords (1986).
"""

from collections.abc import Sequence, Set
from functools import cache
from itertools import pairwise
from pathlib import Path

from ...io.files import read_lines
from .phones import is_vowel, merged

_RUSSIAN_PAIRS = {"йа": "я", "йу": "ю", "иа": "ия", "уу": "ву"}

_ONSETS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_NUCLEI = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_CODAS = ["", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"]
_GLIDES = {  # the form of a nucleus after a glide
    "y": dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅑㅒㅕㅖㅛㅠㅣ", strict=True)),
    "w": dict(zip("ㅏㅐㅓㅔㅗㅜㅣ", "ㅘㅙㅝㅞㅝㅜㅟ", strict=True)),
}
_GLIDED = {"g", "h", "k", "y", "w", "b", "d", "f", "m", "n", "p", "t", "v"}  # in one syllable: quin
_CODA = {"m": "ㅁ", "n": "ㄴ", "N": "ㅇ", "l": "ㄹ"}
_STOPS = {"p": "ㅂ", "t": "ㅅ", "k": "ㄱ"}  # codas after a short vowel
_SHORT = {"a", "e", "i", "o", "u", "U", "e-", "o-", "a-"}
_SOFT = {"C", "J", "Z", "S"}  # without a vowel they take ㅣ, others ㅡ
_SHORT_VOWELS = {"a", "e", "i", "o", "u", "U"}
_DOUBLED = {"p", "t", "d", "k", "g", "C", "J", "S"}  # take a small tsu at the end of a word


def cyrillic(phones: Sequence[str]) -> str:
    """Write one word in Russian letters."""
    sounds = _soft_s(phones)
    vowels = [at for at, phone in enumerate(sounds) if phone[0].lower() in "aeiouwy"]
    text = ""
    for at, phone in enumerate(sounds):
        written = letters("ru")[phone]
        if at == 0:
            written = letters("ru first").get(phone, written)
        elif phone == "a" and sounds[at - 1] in ("J", "S", "C"):
            written = "е"
        elif phone == "a" and len(vowels) == 1 and sounds[at - 1] != "l":
            written = "э"
        elif phone == "ou" and 0 < at < len(sounds) - 1:
            written = "оу"
        text += written
    for spelt, usual in _RUSSIAN_PAIRS.items():
        text = text.replace(spelt, usual)
    return text[:1].upper() + text[1:]


def arabic(phones: Sequence[str]) -> str:
    """Write one word in Arabic letters: long vowels and, as usual in names, most short ones."""
    sounds = _single(_soft_s(phones))
    inside, first = letters("ar"), letters("ar first")
    text = first.get(sounds[0], inside[sounds[0]]) if sounds else ""
    for before, phone in pairwise(sounds):
        last = phone in ("i", "e", "e-", "a-") and sounds[-2:] == [phone, "n"]
        text += "" if last and before not in first else inside[phone]
    return text.replace("اا", "ا").replace("يي", "ي").replace("وو", "و")


def _soft_s(phones: Sequence[str]) -> list[str]:
    """Give a final s pronounced as z its own phone, because Russian writes it as spelt."""
    return [*phones[:-1], "z:"] if phones and phones[-1] == "z" else [*phones]


def _single(phones: Sequence[str]) -> list[str]:
    return [p for at, p in enumerate(phones) if at == 0 or p != phones[at - 1]]


def bengali(phones: Sequence[str]) -> str:
    """Write one word in Bengali letters."""
    return _abugida(phones, "bn", "্", final="", independent={"y", "w"})


def telugu(phones: Sequence[str]) -> str:
    """Write one word in Telugu letters; a final consonant has no vowel."""
    return _abugida(phones, "te", "్", final="్", independent=set())


def _abugida(
    phones: Sequence[str], lang: str, virama: str, *, final: str, independent: Set[str]
) -> str:
    """Join consonants with the virama; write vowels as signs after them, as letters elsewhere."""
    split, signs, vowels = letters("split"), letters(lang), letters(f"{lang} first")
    sounds = _single([part for phone in phones for part in split.get(phone, phone).split(" ")])
    text, consonant = "", False
    for phone in sounds:
        if phone in vowels:
            text += signs[phone] if consonant else vowels[phone]
            consonant = False
        elif phone in independent:
            text += signs[phone]
            consonant = False
        else:
            text += (virama if consonant else "") + signs[phone]
            consonant = True
    return text + (final if consonant else "")


@cache
def letters(column: str) -> dict[str, str]:
    """The letters of a column by phone; empty cells are left out, and ∅ means no letter."""
    path = Path(__file__).with_name("letters.tsv")
    header, *rows = (line.split("\t") for line in read_lines(path))
    at = header.index(column)
    return {row[0]: row[at].replace("∅", "") for row in rows if row[at]}


_LETTERS = letters("ko")  # onsets, and the nuclei of one syllable or two


def hangul(phones: Sequence[str]) -> str:
    """Write one word in hangul."""
    sounds = _joined(phones)
    syllables: list[list[str]] = []  # onset, nucleus, coda
    at = 0
    while at < len(sounds):
        vowel = next((i for i in range(at, min(at + 3, len(sounds))) if is_vowel(sounds[i])), None)
        before = sounds[at:vowel] if vowel is not None else []
        if vowel is not None and (
            len(before) < 2 or (before[-1] in _GLIDES and before[0] in _GLIDED)
        ):
            _double_l(syllables, before)
            syllables += _open(before, sounds[vowel], last=vowel + 1 == len(sounds))
            at = vowel + 1
        else:
            _close(syllables, sounds, at)
            at += 1
    return "".join(map(_block, syllables))


def _joined(phones: Sequence[str]) -> list[str]:
    sounds = merged(phones, ck="k")
    sounds = ["N" if pair == ("n", "k") else pair[0] for pair in pairwise([*sounds, ""])]
    # a final s that sounds as z is written as s in names
    return [*sounds[:-1], "s"] if sounds[-1:] == ["z"] else sounds


def _double_l(syllables: list[list[str]], onset: Sequence[str]) -> None:
    """Double an l between sounds: it belongs to both syllables."""
    if onset == ["l"] and syllables and not syllables[-1][2]:
        syllables[-1][2] = "ㄹ"


def _open(onset: Sequence[str], vowel: str, *, last: bool) -> list[list[str]]:
    """The one or two syllables of a vowel with the preceding consonant and glide."""
    first, *rest = list(_LETTERS[vowel])
    if vowel == "a-" and not last:
        first = "ㅓ"
    elif (*onset, vowel) == ("s", "o-"):
        first = "ㅡ"  # Johnson
    consonant = next((phone for phone in onset if phone not in _GLIDES), "")
    glide = next((phone for phone in onset if phone in _GLIDES), "y" if consonant == "S" else "")
    nucleus = _GLIDES[glide].get(first, first) if glide else first
    return [[_LETTERS[consonant], nucleus, ""], *(["ㅇ", part, ""] for part in rest)]


def _close(syllables: list[list[str]], sounds: Sequence[str], at: int) -> None:
    """Write a consonant without a vowel: as a coda, or as a syllable of its own."""
    free = bool(syllables) and not syllables[-1][2]
    phone, before = sounds[at], sounds[at - 1] if at else ""
    after = sounds[at + 1] if at + 1 < len(sounds) else ""
    if phone == "r" and is_vowel(before):
        return
    if phone in _CODA and free and is_vowel(before):
        syllables[-1][2] = _CODA[phone]
    elif phone in _STOPS and free and before in _SHORT and after not in ("l", "r", "m", "n"):
        syllables[-1][2] = _STOPS[phone]
    elif phone in (*_GLIDES, "N"):
        syllables.append(["ㅇ", "ㅣ" if phone == "y" else "ㅜ", ""])
    elif phone in _SOFT:
        nucleus = "ㅠ" if phone == "S" and after else "ㅣ"
        syllables.append([_LETTERS[phone], nucleus, ""])
    else:
        syllables.append([_LETTERS[phone], "ㅡ", ""])


def _block(parts: Sequence[str]) -> str:
    onset, nucleus, coda = parts
    place = _ONSETS.index(onset) * len(_NUCLEI) + _NUCLEI.index(nucleus)
    return chr(ord("가") + place * len(_CODAS) + _CODAS.index(coda))


_KANA = letters("ja")  # a bare consonant; for a vowel its column and suffix
_SYLLABLES = {vowel: letters(f"ja {vowel}") for vowel in "aiueo"}


def katakana(phones: Sequence[str]) -> str:
    """Write one word in katakana."""
    sounds = merged(phones, ck="k:")
    text, at = "", 0
    while at < len(sounds):
        phone = sounds[at]
        after = sounds[at + 1] if at + 1 < len(sounds) else ""
        onset = "" if is_vowel(phone) else phone
        if onset and is_vowel(after):
            text += _syllable(onset, after, last=at + 2 == len(sounds))
            at += 2
            continue
        text += _alone(sounds, at) if onset else _syllable("", phone, last=not after)
        at += 1
    return text


def _syllable(onset: str, vowel: str, *, last: bool) -> str:
    column, tail = _KANA[vowel][0], _KANA[vowel][1:]
    if vowel == "a" and onset in ("k", "g"):
        onset += "y"
    if (vowel, last) == ("ou", True) or (vowel == "i+" and onset in ("t", "d")):
        tail = ""
    return _SYLLABLES[column][onset] + tail


def _alone(sounds: Sequence[str], at: int) -> str:
    """Write a consonant without a vowel."""
    phone, before = sounds[at], sounds[at - 1] if at else ""
    after = sounds[at + 1] if at + 1 < len(sounds) else ""
    if phone == "k:" and after:
        phone = "k"
    if phone == "m" and after in ("p", "b"):
        return "ン"
    if phone == "N" and after in ("k", "g"):
        return "ン"
    if phone == "v":
        return "ブ"
    alone = _KANA[phone]
    if not after and before in _SHORT_VOWELS and phone in _DOUBLED:
        return "ッ" + alone
    if phone == "k" and before in _SHORT_VOWELS and after == "s" and at + 2 == len(sounds):
        return "ッ" + alone
    return alone
