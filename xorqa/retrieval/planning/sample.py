"""Statistics of a sample of passages, and the time an encoder takes for them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

from ...core.types import Passage
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder
from .laws import extrapolate

if TYPE_CHECKING:
    from ..vectors.shards import Floats

TIMED_QUESTIONS = 16
QUESTION_LENGTH = 60  # characters of a pseudo-question
ENTRY_BYTES = 100  # of a passage's entries in a corpus's list and dictionary
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
    with _threads(1 if workers else None):
        quarter_s, _ = _timed(lambda: encoder.passages(texts[::4], langs[::4]))
        all_s, vectors = _timed(lambda: encoder.passages(texts, langs))
    million_s = extrapolate((len(texts[::4]), quarter_s), (len(texts), all_s), MILLION)
    timed = list(zip(questions, langs, strict=True))[:TIMED_QUESTIONS]
    seconds = [_timed(partial(encoder.queries, [text], [lang]))[0] for text, lang in timed]
    sample = replace(
        sample,
        encoded=len(texts),
        width=vectors.shape[1],
        passage_s=million_s / MILLION,
        question_ms=1000 * median(seconds),
    )
    return sample, vectors, encoder.queries(questions, langs)


@contextmanager
def _threads(count: int | None) -> Iterator[None]:
    """A context in which torch uses `count` threads, or as many as before."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(count or threads)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result
