"""The approximate pronunciation of an English spelling of a name: letters to phones, by rule.

Only distinctions that other scripts need are made. Vowels keep their letter where the usual
transcriptions follow the spelling. A phone is one of:

- consonants as IPA writes them, but T D (thin, then), N (sing), S Z (shoe, vision), C J (chin,
  jam), and q, a k that is spelt ck;
- short vowels a e i o u, U (good), a- e- o- (unstressed, spelt so), i+ (a final y);
- long vowels A I O W (father, see, law, moon), Y (you); ei ai oi au ou;
- ar or er ir ur (before no vowel), and ar- er- or- (unstressed at the end).
"""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ...core.text.normalize import strip_accents
from ...io.files import read_lines

_CLASSES = {"V": "[aeiouy]", "C": "[b-df-hj-np-tv-xz]"}
_RULES = Path(__file__).with_suffix(".txt")
_WHOLE = str.maketrans(
    {"’": "'", "æ": "ae", "ð": "d", "ł": "l", "ø": "o", "œ": "oe", "ß": "ss", "þ": "th"}
)
"""Letters that Unicode does not take apart."""


def sounds(word: str) -> tuple[str, ...]:
    """The phones of one word; characters without a rule (digits, other scripts) are skipped."""
    text = strip_accents(word.lower().translate(_WHOLE))
    phones: list[str] = []
    at = 0
    while at < len(text):
        size, matched = next(
            (
                (len(letters), rule_phones)
                for letters, before, after, rule_phones in _rules().get(text[at], ())
                if text.startswith(letters, at)
                and after.match(text, at + len(letters))
                and before.search(text[:at])
            ),
            (1, ()),
        )
        phones += matched
        at += size
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
