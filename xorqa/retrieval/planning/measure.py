"""Build small indexes in a temporary folder and measure their cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count as counter
from itertools import islice
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
from .laws import Measurement
from .sample import pseudo_question

if TYPE_CHECKING:
    from ..vectors.shards import Floats

BYTES_PER_WORD = 190  # in a Python dictionary: string, number and entry


def measure_dense(kind: str, vectors: Floats, questions: Floats) -> Measurement:
    """Build a dense index and search it, one question at a time, on one thread."""
    import faiss

    with TemporaryDirectory() as folder:
        path = Path(folder, "index.faiss")
        started = time.perf_counter()
        measured = build_index(
            kind,
            in_chunks(vectors, SIZE),
            lambda: questions,
            path,
            draft=path.with_name("draft.faiss"),
        )
        build_s = time.perf_counter() - started
        index = open_index(path)
        threads = faiss.omp_get_max_threads()
        faiss.omp_set_num_threads(1)
        try:
            search_ms = _median_ms(lambda row: index.search(row[None], DEPTH), questions)
        finally:
            faiss.omp_set_num_threads(threads)
        size = path.stat().st_size
    effort = int(measured.get("nprobe") or measured.get("efSearch") or 0)
    return Measurement(len(vectors), size, build_s, search_ms, effort)


def measure_bm25(passages: Sequence[Passage], size: int) -> tuple[Measurement, float]:
    """Build a BM25 index of `size` passages and search it; also return the bytes per word.

    The sample is repeated as needed, which keeps the distribution of words.
    """
    copies = (replace(p, docid=f"{p.docid}-{number}") for number in counter() for p in passages)
    corpus = Corpus("repeated", list(islice(copies, size)))
    queries = [
        Query(Question("q", pseudo_question(p), p.lang), pseudo_question(p), p.lang)
        for p in passages[:DEPTH]
    ]
    with TemporaryDirectory() as folder:
        stage = Bm25(corpus=corpus, folder=Path(folder, "index"))
        started = time.perf_counter()
        stage.build()
        build_s = time.perf_counter() - started
        stage.retrieve(queries[:1], k=DEPTH)  # untimed: opens the index
        search_ms = _median_ms(lambda query: stage.retrieve([query], k=DEPTH), queries)
        sizes = {path: path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()}
    vocabulary_bytes = sum(
        size for path, size in sizes.items() if "vocab" in path.name or "ptr" in path.name
    )
    words = count_words(corpus.passages[: len(passages)])
    return Measurement(size, sum(sizes.values()), build_s, search_ms), vocabulary_bytes / words


def count_words(passages: Sequence[Passage]) -> int:
    """The number of distinct (language, token) pairs in the passages; at least 1."""
    return max(
        1, len({(p.lang, t) for p in passages for t in search_tokens.tokens(p.titled, p.lang)})
    )


def _median_ms(search: Callable[[Any], object], queries: Any) -> float:
    search(queries[0])
    seconds = []
    for query in queries:
        started = time.perf_counter()
        search(query)
        seconds.append(time.perf_counter() - started)
    return 1000 * median(seconds)
