"""The likeliest English translations of the words of a text, from a table of probabilities."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..core.text.phrases import Phrases
from ..core.text.search_tokens import fold_1, in_bigrams
from ..core.text.stems import stem
from ..io.files import sha256_once
from ..io.word_probabilities import read_word_probabilities, table_files, table_tokens

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
        self._by_lang: dict[str, _Words] = {}

    @cached_property
    def hashes(self) -> list[str]:
        """The hashes of its files."""
        return [sha256_once(path) for path in table_files(self.path)]

    def words(self, text: str, lang: str, *, translated: bool = True) -> list[Word]:
        """The words of a text in order; its tokens, if not `translated` or without a table.

        A word is the stem of a token or, if the table lacks that, the token; or several of them.
        """
        return self._words(table_tokens(text, lang), lang if translated else "")

    def _words(self, tokens: Sequence[str], lang: str) -> list[Word]:
        words = self._of(lang)
        if not words.table:
            return [Word(token, at, None) for at, token in enumerate(tokens)]
        known = [_known(token, lang, words.phrases.parts) for token in tokens]
        return [Word(word, at, words.table.get(word)) for word, at in words.phrases.placed(known)]

    def glosses(self, text: str, lang: str, most: int) -> list[tuple[int, list[str]]]:
        """Where each word starts that has translations, and the likeliest of these."""
        tokens = table_tokens(text, lang)
        starts, words = list(_starts(text, lang, tokens)), self._words(tokens, lang)
        return [(starts[word.token], word.likeliest(most)) for word in words if word.translations]

    def _of(self, lang: str) -> "_Words":
        if lang not in self._by_lang:
            table = read_word_probabilities(self.path, lang).get(lang, {}) if lang else {}
            self._by_lang[lang] = _Words(table, Phrases(table))
        return self._by_lang[lang]


@dataclass(frozen=True, slots=True)
class _Words:
    """The translations of the words of one language, and those words that are phrases."""

    table: Mapping[str, Mapping[str, float]]
    phrases: Phrases


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


def _known(word: str, lang: str, known: Container[str]) -> str:
    """The word's stem, or itself if that is not known."""
    its_stem = stem(word, lang)
    return its_stem if its_stem in known else word
