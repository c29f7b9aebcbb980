"""p(English word | word) from sentence pairs with English: IBM Model 1, trained by agreement.

Brown et al. 1993, Model 1, in both directions at once: a link between two words of a pair counts
as much as both directions believe in it (alignment by agreement, Liang et al. 2006): the product of
the two posteriors.
"""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core.lang import ENGLISH, LANGUAGES
from ....core.text.phrases import Phrases, joined
from ....core.text.stems import stem
from ....io.word_probabilities import WordProbabilities, table_tokens
from ..common.training_data import Pair

ITERATIONS = 5
MOST_TOKENS = 80  # of a sentence; longer ones are left out
MIN_PROBABILITY = 0.01
WORD = re.compile(r"\w+")
UNSURE = 0.01  # the count of a word whose case may be the text's: all lower, or the first
SHORT_TEXT = 4  # words; a name, whose first word has its own case
PART = re.compile(r"[\s・·]+")  # between the parts of a name
COMPACT_PROBABILITY = 0.1
COMPACT_TRANSLATIONS = 3
COMPACT_COUNT = 0.7  # of expected links
FUNCTION_WORD_COUNT = 5  # of pairs
NO_LINK = 1e-3  # the weight of no translation, against translation probabilities


@dataclass(frozen=True, slots=True)
class _Links:
    """All pairs of words that occur in the same pair of sentences.

    `cell` (links,) numbers the pairs of words; `english_place` and `place` (links,) number the
    occurrences of each word; `english` and `word` (cells,) are the words of each cell.
    """

    cell: NDArray[np.int64]
    english_place: NDArray[np.int64]
    place: NDArray[np.int64]
    english: NDArray[np.int64]
    word: NDArray[np.int64]


def make_word_probabilities(
    pairs: Iterable[Pair], *, words: Collection[Pair] = (), compact: bool = False
) -> WordProbabilities:
    """Translation probabilities of the words of all languages that are paired with English.

    A word is the stem of a token of BM25 (a bigram in scripts written without spaces), or several
    of them, where the pairs `words` have these as the translation of one English word, or as a part
    of a name; these pairs count as well. English stop words are left out. What is missing to 1 is
    the probability that a word has no English translation. Words without a translation of at least
    `MIN_PROBABILITY` are left out. An English word stands for its stem, of which it is the most
    frequent form. A `compact` table has the three likeliest translations, those from 0.1 and from
    `COMPACT_COUNT` expected links; and no words that only translate to themselves. In Latin script,
    frequent words without any that occur in English as well, such as "die", are in it without any,
    so that they are not searched as that word.
    """
    phrases = {lang: Phrases(found) for lang, found in _phrases(words).items()}
    by_lang: dict[str, list[tuple[list[str], list[str]]]] = {}
    forms = EnglishForms()
    for lang, text, other, english in (*pairs, *words):
        if other == ENGLISH and lang in LANGUAGES:
            stems = _stems(text, lang)
            found = phrases[lang].within(stems) if lang in phrases else stems
            forms.count(english)
            row = sorted({*_stems(english, ENGLISH)}), sorted({*found})
            if all(0 < len(side) <= MOST_TOKENS for side in row):
                by_lang.setdefault(lang, []).append(row)
    return {
        lang: forms.written(_probabilities(lang, rows, compact))
        for lang, rows in sorted(by_lang.items())
    }


class EnglishForms:
    """The most frequent form of each English stem, with its capitals."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, float]] = {}
        self._texts: set[str] = set()

    def count(self, text: str) -> None:
        """Count the words of a text that is new; those in an uncertain case as `UNSURE`."""
        if text in self._texts:
            return
        self._texts.add(text)
        words = WORD.findall(text)
        for at, word in enumerate(words):
            unsure = text == text.lower() or (at == 0 and len(words) > SHORT_TEXT)
            if len(stems := _stems(word, ENGLISH)) == 1:
                of_stem = self._counts.setdefault(stems[0], {})
                of_stem[word] = of_stem.get(word, 0.0) + (UNSURE if unsure else 1.0)

    def written(self, words: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The words with the forms of their translations."""
        return {
            word: {self._form(english): p for english, p in translations.items()}
            for word, translations in words.items()
        }

    def _form(self, english: str) -> str:
        counts = self._counts.get(english)
        return max(counts, key=counts.__getitem__) if counts else english


def _stems(text: str, lang: str) -> list[str]:
    return [stem(word, lang) for word in table_tokens(text, lang)]


def _phrases(pairs: Iterable[Pair]) -> dict[str, set[str]]:
    """The words of each language that the pairs have."""
    found: dict[str, set[str]] = {}
    for lang, text, _, english in pairs:
        is_word = len({*_stems(english, ENGLISH)}) == 1
        for part in [text] if is_word else PART.split(text):
            if stems := _stems(part, lang):
                found.setdefault(lang, set()).add(joined(stems))
    return found


def _probabilities(
    lang: str, rows: Sequence[tuple[list[str], list[str]]], compact: bool
) -> dict[str, dict[str, float]]:
    english, words = (_Vocabulary(side) for side in zip(*rows, strict=True))
    links = _links(english, words)
    counts = _expected_counts(links, len(english.names), len(words.names))
    p = counts / words.counts[links.word]
    table: dict[str, dict[str, float]] = {}
    for at in np.flatnonzero(p >= MIN_PROBABILITY):
        word, translation = words.names[links.word[at]], english.names[links.english[at]]
        table.setdefault(word, {})[translation] = min(float(p[at]), 1.0)
    if not compact:
        return table
    shared = {*words.names} & {*english.names} if LANGUAGES[lang].script == "Latn" else ()
    return _compact(table, words, shared)


def _compact(
    table: Mapping[str, Mapping[str, float]], words: "_Vocabulary", shared: Container[str]
) -> dict[str, dict[str, float]]:
    counts = dict(zip(words.names, words.counts.tolist(), strict=True))
    compact: dict[str, dict[str, float]] = {}
    for word, count in counts.items():
        translations = table.get(word, {})
        best = _likeliest(translations, count)
        is_function_word = not best and word in shared and word not in translations
        if best.keys() - {word} or (is_function_word and count >= FUNCTION_WORD_COUNT):
            compact[word] = best
    return compact


def _likeliest(translations: Mapping[str, float], count: float) -> dict[str, float]:
    """The translations of a word of that many pairs that a compact table has."""
    least = max(COMPACT_PROBABILITY, COMPACT_COUNT / count)
    best = sorted(translations.items(), key=lambda item: (-item[1], item[0]))
    return {english: p for english, p in best[:COMPACT_TRANSLATIONS] if p >= least}


class _Vocabulary:
    """The words of one side: `names`, the number of sentences of each, and the ids by sentence."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        count = Counter(word for sentence in sentences for word in sentence)
        self.names = list(count)
        self.counts = np.array(list(count.values()), np.float64)
        number = {name: index for index, name in enumerate(self.names)}
        self.ids = [np.array([number[word] for word in row], np.int64) for row in sentences]


def _links(english: _Vocabulary, words: _Vocabulary) -> _Links:
    codes, english_places, places = [], [], []
    english_start = start = 0
    for es, fs in zip(english.ids, words.ids, strict=True):
        codes.append(np.add.outer(es * len(words.names), fs).ravel())
        english_places.append(np.repeat(np.arange(len(es)) + english_start, len(fs)))
        places.append(np.tile(np.arange(len(fs)) + start, len(es)))
        english_start, start = english_start + len(es), start + len(fs)
    cells, cell = np.unique(np.concatenate(codes), return_inverse=True)
    at = cells // len(words.names), cells % len(words.names)
    return _Links(cell, np.concatenate(english_places), np.concatenate(places), *at)


def _expected_counts(links: _Links, english: int, words: int) -> NDArray[np.float64]:
    """The expected number of links of each cell after `ITERATIONS` rounds."""
    to_english = np.ones(len(links.word))  # p(English word | word), up to a factor at first
    from_english = np.ones(len(links.word))
    counts = to_english
    for _ in range(ITERATIONS):
        forward, backward = to_english[links.cell], from_english[links.cell]
        forward = (
            forward / (NO_LINK + np.bincount(links.english_place, forward))[links.english_place]
        )
        backward = backward / (NO_LINK + np.bincount(links.place, backward))[links.place]
        counts = np.bincount(links.cell, forward * backward, len(links.word)).astype(np.float64)
        to_english = counts / np.bincount(links.word, counts, words)[links.word]
        from_english = counts / np.bincount(links.english, counts, english)[links.english]
    return counts
