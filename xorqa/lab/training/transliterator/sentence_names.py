"""Names in sentence pairs: what people and places are called in questions and translations.

A name of an English sentence is paired with the words of the other sentence that sound most like
it. Endings and prefixes that a language attaches to names (Korean particles, Bengali, Telugu and
Russian cases, Arabic prepositions) are removed if the rest is closer to the name's spelling by
rule.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from ....answering.transliteration.transliterate import is_name, spell
from ..common.training_data import Pair
from .name_sources import Names
from .scores import edit_distance
from .spelling import LETTERS, SEPARATORS, is_transliteration, is_written_in, words_of

_CAPITALISED = re.compile(
    r"(?<!^)(?<![.!?\"] )\b[A-ZÀ-Þ][\w'’-]+(?: (?:(?:da|de|del|di|la|van|von) )?[A-ZÀ-Þ][\w'’-]+)*"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_SHORTEST = 4  # characters of an English name
FURTHEST, FURTHEST_REPEATED = 0.4, 0.6  # edits per character, of a name found once or more often
_SUFFIXES = {
    "bn": ("কে", "তে", "ের", "র", "ে", "য়"),
    "ko": (
        *("에서는", "에서", "에게", "에는", "까지", "부터"),
        *("으로", "이라는", "이란", "처럼", "보다"),
        *("은", "는", "이", "가", "을", "를", "의", "에", "로", "와", "과", "도", "인"),
    ),
    "ru": ("ом", "ой", "ем", "а", "у", "е", "ы", "и", "я", "ю"),
    "te": ("లోని", "యొక్క", "లో", "కి", "కు", "ను", "ని", "తో"),
}
_ALPHABETS = LETTERS | {  # all letters and marks of a script, so that no word is cut at a rare one
    "ar": "\u0621-\u06ff",
    "bn": "\u0980-\u09e3",
    "ru": "\u0400-\u04ff",
    "te": "\u0c00-\u0c63",
}
_PREFIXES = {"ar": ("وال", "بال", "لل", "ب", "ل", "و")}


def sentence_names(pairs: Iterable[Pair]) -> Names:
    """The names in sentence pairs with English, each with its most frequent form."""
    forms: dict[tuple[str, str], Counter[str]] = {}
    for lang, text, other, english in pairs:
        if other == "en" and lang in LETTERS:
            for name in names_in(english):
                if form := form_in(text, name, lang):
                    forms.setdefault((lang, name), Counter())[form] += 1
    for (lang, name), counts in forms.items():
        form, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        if distance(form, name, lang) <= (FURTHEST if count == 1 else FURTHEST_REPEATED):
            yield lang, name, (form,)


def names_in(english: str) -> Iterator[str]:
    """The names of an English sentence, without those that begin it."""
    for match in _CAPITALISED.findall(english):
        name = _POSSESSIVE.sub("", match)
        if len(name) >= _SHORTEST and is_name(name):
            yield name


def form_in(text: str, name: str, lang: str) -> str | None:
    """The words of a text that are a name's transliteration, without endings; None if none are."""
    count, letters = len(words_of(name)), _ALPHABETS[lang]
    runs = re.findall(
        rf"[{letters}]+(?:{SEPARATORS.pattern}[{letters}]+)*", unicodedata.normalize("NFC", text)
    )
    candidates = (
        " ".join(words[start : start + count])
        for words in map(words_of, runs)
        for start in range(len(words) - count + 1)
    )
    written = (words for words in candidates if is_written_in(lang, words))
    sounding = [words for words in written if is_transliteration(name, words)]
    forms = [form for words in sounding for form in _without_affixes(words, lang)]
    return min(forms, key=lambda form: (distance(form, name, lang), -len(form)), default=None)


def _without_affixes(form: str, lang: str) -> Iterator[str]:
    """A form as it is, and without each ending or prefix of its language."""
    yield form
    for suffix in _SUFFIXES.get(lang, ()):
        if form.endswith(suffix) and len(form) > len(suffix) + 1:
            yield form.removesuffix(suffix)
    for prefix in _PREFIXES.get(lang, ()):
        if form.startswith(prefix) and len(form) > len(prefix) + 1:
            yield form.removeprefix(prefix)


def distance(form: str, name: str, lang: str) -> float:
    """The edits from a name's spelling by rule to a form, per character."""
    rule = _spelled(name, lang)
    return edit_distance(_decomposed(form), rule) / max(1, len(rule))


@cache
def _spelled(name: str, lang: str) -> str:
    return _decomposed(" ".join(words_of(spell(name, lang))))


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFD", text)
