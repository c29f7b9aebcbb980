"""Pairs of words: those of our dictionary, and the names and terms of the package.

`words.txt.bz2` has an entry per line, one or more forms of an English word with "/" between;
`<language>.txt.bz2` its translations in the same line with ", " between, or nothing.
"""

from collections.abc import Iterator
from pathlib import Path

from ....answering.localising.chain import TERMS
from ....answering.transliteration.name_table import ATTESTED, FAMOUS, SPELLINGS, USUAL, rows
from ....core.lang import ENGLISH
from ....io.files import read_lines
from ..common.training_data import Pair

ROOT = Path(__file__).parent
LANGS = tuple(sorted(path.name[:2] for path in ROOT.glob("??.txt.bz2")))


def dictionary_pairs() -> Iterator[Pair]:
    """A pair for each translation, with all forms of the English word."""
    entries = [entry.replace("/", " ") for entry in read_lines(ROOT / "words.txt.bz2")]
    for lang in LANGS:
        texts = read_lines(ROOT / f"{lang}.txt.bz2")
        for entry, text in zip(entries, texts, strict=True):
            for translation in text.split(", ") if text else ():
                yield lang, translation, ENGLISH, entry


def name_pairs() -> Iterator[Pair]:
    """Pairs of the names and terms that answers are translated with."""
    for path in (ATTESTED, FAMOUS, SPELLINGS, TERMS, USUAL):
        for row in rows(path):
            for lang, name in row.items():
                if lang != ENGLISH and name:
                    yield lang, name, ENGLISH, str(row[ENGLISH])


def word_pairs() -> list[Pair]:
    """The pairs of the dictionary, the names and the terms."""
    return [*dictionary_pairs(), *name_pairs()]
