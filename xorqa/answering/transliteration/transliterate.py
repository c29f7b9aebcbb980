"""Transliterate English names word by word, and decide which texts are names.

A text is a name if it has one to four words of letters that begin with a capital (or are a
particle such as "van"), and either none of them is an ordinary word, or there are several and
the first is a given name in the table. Ordinary words are those that English encyclopedic text
writes in lower case. Acronyms, and texts with "the", "of" or "and", are not names.

words.txt has 6,000 ordinary words: the most frequent words in SQuAD v1.1's training paragraphs
that are lower-cased in at least a quarter of their occurrences inside sentences. names.tsv has
the usual forms of frequent English given names and surnames, and of the states of the USA;
famous.tsv has those of famous people and places. attested.tsv has words that `xorqa train
name-words` found in sentence pairs, spellings.tsv other frequent words of names.

Trained weights transliterate what the tables lack; uncertain forms are left to the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

from ...models.adapters import shipped
from ...models.transliterator import TransliteratorModel
from .letters import arabic, bengali, cyrillic, hangul, katakana, phones_of, telugu
from .name_table import ATTESTED, BUNDLED, FAMOUS, SPELLINGS, key, read_titles

TABLES = FAMOUS, BUNDLED, ATTESTED, SPELLINGS
"""The tables of words of names, in this order. Training uses only the first two."""
_WORDS = Path(__file__).parent / "words.txt"
_MOST_WORDS = 4
_PARTICLES = {"da", "de", "del", "della", "den", "der", "di", "du", "la", "le", "van", "von"}
_EXTENDED = "".join(map(chr, range(0x100, 0x180)))  # Latin Extended-A: Ř, ř
_CAPITAL = "[A-ZÀ-Þ" + "".join(filter(str.isupper, _EXTENDED)) + "]"
_SMALL = "a-zß-ÿ" + "".join(filter(str.islower, _EXTENDED))
_WORD = re.compile(
    rf"(?:{_CAPITAL}[{_SMALL}'’]*\.?|(?:Mc|Mac|Fitz|D[aeiu]|L[ae]|Van|O['’]){_CAPITAL}[{_SMALL}]+)"
    rf"(?:-{_CAPITAL}[{_SMALL}]+)*"
)
_INITIAL = re.compile(r"[A-Z]\.?")
_SCRIPTS: dict[str, tuple[Callable[[Sequence[str]], str], str, str]] = {
    # the script, the separator of words, and the separator of the parts of a hyphenated word
    "ar": (arabic, " ", " "),
    "bn": (bengali, " ", "-"),
    "ja": (katakana, "・", "＝"),
    "ko": (hangul, " ", " "),
    "ru": (cyrillic, " ", "-"),
    "te": (telugu, " ", "-"),
}

BUNDLED_MODEL = "transliterator"
BEAMS = 4


def transliterate(text: str, lang: str) -> str | None:
    """A name in the script of `lang`; None if it is not a name, or for other languages."""
    if lang not in _SCRIPTS or not is_name(text):
        return None
    return spell(text, lang, tables=TABLES)


def spell(
    name: str, lang: str, learned: Sequence[str] = (), *, tables: Sequence[Path] = TABLES[:2]
) -> str:
    """A name, of any length, in the script of `lang`, word by word.

    `learned` has a model's spelling of each of `parts_of` the name, or is empty. Words in the
    tables and initials are never taken from it.
    """
    _, between, _ = _SCRIPTS[lang]
    forms = iter(learned)
    return between.join(_word(word, lang, forms, tables) for word in name.split())


def parts_of(name: str) -> list[str]:
    """The words of a name; those joined by hyphens are several."""
    return name.replace("-", " ").split()


def needs_sounds(name: str, lang: str, *, tables: Sequence[Path] = TABLES[:2]) -> bool:
    """Whether a word of the name is neither in the tables nor an initial."""
    words = name.split()
    return any(not (_known(word, lang, tables) or _INITIAL.fullmatch(word)) for word in words)


def is_name(text: str) -> bool:
    """Whether a text is a name by the rule above."""
    words = text.split()
    if not 0 < len(words) <= _MOST_WORDS or words[0].lower() in _PARTICLES:
        return False
    if not all(_WORD.fullmatch(word) or word in _PARTICLES for word in words):
        return False
    full = [word for word in words if not _INITIAL.fullmatch(word)]
    if not full:
        return False
    given = len(words) > 1 and ("ja", key(words[0])) in read_titles(BUNDLED)
    return given or not any(key(word) in _ordinary() for word in full if word not in _PARTICLES)


def without_article(text: str, lang: str) -> str:
    """A name without "the"; "The" is part of a title ("The Kinks") unless the tables have the rest.

    Example:
        >>> without_article("the Levant", "ru"), without_article("The Congo", "ru")
        ('Levant', 'Congo')
        >>> without_article("The Kinks", "ru")
        'The Kinks'
    """
    article, _, name = text.partition(" ")
    if article == "the" or (article == "The" and not needs_sounds(name, lang, tables=TABLES)):
        return name
    return text


def _word(word: str, lang: str, learned: Iterator[str], tables: Sequence[Path]) -> str:
    """One word; the next form of `learned` for each of its parts is used where none is known."""
    script, _, hyphen = _SCRIPTS[lang]
    if known := _known(word, lang, tables):
        for _ in parts_of(word):
            next(learned, None)
        return known
    if "-" in word:
        return hyphen.join(_word(part, lang, learned, tables) for part in word.split("-"))
    form = next(learned, None)
    if _INITIAL.fullmatch(word):
        if lang in ("ja", "ko"):  # they write initials in Latin letters
            return word[0] + ("." if lang == "ko" else "")
        return script(phones_of(word[0]))[:1] + "."
    return form or script(phones_of(word))


def _known(word: str, lang: str, tables: Sequence[Path]) -> str | None:
    """A word's form in the first table that has it."""
    forms = (read_titles(table).get((lang, key(word))) for table in tables)
    return next(filter(None, forms), None)


@cache
def _ordinary() -> frozenset[str]:
    """The keys of words that English mostly writes in lower case."""
    return frozenset(_WORDS.read_text(encoding="utf-8").split())


class LearnedTransliterator:
    """The names that a model is sure enough of, by the thresholds fitted after its training.

    `model` is a shipped transliterator's name or a file.

    Raises:
        WeightsError: if there is no such file, or it is not a transliterator's.
    """

    def __init__(self, model: str) -> None:
        self.model = TransliteratorModel(model)
        self._spelled: dict[tuple[str, str], str | None] = {}

    @cached_property
    def sha(self) -> str:
        """The hash that identifies the weights."""
        return self.model.adapter.sha

    def transliterate(self, text: str, lang: str) -> str | None:
        """A name in the script of `lang`; None if it is not a name or the rules suffice."""
        self.prepare([text], lang)
        return self._spelled.get((lang, text))

    def prepare(self, texts: Iterable[str], lang: str) -> None:
        """Transliterate names in one batch, so that `transliterate` only looks them up."""
        if lang not in self.model.alphabet.langs:
            return
        new = [
            text
            for text in dict.fromkeys(texts)
            if (lang, text) not in self._spelled
            and is_name(text)
            and needs_sounds(text, lang, tables=TABLES)
        ]
        plain = [" ".join(parts_of(text)) for text in new]
        threshold = self.model.thresholds.get(lang, 0.0)
        ranked = self.model.transliterate(plain, lang, beams=BEAMS) if plain else []
        for text, candidates in zip(new, ranked, strict=True):
            count = len(parts_of(text))
            fitting = [name for name in candidates if len(name.text.split()) == count]
            if fitting and fitting[0].probability >= threshold:
                learned = fitting[0].text.split()
                self._spelled[lang, text] = spell(text, lang, learned, tables=TABLES)
            else:
                self._spelled[lang, text] = None


def open_learned(model: str | None) -> LearnedTransliterator | None:
    """The transliterator of a setting: "bundled" is ours if it is shipped; None is none.

    Raises:
        WeightsError: if there is no such file, or it is not a transliterator's.
    """
    if model == "bundled":
        model = BUNDLED_MODEL if BUNDLED_MODEL in shipped() else None
    return LearnedTransliterator(model) if model else None
