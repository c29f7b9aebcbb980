"""The measurements of `xorqa bench known-items`: passages of each file, found by a piece of them.

The passages are those of `xorqa corpus make`. A piece has up to six words, as passages count them,
and is in no other passage of its file. Subwords are those of the bundled encoder, which reads 512.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...core.progress import Progress, quantity, silent
from ...core.types import Passage, Query, Question
from ...datasets.corpora.document_pages import SIZE
from ...datasets.corpora.make import make_corpus
from ...datasets.corpora.sources import find_sources
from ...datasets.corpora.split import split_text
from ...datasets.corpus import Corpus, read_corpus
from ...models.e5_small_q4 import BundledTokenizer, tokenizer
from ...retrieval.over_corpus import retriever_over
from ...tables.grid import Grid
from .language_detection import file_language

WORDS = 6
WINDOW = 512
ENOUGH = 20  # pieces of a file that its share is judged by
GOOD = 90.0
SEED = 1


def measure(
    folder: Path,
    *,
    retriever: Mapping[str, Any],
    size: int = SIZE,
    progress: Progress = silent,
) -> dict[str, Any]:
    """The figures of each file: passages, pieces, percent found first, and the longest passage.

    A file's language is that of its name (`khm.txt`, `text.fi.txt`), or the detected ones.

    Raises:
        ConfigError: for an unknown retriever.
        DataError: if the folder has no file to read, or one cannot be read.
    """
    paths = [source.path for source in find_sources([folder])]
    rows = []
    for done, path in enumerate(paths, 1):
        with TemporaryDirectory() as scratch:
            made = Path(scratch, "passages.jsonl")
            lang = file_language(path.with_suffix(""))
            make_corpus([path], made, lang=lang, size=size)
            corpus = read_corpus(made)
            rows.append({"file": path.name, **_row(corpus, retriever, Path(scratch))})
        progress(done, len(paths))
    return {"retriever": dict(retriever), "words": size, "rows": rows}


def pieces(passages: Sequence[Passage], rng: random.Random) -> list[tuple[Passage, str]]:
    """A piece of each passage, at random among those that are in no other passage, if any."""
    texts = [" ".join(passage.text.split()).casefold() for passage in passages]
    chosen = []
    for passage in passages:
        parts = split_text(passage.text, lang=passage.lang, size=WORDS)[:-1]  # the last is shorter
        unique = [part for part in parts if sum(part.casefold() in text for text in texts) == 1]
        if unique:
            chosen.append((passage, rng.choice(unique)))
    return chosen


def grid(figures: Mapping[str, Any], most: int) -> Grid:
    """The files with the lowest share first, at most `most`, with a summary below."""
    rows = sorted(figures["rows"], key=lambda row: (row["found"], row["file"]))
    judged = [row for row in rows if row["pieces"] >= ENOUGH]
    good = sum(row["found"] >= GOOD for row in judged)
    long = sum(row["too_long"] for row in rows)
    cells = "{file}|{langs}|{passages}|{pieces}|{found:.1f}|{longest}|{too_long}"
    shown = (cells.format_map({**row, "langs": " ".join(row["langs"])}) for row in rows[:most])
    return Grid(
        f"Pieces of {WORDS} words that find their passage first, in percent",
        ("file", "language", "passages", "pieces", "found", "longest", f"over {WINDOW}"),
        (tuple(tuple(row.split("|")) for row in shown),),
        f"{quantity(len(rows), 'file')}; {good} of {len(judged)} with {ENOUGH} pieces or more have "
        f"{GOOD:.0f} % or more; {quantity(long, 'passage')} of more than {WINDOW} subwords.",
        labels=2,
    )


def _row(corpus: Corpus, retriever: Mapping[str, Any], scratch: Path) -> dict[str, Any]:
    search = retriever_over(corpus, retriever, scratch / "indexes")
    chosen = pieces(corpus.passages, random.Random(SEED))
    queries = [
        Query(Question(passage.docid, piece, passage.lang), piece, passage.lang)
        for passage, piece in chosen
    ]
    rankings = search.retrieve(queries, k=1)
    found = [
        [hit.passage.docid for hit in hits] == [passage.docid]
        for hits, (passage, _) in zip(rankings, chosen, strict=True)
    ]
    texts = [f"passage: {passage.titled}" for passage in corpus]
    lengths = [len(ids) for ids in _tokenizer()(texts)["input_ids"]]
    return {
        "langs": sorted(corpus.languages),
        "passages": len(corpus),
        "pieces": len(chosen),
        "found": 100 * sum(found) / len(found) if found else 0.0,
        "longest": max(lengths),
        "too_long": sum(length > WINDOW for length in lengths),
    }


@cache
def _tokenizer() -> BundledTokenizer:
    return tokenizer()
