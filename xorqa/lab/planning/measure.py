"""Measure the cost of an index: encode a sample of passages and build small indexes of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count as counter
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...core.progress import timed
from ...core.text import search_tokens
from ...core.types import Passage, Query, Question
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder
from ...retrieval.bm25 import Bm25
from ...retrieval.psq import Psq
from ...retrieval.vectors.build import DEPTH, build_index
from ...retrieval.vectors.kinds import one_thread, open_index
from ...retrieval.vectors.shards import SIZE
from ..bench.synthetic import in_chunks
from .laws import Measurement, extrapolate

if TYPE_CHECKING:
    from ...retrieval.vectors.shards import Floats

LEXICAL: Mapping[str, type[Bm25 | Psq]] = {"bm25": Bm25, "psq": Psq}
"""Indexes of words, by kind; `psq` is searched without a table of translations."""

TIMED_QUESTIONS = 16
QUESTION_LENGTH = 60  # characters of a pseudo-question
ENTRY_BYTES = 100  # per passage, in a corpus's list and dictionary
BYTES_PER_WORD = 190  # in a Python dictionary: string, number and entry
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Measurements of the passages and the encoder.

    `characters` and `memory` (bytes) are averages per passage. `passage_s` is one worker's time
    to encode a passage, `question_ms` the time to encode a question; `width` is the number of
    dimensions.
    """

    name: str
    passages: int
    characters: float
    memory: float
    encoded: int = 0
    width: int = 0
    passage_s: float = 0.0
    question_ms: float = 0.0


def describe(corpus: Corpus) -> Sample:
    """The statistics of a corpus's passages; nothing is encoded."""
    objects = (value for p in corpus for value in (p, p.docid, p.title, p.text))
    characters = sum(len(passage.titled) for passage in corpus)
    memory = sum(map(sys.getsizeof, objects)) / len(corpus) + ENTRY_BYTES
    return Sample(corpus.name, len(corpus), characters / len(corpus), memory)


def pseudo_question(passage: Passage) -> str:
    """The first words of a passage, as a query."""
    return passage.text[:QUESTION_LENGTH]


def measure_encoding(
    sample: Sample, passages: Sequence[Passage], encoder: Encoder, workers: int
) -> tuple[Sample, Floats, Floats]:
    """Time the encoder; return the sample, the passages' vectors and their pseudo-questions'.

    A quarter of the passages and all of them are encoded, to separate the overhead per call from
    the time per passage. With workers, one thread is measured.
    """
    texts, langs = [p.titled for p in passages], [p.lang for p in passages]
    questions = [pseudo_question(passage) for passage in passages]
    encoder.passages(texts[:2], langs[:2])  # untimed: loads the weights
    with _torch_threads(1 if workers else None):
        quarter_s, _ = timed(lambda: encoder.passages(texts[::4], langs[::4]))
        all_s, vectors = timed(lambda: encoder.passages(texts, langs))
    million_s = extrapolate((len(texts[::4]), quarter_s), (len(texts), all_s), MILLION)
    pairs = list(zip(questions, langs, strict=True))[:TIMED_QUESTIONS]
    question_ms = _median_ms(lambda pair: encoder.queries([pair[0]], [pair[1]]), pairs)
    sample = replace(
        sample,
        encoded=len(texts),
        width=vectors.shape[1],
        passage_s=million_s / MILLION,
        question_ms=question_ms,
    )
    return sample, vectors, encoder.queries(questions, langs)


def measure_dense(kind: str, vectors: Floats, questions: Floats) -> Measurement:
    """Build a dense index and search it, one question at a time, on one thread."""
    with TemporaryDirectory() as folder:
        path, draft = Path(folder, "index.faiss"), Path(folder, "draft.faiss")
        chunks = in_chunks(vectors, SIZE)
        build_s, tuned = timed(lambda: build_index(kind, chunks, lambda: questions, path, draft))
        index = open_index(path)
        index.search(questions[:1], DEPTH)  # untimed: loads the file into memory
        with one_thread():
            search_ms = _median_ms(lambda row: index.search(row[None], DEPTH), questions)
        size = path.stat().st_size
    effort = int(tuned.get("nprobe") or tuned.get("efSearch") or 0)
    return Measurement(len(vectors), size, build_s, search_ms, effort)


def measure_lexical(kind: str, passages: Sequence[Passage], size: int) -> tuple[Measurement, float]:
    """Build an index of words of `size` passages and search it; also return the bytes per word.

    The sample is repeated as needed, which keeps the distribution of words.
    """
    copies = (replace(p, docid=f"{p.docid}-{number}") for number in counter() for p in passages)
    corpus = Corpus("repeated", list(islice(copies, size)))
    queries = [
        Query(Question("q", pseudo_question(p), p.lang), pseudo_question(p), p.lang)
        for p in passages[:DEPTH]
    ]
    with TemporaryDirectory() as folder:
        stage = LEXICAL[kind](corpus=corpus, folder=Path(folder, "index"))
        build_s, _ = timed(stage.build)
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
    return 1000 * median(timed(partial(search, query))[0] for query in queries)


@contextmanager
def _torch_threads(count: int | None) -> Iterator[None]:
    """A context in which torch uses `count` threads, or as many as before."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(count or threads)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
