"""What passages are like and how long an encoder takes for them."""

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

ASKED = 16  # questions whose encoding is timed
STRETCH = 60  # characters of a passage that are searched with, about a question's length
PLACES = 100  # bytes of a passage's entries in a corpus's list and dictionary
MANY = 1_000_000


@dataclass(frozen=True, slots=True)
class Sample:
    """What was measured of passages and encoder, before any index.

    `characters` and `memory` (bytes) are of a passage, on average. `passage_s` is one worker's
    time to encode a passage, `question_ms` a question's; `width` the vectors' dimensions.
    """

    name: str
    passages: int
    characters: float
    memory: float
    encoded: int = 0
    width: int = 0
    passage_s: float = 0.0
    question_ms: float = 0.0


def described(corpus: Corpus) -> Sample:
    """A corpus's passages, before any is encoded."""
    parts = (part for one in corpus for part in (one, one.docid, one.title, one.text))
    characters = sum(len(one.titled) for one in corpus)
    memory = sum(map(sys.getsizeof, parts)) / len(corpus) + PLACES
    return Sample(corpus.name, len(corpus), characters / len(corpus), memory)


def stretch(passage: Passage) -> str:
    """The passage's first words, to search with."""
    return passage.text[:STRETCH]


def encoded(
    sample: Sample, passages: Sequence[Passage], encoder: Encoder, workers: int
) -> tuple[Sample, Floats, Floats]:
    """The sample with what encoding takes, and the vectors of passages and of their stretches.

    A quarter of the passages and all of them are encoded, so that what every call costs does
    not count. With workers one thread is measured.
    """
    texts, langs = [one.titled for one in passages], [one.lang for one in passages]
    asked = [stretch(one) for one in passages]
    encoder.passages(texts[:2], langs[:2])  # untimed: loads the weights
    with _one_thread(workers > 0):
        few, _ = _timed(lambda: encoder.passages(texts[::4], langs[::4]))
        many, vectors = _timed(lambda: encoder.passages(texts, langs))
    million = extrapolate((len(texts[::4]), few), (len(texts), many), MANY)
    some = list(zip(asked, langs, strict=True))[:ASKED]
    singly = [_timed(partial(encoder.queries, [text], [lang]))[0] for text, lang in some]
    found = replace(
        sample,
        encoded=len(texts),
        width=vectors.shape[1],
        passage_s=million / MANY,
        question_ms=1000 * median(singly),
    )
    return found, vectors, encoder.queries(asked, langs)


@contextmanager
def _one_thread(wanted: bool) -> Iterator[None]:
    """torch on one thread, as in a worker, if that is wanted."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1 if wanted else threads)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result
