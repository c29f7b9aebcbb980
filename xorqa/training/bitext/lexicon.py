"""Words and their translations, found in sentence pairs with English by what occurs together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ...core.lang import LANGUAGES
from ...datasets.segments import words
from ...io.files import read_fields, write_text
from .corpus import Pair

FEWEST = 3  # pairs that have both words
DICE = 0.15  # the least that is believed

Lexicon = dict[str, dict[str, str]]
"""Language to English word to its translation, both in small letters."""


def make_lexicon(pairs: Iterable[Pair]) -> Lexicon:
    """The words that are each other's best translation by Dice's coefficient.

    Left out are pairs whose second side is not English, languages that do not divide words by
    blanks, and words that are the same in both.
    """
    by_lang: dict[str, list[tuple[str, str]]] = {}
    for lang, text, other, english in pairs:
        if other == "en" and LANGUAGES[lang].spaced:
            by_lang.setdefault(lang, []).append((english, text))
    made = {lang: _mutual(some) for lang, some in sorted(by_lang.items())}
    return {lang: found for lang, found in made.items() if found}


def write_lexicon(path: Path, lexicon: Lexicon) -> None:
    """One TSV of all languages: language, English word, translation."""
    rows = [(lang, *pair) for lang, found in lexicon.items() for pair in sorted(found.items())]
    write_text(path, "".join("\t".join(row) + "\n" for row in rows))


def read_lexicon(files: Iterable[Path]) -> Lexicon:
    """The lexicon of TSV files.

    Raises:
        DataError: naming the line that has not three fields.
    """
    lexicon: Lexicon = {}
    for file in files:
        for lang, english, word in read_fields(file, 3, "language, English word and translation"):
            lexicon.setdefault(lang, {})[english] = word
    return lexicon


def _mutual(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    english, other = ([_words(text) for text in texts] for texts in zip(*pairs, strict=True))
    (e_names, e_counts, e_ids), (f_names, f_counts, f_ids) = _numbered(english), _numbered(other)
    keys = [
        np.add.outer(es * len(f_names), fs).ravel() for es, fs in zip(e_ids, f_ids, strict=True)
    ]
    found, both = np.unique(np.concatenate(keys), return_counts=True)
    found, both = found[both >= FEWEST], both[both >= FEWEST]
    e, f = found // max(len(f_names), 1), found % max(len(f_names), 1)
    dice = 2 * both / (e_counts[e] + f_counts[f])
    order = np.argsort(dice, kind="stable")
    best_e = dict(zip(e[order].tolist(), order.tolist(), strict=True))  # the last, so the best
    best_f = dict(zip(f[order].tolist(), order.tolist(), strict=True))
    return {
        e_names[a]: f_names[int(f[at])]
        for a, at in best_e.items()
        if best_f[int(f[at])] == at and dice[at] >= DICE and e_names[a] != f_names[int(f[at])]
    }


def _numbered(
    texts: Sequence[frozenset[str]],
) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """The words that occur often enough, in how many texts, and their numbers text by text."""
    counts = Counter(word for some in texts for word in some)
    names = sorted(word for word, count in counts.items() if count >= FEWEST)
    number = {name: at for at, name in enumerate(names)}
    ids = [np.array([number[w] for w in sorted(some) if w in number], np.int64) for some in texts]
    return names, np.array([counts[name] for name in names]), ids


def _words(text: str) -> frozenset[str]:
    found = {text[span.start : span.end].lower() for span in words(text)}
    return frozenset(word for word in found if any(map(str.isalpha, word)))
