"""Sentences of one language, read from plain text, BUCC's files or passages."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.lang import language
from ...core.named import require
from ...core.text.sentences import split_sentences
from ...datasets.corpus import read_corpus
from ...io.files import read_lines


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of a file, each with an id; `name` is the file's name.

    `articles` has the title of each sentence's article, if they are of passages.
    """

    name: str
    lang: str
    ids: tuple[str, ...]
    texts: tuple[str, ...]
    articles: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.texts)


def read_sentences(
    path: Path, lang: str, *, with_ids: bool = False, simplified: bool = False
) -> Sentences:
    """Read plain text, one sentence per line, or the sentences of passages (`.jsonl`).

    Empty lines are skipped. The id of a line is its number, and that of a passage's sentence
    DOCID#NUMBER. `with_ids`: lines of plain text are an id, a tab and the sentence, as in BUCC.
    `simplified` converts Chinese to simplified characters, with OpenCC.

    Raises:
        ConfigError: if the language is unknown.
        DataError: if the file cannot be read, or has no sentence or, with ids, a line without one.
    """
    code = language(lang).code
    rows: Iterable[tuple[str, str, str]]
    if path.suffix == ".jsonl":
        rows = _of_passages(path, code)
    else:
        rows = ((name, text, "") for name, text in _of_lines(path, with_ids=with_ids))
    cells = [(name, " ".join(text.split()), title) for name, text, title in rows]
    cells = [row for row in cells if row[1]]
    if not cells:
        raise DataError(f"{path} has no sentence; write one per line")
    ids, texts, titles = zip(*cells, strict=True)
    if simplified and code == "zh":
        convert = require("opencc", extra="chinese").OpenCC("t2s").convert
        texts = tuple(map(convert, texts))
    return Sentences(path.name, code, ids, texts, titles if any(titles) else ())


def read_parallel(path: Path, lang: str) -> Sentences:
    """Read a line-parallel file: every line counts, an empty one too.

    Raises:
        DataError: if the file cannot be read or is empty.
    """
    texts = tuple(line.strip() for line in read_lines(path))
    if not texts:
        raise DataError(f"{path} has no sentence; write one per line")
    return Sentences(path.name, lang, tuple(map(str, range(1, len(texts) + 1))), texts)


def unique_rows(sentences: Sentences, *, once: bool = False) -> NDArray[np.int64]:
    """The rows of the first of equal sentences; with `once`, of sentences that occur only once."""
    counts = Counter(sentences.texts)
    first: dict[str, int] = {}
    for row, text in enumerate(sentences.texts):
        first.setdefault(text, row)
    return np.array([row for text, row in first.items() if not once or counts[text] == 1], np.int64)


def _of_lines(path: Path, *, with_ids: bool) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(read_lines(path), 1):
        if not with_ids:
            yield str(number), line
        elif line.strip():
            name, tab, text = line.partition("\t")
            if not tab or not name.strip():
                raise DataError(f"{path}, line {number}: needs an id, a tab and a sentence")
            yield name.strip(), text


def _of_passages(path: Path, lang: str) -> Iterable[tuple[str, str, str]]:
    for passage in read_corpus(path, lang=lang):
        if passage.lang == lang:
            spans = split_sentences(passage.text, lang)
            for number, span in enumerate(spans, 1):
                text = passage.text[span.start : span.end]
                yield f"{passage.docid}#{number}", text, passage.title
