"""Translation probabilities of words in a TSV: language, word, English word, probability.

A table is a file, or a folder with a file per language, of which only the one needed is read.
"""

import bz2
import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from ..core.errors import DataError
from ..core.text.search_tokens import tokens
from .files import atomic_path, read_fields, write_text

TABLE_TOKENS = 1
"""The version of the search tokens that tables consist of, those made before included."""

table_tokens = partial(tokens, version=TABLE_TOKENS)
"""The words of a text (text, language) as tables have them."""

PACKED = ".tsv.bz2"
FIELDS = "language, word, English word and probability"

WordProbabilities = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Language to word to English word to p(English word | word). The rest, up to 1, is the
probability that a word has no translation."""


def write_word_probabilities(path: Path, table: WordProbabilities) -> None:
    """Write the words of each language in order, translations by probability.

    Without a suffix, `path` is a folder for a packed file per language.
    """
    texts = {
        lang: "".join(
            f"{lang}\t{word}\t{english}\t{p:.4g}\n"
            for word, translations in sorted(words.items())
            for english, p in sorted(translations.items(), key=lambda item: (-item[1], item[0]))
        )
        for lang, words in sorted(table.items())
    }
    if path.suffix:
        write_text(path, "".join(texts.values()))
        return
    files = {path / f"{lang}{PACKED}": text for lang, text in texts.items()}
    for file, text in files.items():
        with atomic_path(file) as temporary:
            temporary.write_bytes(bz2.compress(text.encode()))
    for earlier in {*table_files(path)} - files.keys():
        earlier.unlink()


def table_files(path: Path) -> list[Path]:
    """The files of a table."""
    return sorted(path.glob(f"*{PACKED}")) if path.is_dir() else [path]


def read_word_probabilities(
    path: Path, only: str | None = None
) -> dict[str, dict[str, dict[str, float]]]:
    """Read a table, or only the words of one language.

    Raises:
        DataError: naming the line that does not have four fields, a probability that is not above
            0 and at most 1, or a word whose probabilities add up to more than 1.
    """
    table: dict[str, dict[str, dict[str, float]]] = {}
    if path.is_dir():
        for file in table_files(path):
            if only in (None, file.name.removesuffix(PACKED)):
                table |= read_word_probabilities(file, only)
        return table
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
