"""Word translations from sentence pairs with English, by co-occurrence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from ....core.lang import LANGUAGES
from ....core.text.words import word_spans
from ....io.files import read_fields, write_text
from .corpus import Pair

MIN_PAIRS = 3  # minimum number of pairs that contain both words
MIN_DICE = 0.15

Lexicon = dict[str, dict[str, str]]
"""Language to English word to its translation, both in lower case."""


def make_lexicon(pairs: Iterable[Pair]) -> Lexicon:
    """Extract words that are each other's best translation by Dice's coefficient.

    It skips pairs whose second side is not English, languages that are not among `LANGUAGES` or
    are written without spaces, and words that are the same in both languages.
    """
    by_lang: dict[str, list[tuple[str, str]]] = {}
    for lang, text, other, english in pairs:
        if other == "en" and lang in LANGUAGES and LANGUAGES[lang].spaced:
            by_lang.setdefault(lang, []).append((english, text))
    entries = {lang: _mutual(texts) for lang, texts in sorted(by_lang.items())}
    return {lang: translations for lang, translations in entries.items() if translations}


def write_lexicon(path: Path, lexicon: Lexicon) -> None:
    """One TSV of all languages: language, English word, translation."""
    rows = [(lang, *pair) for lang, of_lang in lexicon.items() for pair in sorted(of_lang.items())]
    write_text(path, "".join("\t".join(row) + "\n" for row in rows))


def read_lexicon(files: Iterable[Path]) -> Lexicon:
    """The lexicon of TSV files.

    Raises:
        DataError: naming the line that does not have three fields.
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
    codes, both = np.unique(np.concatenate(keys), return_counts=True)
    codes, both = codes[both >= MIN_PAIRS], both[both >= MIN_PAIRS]
    e, f = codes // max(len(f_names), 1), codes % max(len(f_names), 1)
    dice = 2 * both / (e_counts[e] + f_counts[f])
    order = np.argsort(dice, kind="stable")
    best_e = dict(zip(e[order].tolist(), order.tolist(), strict=True))  # the last one is the best
    best_f = dict(zip(f[order].tolist(), order.tolist(), strict=True))
    return {
        e_names[a]: f_names[int(f[at])]
        for a, at in best_e.items()
        if best_f[int(f[at])] == at and dice[at] >= MIN_DICE and e_names[a] != f_names[int(f[at])]
    }


def _numbered(texts: Sequence[frozenset[str]]) -> tuple[list[str], np.ndarray, list[np.ndarray]]:
    """The frequent words, the number of texts of each, and each text's word ids."""
    counts = Counter(word for text in texts for word in text)
    names = sorted(word for word, count in counts.items() if count >= MIN_PAIRS)
    number = {name: at for at, name in enumerate(names)}
    ids = [np.array([number[w] for w in sorted(text) if w in number], np.int64) for text in texts]
    return names, np.array([counts[name] for name in names]), ids


def _words(text: str) -> frozenset[str]:
    lowered = {text[span.start : span.end].lower() for span in word_spans(text)}
    return frozenset(word for word in lowered if any(map(str.isalpha, word)))
