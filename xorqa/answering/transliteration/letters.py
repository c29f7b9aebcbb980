"""Names by their sound: English spelling to phones, and phones to the letters of other scripts.

The rules of phones.txt map letters to phones, the approximate pronunciation of a name. Only
distinctions that other scripts need are made. Vowels keep their letter where the usual
transcriptions follow the spelling. A phone is one of:

- consonants as IPA writes them, but T D (thin, then), N (sing), S Z (shoe, vision), C J (chin,
  jam), and q, a k that is spelt ck;
- short vowels a e i o u, U (good), a- e- o- (unstressed, spelt so), i+ (a final y);
- long vowels A I O W (father, see, law, moon), Y (you); ei ai oi au ou;
- ar or er ir ur (before no vowel), and ar- er- or- (unstressed at the end).

letters.tsv has a column per script, named by language. "ru first" has the letters at the start of a
word. Russian follows Gilyarevsky and Starostin's practical transcription of English names. Bengali
and Telugu write vowels as signs after a consonant, and as the letters of "bn first" elsewhere;
"split" decomposes the phones that they write as several. Japanese has a syllable for a consonant
with each of five vowels ("ja a"); "ja" has bare consonants, and for each vowel one of the five and
the letters that follow it. Hangul follows the Korean rules for loanwords (1986).
"""

import re
from collections.abc import Sequence, Set
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

from ...core.text.normalize import strip_accents
from ...io.files import read_lines

_CLASSES = {"V": "[aeiouy]", "C": "[b-df-hj-np-tv-xz]"}
_RULES = Path(__file__).with_name("phones.txt")
_WHOLE = str.maketrans(
    {"’": "'", "æ": "ae", "ð": "d", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss", "þ": "th"}
)
"""Letters that Unicode does not take apart."""

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


def phones_of(word: str) -> tuple[str, ...]:
    """The phones of one word; characters without a rule (digits, other scripts) are skipped."""
    text = strip_accents(word.lower().translate(_WHOLE))
    phones: list[str] = []
    start = 0
    while start < len(text):
        end = start + 1
        for letters, before, after, rule_phones in _rules().get(text[start], ()):
            rule_end = start + len(letters)
            applies = text.startswith(letters, start) and after.match(text, rule_end)
            if applies and before.search(text[:start]):
                phones += rule_phones
                end = rule_end
                break
        start = end
    return tuple(phones)


def is_vowel(phone: str) -> bool:
    """Whether a phone is a vowel; Y, a consonant followed by a vowel, is not."""
    return phone[:1] in {*"aeiouUAIOW"}


def merged(phones: Sequence[str], *, ck: str) -> list[str]:
    """The phones with doubled consonants merged, Y and ts as pronounced, and `ck` for q."""
    result: list[str] = []
    for phone in phones:
        if phone == "Y":
            result += ["y", "W"]
        elif result and result[-1] == "t" and phone in ("s", "z"):
            result[-1] = "ts"
        elif phone == "q":
            result.append(ck)
        elif not result or result[-1] != phone or is_vowel(phone):
            result.append(phone)
    return result


@cache
def _rules() -> dict[str, list[tuple[str, re.Pattern[str], re.Pattern[str], tuple[str, ...]]]]:
    """The rules by their first letter, in order: letters, before, after, phones."""
    table: dict[str, list[tuple[str, re.Pattern[str], re.Pattern[str], tuple[str, ...]]]] = {}
    lines = (line for line in read_lines(_RULES) if not line.startswith("#"))
    for rule in " ".join(lines).split():
        spelt, _, result = rule.partition("=")
        spelt, _, before = spelt.partition("!")
        letters, _, after = spelt.partition(".")
        phones = tuple(phone for phone in result.split(",") if phone)
        row = letters, _pattern(before, end=True), _pattern(after), phones
        table.setdefault(letters[0], []).append(row)
    return table


def _pattern(short: str, *, end: bool = False) -> re.Pattern[str]:
    """The pattern of the text after some letters or, with `end`, before them."""
    long = "".join(_CLASSES.get(char, char) for char in short)
    return re.compile(f"(?:{long})$" if end and short else long)


def cyrillic(phones: Sequence[str]) -> str:
    """Write one word in Russian letters."""
    sounds = _soft_s(phones)
    vowels = [phone for phone in sounds if phone[0].lower() in "aeiouwy"]
    text = ""
    for position, phone in enumerate(sounds):
        written = letters("ru")[phone]
        if position == 0:
            written = letters("ru first").get(phone, written)
        elif phone == "a" and sounds[position - 1] in ("J", "S", "C"):
            written = "е"
        elif phone == "a" and len(vowels) == 1 and sounds[position - 1] != "l":
            written = "э"
        elif phone == "ou" and position < len(sounds) - 1:
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
    return [phone for phone, _ in groupby(phones)]


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
    position = header.index(column)
    return {row[0]: row[position].replace("∅", "") for row in rows if row[position]}


_LETTERS = letters("ko")  # onsets, and the nuclei of one syllable or two


def hangul(phones: Sequence[str]) -> str:
    """Write one word in hangul."""
    sounds = merged(phones, ck="k")
    sounds = ["N" if pair == ("n", "k") else pair[0] for pair in pairwise([*sounds, ""])]
    if sounds[-1:] == ["z"]:
        sounds[-1] = "s"  # as names are written, although it sounds as z
    syllables: list[list[str]] = []  # onset, nucleus, coda
    start = 0
    while start < len(sounds):
        ahead = range(start, min(start + 3, len(sounds)))
        vowel = next((position for position in ahead if is_vowel(sounds[position])), None)
        onset = sounds[start:vowel] if vowel is not None else []
        if vowel is not None and (len(onset) < 2 or (onset[-1] in _GLIDES and onset[0] in _GLIDED)):
            if onset == ["l"] and syllables and not syllables[-1][2]:
                syllables[-1][2] = "ㄹ"  # an l between vowels belongs to both syllables
            syllables += _open(onset, sounds[vowel], last=vowel + 1 == len(sounds))
            start = vowel + 1
        else:
            _close(syllables, sounds, start)
            start += 1
    text = ""
    for initial, nucleus, coda in syllables:  # as Unicode orders the syllables
        place = _ONSETS.index(initial) * len(_NUCLEI) + _NUCLEI.index(nucleus)
        text += chr(ord("가") + place * len(_CODAS) + _CODAS.index(coda))
    return text


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


def _close(syllables: list[list[str]], sounds: Sequence[str], position: int) -> None:
    """Write a consonant without a vowel: as a coda, or as a syllable of its own."""
    free = bool(syllables) and not syllables[-1][2]
    before, phone, after = _neighbours(sounds, position)
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


_KANA = letters("ja")  # a bare consonant; for a vowel its column and suffix
_SYLLABLES = {vowel: letters(f"ja {vowel}") for vowel in "aiueo"}


def katakana(phones: Sequence[str]) -> str:
    """Write one word in katakana."""
    sounds = merged(phones, ck="k:")
    text, position = "", 0
    while position < len(sounds):
        _, phone, after = _neighbours(sounds, position)
        if is_vowel(phone):
            text += _syllable("", phone, last=not after)
        elif is_vowel(after):
            text += _syllable(phone, after, last=position + 2 == len(sounds))
            position += 1
        else:
            text += _alone(sounds, position)
        position += 1
    return text


def _syllable(onset: str, vowel: str, *, last: bool) -> str:
    column, tail = _KANA[vowel][0], _KANA[vowel][1:]
    if vowel == "a" and onset in ("k", "g"):
        onset += "y"
    if (vowel, last) == ("ou", True) or (vowel == "i+" and onset in ("t", "d")):
        tail = ""
    return _SYLLABLES[column][onset] + tail


def _alone(sounds: Sequence[str], position: int) -> str:
    """Write a consonant without a vowel."""
    before, phone, after = _neighbours(sounds, position)
    if phone == "k:" and after:
        phone = "k"
    if (phone == "m" and after in ("p", "b")) or (phone == "N" and after in ("k", "g")):
        return "ン"
    if phone == "v":
        return "ブ"
    final_ks = (phone, after) == ("k", "s") and position + 2 == len(sounds)
    doubled = final_ks or (not after and phone in _DOUBLED)
    return ("ッ" if doubled and before in _SHORT_VOWELS else "") + _KANA[phone]


def _neighbours(sounds: Sequence[str], position: int) -> tuple[str, str, str]:
    """The phone at a position between the one before and the one after it, "" at the ends."""
    before, phone, after = ["", *sounds, ""][position : position + 3]
    return before, phone, after
