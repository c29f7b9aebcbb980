"""Texts as the mean of their words' vectors, from the text files of MUSE, fastText and GloVe.

A file has a row per word: the word and its values, separated by spaces. A first row of two numbers,
which GloVe's files lack, has the number of words and of dimensions.

The words of a text (in NFC) are its runs of letters, digits and their marks, as written or, if the
file lacks that, in lower case; punctuation is left out. In scripts written without spaces they are
the longest words that the file has, from the left. Words that the file lacks are left out and
counted.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...core.errors import DataError
from ...core.progress import quantity
from ...core.text.folding import UNSPACED
from ...core.text.patterns import compiled
from ...io.encodings import open_utf8
from ...io.files import digest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

SUFFIXES = (".vec", ".vec.gz", ".txt", ".txt.gz")
LANG = "{lang}"
"""The place of the language in a name: `wiki.multi.{lang}.vec`."""
EMPTY = "texts without a known word"
_LONGEST = 12  # characters of a word in a script without spaces
_HEADER = re.compile(rb"(\d+) (\d+)\s*")
_LOWER = {lang: str.maketrans("Iİ", "\u0131i") for lang in ("az", "tr")}
_UNSPACED = rf"[[{UNSPACED}]--\p{{Hangul}}]"  # Korean has spaces
_WORD = rf"(?P<unspaced>{_UNSPACED}[{_UNSPACED}\p{{M}}]*)|[[\p{{L}}\p{{N}}\p{{M}}]--{_UNSPACED}]+"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many `words` texts have, and how many of them a file lacks.

    `empty` counts the texts of which it has no word at all: their vector is zero.
    """

    words: int
    unknown: int
    empty: int


@dataclass(frozen=True, slots=True)
class Table:
    """The vectors of words, their `width` and the SHA-256 of the whole file."""

    vectors: Mapping[str, Floats]
    width: int
    sha: str


class WordVectors:
    """Vectors of texts, by the file of their language.

    Args:
        name: a path, in which `{lang}` stands for the language; without it, one file is for all.

    Attributes:
        coverage: by language, that of the texts that were encoded last.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.coverage: dict[str, Coverage] = {}
        self._tables: dict[str, tuple[int, str]] = {}

    def encode(self, texts: Sequence[str], lang: str) -> Floats:
        """The mean vectors of texts in a language: (texts, dimensions).

        Raises:
            DataError: if the file is damaged, has none of the words, or another number of
                dimensions than that of another language.
        """
        path = Path(self.name.replace(LANG, lang)).expanduser()
        runs = [_runs(text) for text in texts]
        table = read_word_vectors(path, {form for text in runs for form in _forms(text, lang)})
        words = [[*_words(text, lang, table.vectors)] for text in runs]
        rows = np.zeros((len(texts), table.width), np.float32)
        unknown = empty = 0
        for row, of_text in zip(rows, words, strict=True):
            known = [table.vectors[word] for word in of_text if word is not None]
            unknown += len(of_text) - len(known)
            empty += not known
            if known:
                row[:] = np.mean(known, axis=0)
        total = sum(map(len, words))
        if total and unknown == total:
            raise DataError(f"{path} has none of the {total} words of the texts in '{lang}'")
        self.coverage[lang] = Coverage(total, unknown, empty)
        self._tables[lang] = table.width, table.sha
        self._check_width(lang, path)
        return rows

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors, once a file was read."""
        return next(iter(self._tables.values()))[0]

    @property
    def fingerprint(self) -> str:
        """A hash of the files that were read."""
        return digest(
            "word vectors", sorted((lang, sha) for lang, (_, sha) in self._tables.items())
        )

    def _check_width(self, lang: str, path: Path) -> None:
        for other, (width, _) in self._tables.items():
            if width != self._tables[lang][0]:
                raise DataError(
                    f"{path} has vectors of {self._tables[lang][0]} dimensions, but the file of "
                    f"'{other}' of {width}; their languages are not in one space"
                )


def is_word_vectors(name: str) -> bool:
    """Whether an encoder's name is that of files of word vectors."""
    return name.lower().endswith(SUFFIXES)


def coverage_json(coverage: Mapping[str, Coverage]) -> dict[str, dict[str, int]]:
    """By language: words, unknown words, and texts without a known word."""
    return {
        lang: {
            "words": counts.words,
            "unknown": counts.unknown,
            EMPTY: counts.empty,
        }
        for lang, counts in coverage.items()
    }


def coverage_note(name: str, coverage: Mapping[str, Mapping[str, int]]) -> str:
    """A line beside a table, from `coverage_json`."""
    shares = (
        f"{lang} {100 * counts['unknown'] / max(1, counts['words']):.1f} %"
        + (f" and {quantity(counts[EMPTY], 'whole text')}" if counts[EMPTY] else "")
        for lang, counts in coverage.items()
    )
    return f"{name}: left out, as they have no vector: {', '.join(shares)} of the words."


def read_word_vectors(path: Path, wanted: Collection[str]) -> Table:
    """Read the vectors of the words that are wanted; of a repeated word the first.

    Raises:
        DataError: if the file is not one of word vectors, or has fewer words than its first line
            says; naming the line with too few values, or values that are no finite numbers.
    """
    forms = {word.encode(): word for word in wanted}
    vectors: dict[str, Floats] = {}
    sha, number = hashlib.sha256(), 0
    with open_utf8(path) as stream:
        first = stream.readline()
        header = _HEADER.fullmatch(first)
        width = int(header[2]) if header else len(first.split()) - 1
        if width < 1:
            raise DataError(f"{path}, line 1: neither a count of words nor a word and its values")
        if header:
            sha.update(first)
        for number, line in enumerate(stream if header else chain([first], stream), 1):
            sha.update(line)
            word, _, rest = line.partition(b" ")
            if word in forms and forms[word] not in vectors:
                row = _values(rest, width, f"{path}, line {number + bool(header)}")
                if row is not None:
                    vectors[forms[word]] = row
    if header and number < int(header[1]):
        raise DataError(
            f"{path} is truncated: it has {number} of the {int(header[1])} words of its first "
            "line; download it again, or correct that line"
        )
    return Table(vectors, width, sha.hexdigest())


def _values(rest: bytes, width: int, where: str) -> Floats | None:
    """The values of a row; None if there are more, as the word has spaces and is another one."""
    fields = rest.split()
    if len(fields) > width:
        return None
    try:
        row = np.array([float(field) for field in fields], np.float32)
    except ValueError as error:
        raise DataError(f"{where}: {error}") from error
    if len(row) < width or not np.isfinite(row).all():
        raise DataError(f"{where}: {len(row)} values; needed are {width} finite numbers")
    return row


def _runs(text: str) -> list[tuple[str, bool]]:
    """The runs of letters and digits, and whether their script is written without spaces."""
    return [
        (match[0], match.lastgroup == "unspaced")
        for match in compiled(_WORD).finditer(unicodedata.normalize("NFC", text))
    ]


def _forms(runs: Sequence[tuple[str, bool]], lang: str) -> Iterator[str]:
    """What a file may have of a text."""
    for run, unspaced in runs:
        if not unspaced:
            yield from (run, _lower(run, lang))
            continue
        for start in range(len(run)):
            yield from (run[start:end] for end in range(start + 1, start + _LONGEST + 1))


def _words(
    runs: Sequence[tuple[str, bool]], lang: str, known: Collection[str]
) -> Iterator[str | None]:
    """The words as they are in the file; None for one that it lacks."""
    for run, unspaced in runs:
        if not unspaced:
            yield next((form for form in (run, _lower(run, lang)) if form in known), None)
            continue
        start = 0
        while start < len(run):
            ends = range(min(start + _LONGEST, len(run)), start, -1)
            end = next((end for end in ends if run[start:end] in known), start)
            yield run[start:end] or None
            start = max(end, start + 1)


def _lower(word: str, lang: str) -> str:
    return word.translate(_LOWER.get(lang, {})).lower()
