"""Translation probabilities of words in a TSV: language, word, English word, probability.

Words are stems (`core.text.stems`) in tables of `xorqa train lexicon`, or as they are. A table is
a file, or a folder with `english.txt.bz2`, the English words of all languages, and a zip file per
language, of which only the one needed is read. A zip has `words`, a line each, without the letters
at their beginning that the word before has as well; `shared`, the number of these, a byte each;
`counts`, a byte each, of their translations; `english`, the numbers of these in `english.txt.bz2`
as 32 bits, all first bytes first; and `tenths`, a byte each: a probability in tenths, rounded down,
and read as the middle of its tenth.
"""

import bz2
import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from ..core.errors import DataError
from ..core.lang import LANGUAGES
from ..core.text.search_tokens import tokens
from .files import ARRAY_ERRORS, read_fields

TABLE_TOKENS = 1
"""The version of the search tokens that tables consist of, those made before included."""

table_tokens = partial(tokens, version=TABLE_TOKENS)
"""The words of a text (text, language) of which tables have the stems."""

PACKED, ENGLISH_WORDS = ".zip", "english.txt.bz2"
FIELDS = "language, word, English word and probability"

WordProbabilities = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Language to word to English word to p(English word | word). The rest, up to 1, is the
probability that a word has no translation."""


def _unpacked(path: Path) -> dict[str, dict[str, float]]:
    """The words of a packed file.

    Raises:
        DataError: naming a file that is damaged.
    """
    try:
        english = read_english_words(path.parent)
        with ZipFile(path) as file:
            words = _whole(file.read("words").decode().split("\n"), file.read("shared"))
            counts, planes, tenths = map(file.read, ("counts", "english", "tenths"))
        numbers = np.frombuffer(planes, np.uint8).reshape(4, -1).T.copy().view("<u4").ravel()
        if not sum(counts) == len(numbers) == len(tenths):
            raise ValueError("its parts do not fit each other")
        rows = iter(zip(numbers.tolist(), tenths, strict=True))
        table = {
            word: {english[number]: (tenth + 0.5) / 10 for number, tenth in islice(rows, count)}
            for word, count in zip(words, counts, strict=True)
        }
    except (*ARRAY_ERRORS, KeyError, IndexError) as error:
        reason = f"{path} is damaged ({error}); make it again, or install xorqa again"
        raise DataError(reason) from error
    return {word: _at_most_1(translations) for word, translations in table.items()}


def _whole(rests: Sequence[str], shared: bytes) -> list[str]:
    """Words from their rests and the number of letters that each has in common with the last."""
    words, word = [], ""
    for rest, length in zip(rests, shared, strict=True):
        word = word[:length] + rest
        words.append(word)
    return words


def read_english_words(folder: Path) -> list[str]:
    """The English words of a packed table; none, if it has another layout."""
    path = folder / ENGLISH_WORDS
    return bz2.decompress(path.read_bytes()).decode().split("\n") if path.is_file() else []


def _at_most_1(translations: dict[str, float]) -> dict[str, float]:
    mass = max(sum(translations.values()), 1.0)
    return {english: p / mass for english, p in translations.items()} if mass > 1 else translations


def table_files(path: Path) -> list[Path]:
    """The files of a table."""
    if not path.is_dir():
        return [path]
    packed = [file for file in path.glob(f"*{PACKED}") if file.stem in LANGUAGES]
    return sorted([*packed, *path.glob(ENGLISH_WORDS)])


def read_word_probabilities(
    path: Path, only: str | None = None
) -> dict[str, dict[str, dict[str, float]]]:
    """Read a table, or only the words of one language.

    Raises:
        DataError: naming the line that does not have four fields, a probability that is not above
            0 and at most 1, or a word whose probabilities add up to more than 1; or a packed file
            that is damaged.
    """
    if path.is_dir():
        files = {file.stem: file for file in table_files(path) if file.name != ENGLISH_WORDS}
        return {lang: _unpacked(file) for lang, file in files.items() if only in (None, lang)}
    table: dict[str, dict[str, dict[str, float]]] = {}
    for number, (lang, word, english, text) in enumerate(read_fields(path, 4, FIELDS), 1):
        if only not in (None, lang):
            continue
        translations = table.setdefault(lang, {}).setdefault(word, {})
        translations[english] = p = _probability(text)
        if not 0 < p <= 1 or sum(translations.values()) > 1.001:  # rounded to four digits
            raise DataError(
                f"{path}, line {number}: the probability '{text:.20}' of '{word:.40}' is not from "
                "0 to 1, or those of the word add up to more than 1"
            )
    return table


def _probability(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
