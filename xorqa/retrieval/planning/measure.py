"""Small indexes, built in a folder that goes away, and what they cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count as counter
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...core.types import Passage, Query, Question
from ...datasets.corpus import Corpus
from ...text import search_tokens
from ..bm25 import Bm25
from ..vectors.build import DEPTH, build_index
from ..vectors.kinds import open_index
from ..vectors.shards import SIZE
from ..vectors.synthetic import in_chunks
from .laws import Measured
from .sample import stretch

if TYPE_CHECKING:
    from ..vectors.shards import Floats

WORD = 190  # bytes of a word in a Python dictionary: its text, its number and its place


def measure_dense(kind: str, vectors: Floats, questions: Floats) -> Measured:
    """Build a dense index and search it, one question at a time on one thread."""
    import faiss

    with TemporaryDirectory() as folder:
        path = Path(folder, "index.faiss")
        began = time.perf_counter()
        measured = build_index(
            kind,
            in_chunks(vectors, SIZE),
            lambda: questions,
            path,
            draft=path.with_name("draft.faiss"),
        )
        built = time.perf_counter() - began
        index = open_index(path)
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            found = _median_ms(lambda row: index.search(row[None], DEPTH), questions)
        finally:
            faiss.omp_set_num_threads(threads)
        size = path.stat().st_size
    effort = int(measured.get("nprobe") or measured.get("efSearch") or 0)
    return Measured(len(vectors), size, built, found, effort)


def measure_bm25(passages: Sequence[Passage], size: int) -> tuple[Measured, float]:
    """Build a BM25 index of `size` passages and search it; and the bytes a word takes.

    The sample is repeated as often as it must be: words and their shares stay as they are.
    """
    rounds = (replace(one, docid=f"{one.docid}-{at}") for at in counter() for one in passages)
    corpus = Corpus("repeated", [passage for passage, _ in zip(rounds, range(size), strict=False)])
    asked = [
        Query(Question("q", stretch(one), one.lang), stretch(one), one.lang)
        for one in passages[:DEPTH]
    ]
    with TemporaryDirectory() as folder:
        stage = Bm25(corpus=corpus, folder=Path(folder, "index"))
        began = time.perf_counter()
        stage.build()
        built = time.perf_counter() - began
        stage.retrieve(asked[:1], k=DEPTH)  # untimed: opens the index
        found = _median_ms(lambda query: stage.retrieve([query], k=DEPTH), asked)
        sizes = {path: path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()}
    of_words = sum(at for path, at in sizes.items() if "vocab" in path.name or "ptr" in path.name)
    different = vocabulary(corpus.passages[: len(passages)])
    return Measured(size, sum(sizes.values()), built, found), of_words / different


def vocabulary(passages: Sequence[Passage]) -> int:
    """How many different tokens passages have, each language for itself; at least 1."""
    different = {
        (one.lang, token)
        for one in passages
        for token in search_tokens.tokens(one.titled, one.lang)
    }
    return max(1, len(different))


def _median_ms(search: Callable[[Any], object], asked: Any) -> float:
    search(asked[0])
    seconds = []
    for one in asked:
        began = time.perf_counter()
        search(one)
        seconds.append(time.perf_counter() - began)
    return 1000 * median(seconds)
