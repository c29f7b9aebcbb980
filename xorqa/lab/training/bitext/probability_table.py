"""Writes tables of translation probabilities, as `io.word_probabilities` reads them."""

import bz2
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise, takewhile
from pathlib import Path
from zipfile import ZIP_BZIP2, ZipFile, ZipInfo

import numpy as np

from ....io.files import atomic_path, write_text
from ....io.word_probabilities import ENGLISH_WORDS, PACKED, WordProbabilities, table_files

MOST_SHARED = 255  # a byte


def write_word_probabilities(path: Path, table: WordProbabilities) -> None:
    """Write the words of each language in order, translations by probability.

    Without a suffix, `path` is a folder for a packed file per language.
    """
    ordered = {
        lang: {word: _by_probability(words[word]) for word in sorted(words)}
        for lang, words in sorted(table.items())
        if words
    }
    if path.suffix:
        rows = (
            f"{lang}\t{word}\t{english}\t{p:.4g}\n"
            for lang, words in ordered.items()
            for word, translations in words.items()
            for english, p in translations.items()
        )
        write_text(path, "".join(rows))
        return
    english = sorted({one for words in table.values() for row in words.values() for one in row})
    files = {path / f"{lang}{PACKED}": _packed(words, english) for lang, words in ordered.items()}
    files[path / ENGLISH_WORDS] = bz2.compress("\n".join(english).encode())
    for file, packed in files.items():
        with atomic_path(file) as temporary:
            temporary.write_bytes(packed)
    for earlier in {*table_files(path)} - files.keys():
        earlier.unlink()


def _by_probability(translations: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(translations.items(), key=lambda item: (-item[1], item[0])))


def _packed(words: Mapping[str, Mapping[str, float]], english: Sequence[str]) -> bytes:
    number = {word: at for at, word in enumerate(english)}
    numbers = [number[one] for translations in words.values() for one in translations]
    shares = [p for translations in words.values() for p in translations.values()]
    shared = [min(_shared(*pair), MOST_SHARED) for pair in pairwise(["", *words])]
    rests = (word[length:] for word, length in zip(words, shared, strict=True))
    parts = {
        "words": "\n".join(rests).encode(),
        "shared": bytes(shared),
        "counts": bytes(map(len, words.values())),
        "english": np.array(numbers, "<u4").view(np.uint8).reshape(-1, 4).T.tobytes(),
        "tenths": bytes(min(int(p * 10), 9) for p in shares),
    }
    with BytesIO() as stream:
        with ZipFile(stream, "w", ZIP_BZIP2) as file:
            for name, part in parts.items():
                file.writestr(ZipInfo(name), part, ZIP_BZIP2)
        return stream.getvalue()


def _shared(first: str, second: str) -> int:
    """The number of letters that two words begin with in common."""
    letters = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
