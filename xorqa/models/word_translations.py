"""The likeliest English translations of the words of a text, from a table of probabilities."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from ..core.text.search_tokens import fold_1, in_bigrams
from ..io.files import sha256_once
from ..io.word_probabilities import (
    read_english_words,
    read_word_probabilities,
    table_files,
    table_tokens,
)
from .known_words import VERSION, KnownWords

BUNDLED_TABLE = Path(__file__).with_name("words")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the table has it, and the position of its first token among those of the text.

    `translations` are None if the table lacks the word.
    """

    text: str
    token: int
    translations: Mapping[str, float] | None

    def likeliest(self, most: int) -> list[str]:
        """The English words it most probably means."""
        found = self.translations or {}
        return sorted(found, key=lambda english: (-found[english], english))[:most]


class WordTranslations:
    """A table: a file or a folder of `xorqa train lexicon --probabilities`; default: ours."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or BUNDLED_TABLE
        self._by_lang: dict[str, tuple[Mapping[str, Mapping[str, float]], KnownWords]] = {}

    @cached_property
    def hashes(self) -> list[str]:
        """The hashes of its files, and the version of the look-up."""
        return [*(sha256_once(path) for path in table_files(self.path)), f"look-up {VERSION}"]

    def words(self, text: str, lang: str, same: Container[str] = ()) -> list[Word]:
        """The words of a text in order; its tokens, if the table lacks its language.

        `KnownWords` decides which words the tokens are; `same` are those that mean themselves.
        """
        return self._words(table_tokens(text, lang), lang, same)

    def _words(self, tokens: Sequence[str], lang: str, same: Container[str]) -> list[Word]:
        table, known = self._of(lang)
        return [Word(word, at, table.get(word)) for word, at in known.placed(tokens, same)]

    @cached_property
    def _english(self) -> frozenset[str]:
        return frozenset(map(str.casefold, read_english_words(self.path)))

    def glosses(self, text: str, lang: str, most: int) -> list[tuple[int, list[str]]]:
        """Where each word starts that has translations, and the likeliest of these."""
        tokens = table_tokens(text, lang)
        starts, words = list(_starts(text, lang, tokens)), self._words(tokens, lang, self._english)
        return [(starts[word.token], word.likeliest(most)) for word in words if word.translations]

    def _of(self, lang: str) -> tuple[Mapping[str, Mapping[str, float]], KnownWords]:
        if lang not in self._by_lang:
            table = read_word_probabilities(self.path, lang).get(lang, {})
            self._by_lang[lang] = table, KnownWords(table, lang)
        return self._by_lang[lang]


bundled_words = cache(WordTranslations)
"""Our table, which is read once."""


def _starts(text: str, lang: str, tokens: Sequence[str]) -> Iterator[int]:
    """Where each token starts in a text; one that is not found, at the end of the one before."""
    characters = [fold_1(character, lang) for character in text]
    places = [at for at, letters in enumerate(characters) for _ in letters]
    folded, at = "".join(characters), 0
    for token in tokens:
        found = folded.find(token, at)
        yield places[min(max(found, at), len(places) - 1)]
        if found >= 0:
            at = found + (1 if in_bigrams(token[0]) else len(token))
