"""What an index of many passages will cost, from indexes of few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from ...core.errors import ConfigError, DataError, one_of
from ...core.progress import Tell, silent
from ...core.types import Passage
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder
from ..vectors.kinds import KINDS
from ..vectors.synthetic import resize
from .laws import Measured, building, extrapolate, law, searching, stored, words
from .measure import WORD, measure_bm25, measure_dense, vocabulary
from .sample import Sample, described, encoded

PLANNED = ("bm25", *KINDS)
ENCODED = 128  # passages of the sample that are encoded
FEWEST = 8
SEED = 2026


@dataclass(frozen=True, slots=True)
class Forecast:
    """One kind of index: two that were measured, and what follows for `passages`.

    Bytes: `disk` when built, `building_disk` at most until then, `memory` with the corpus.
    `encode_s` is of all workers together, `build_s` of what comes after, `query_ms` includes
    encoding the question.
    """

    kind: str
    law: str
    measured: tuple[Measured, Measured]
    passages: int
    disk: float
    building_disk: float
    memory: float
    encode_s: float
    build_s: float
    query_ms: float


def plan(
    count: int,
    kinds: Sequence[str],
    corpus: Corpus,
    *,
    encoder: Encoder,
    size: int,
    workers: int = 0,
    progress: Tell = silent,
) -> tuple[Sample, list[Forecast]]:
    """Measure indexes of `size` passages and of half of it; compute those of `count`.

    Vectors beyond the sample's are made of those it has (`synthetic.resize`). `workers` encode
    at one thread each; 0 is this process with all its threads.

    Raises:
        ConfigError: for an unknown kind.
        DataError: if the sample is too small.
    """
    _check(kinds, corpus)
    passages = Random(SEED).sample(corpus.passages, len(corpus))
    sample = described(corpus)
    vectors = questions = np.empty((0, 0), np.float32)
    if any(kind in KINDS for kind in kinds):
        progress("sample encoded", 0, 1)
        sample, vectors, questions = encoded(sample, passages[:ENCODED], encoder, workers)
        progress("sample encoded", 1, 1)
    found = []
    for done, kind in enumerate(kinds):
        progress("kinds measured", done, len(kinds))
        if kind == "bm25":
            found.append(_bm25(passages, sample, size, count))
        else:
            pair = [
                measure_dense(kind, resize(vectors, some), questions) for some in (size // 2, size)
            ]
            found.append(_dense(kind, pair, sample, count, workers))
    return sample, found


def _check(kinds: Sequence[str], corpus: Corpus) -> None:
    for kind in kinds:
        if kind not in PLANNED:
            raise ConfigError(f"no kind of index is called '{kind}'; there are: {one_of(PLANNED)}")
    if len(corpus) < FEWEST:
        raise DataError(f"sample {corpus.name} has {len(corpus)} passages; {FEWEST} are needed")


def _dense(
    kind: str, pair: Sequence[Measured], sample: Sample, count: int, workers: int
) -> Forecast:
    small, large = pair
    disk = stored(kind, small, large, count, width=sample.width)
    return Forecast(
        kind,
        law(kind),
        (small, large),
        count,
        disk,
        building_disk=2 * disk + 4.0 * sample.width * count,  # a draft, and all vectors in shards
        memory=disk + sample.memory * count,
        encode_s=sample.passage_s * count / max(1, workers),
        build_s=_build_s(kind, small, large, count),
        query_ms=sample.question_ms + _search_ms(kind, small, large, count),
    )


def _bm25(passages: Sequence[Passage], sample: Sample, size: int, count: int) -> Forecast:
    (small, _), (large, of_word) = (measure_bm25(passages, some) for some in (size // 2, size))
    half = len(passages) // 2
    there = vocabulary(passages)
    more = words((vocabulary(passages[:half]), there), (half, len(passages)), count) - there
    repeated = extrapolate((small.passages, small.disk), (large.passages, large.disk), count)
    disk = repeated + max(0.0, more) * of_word
    return Forecast(
        "bm25",
        law("bm25"),
        (small, large),
        count,
        disk,
        building_disk=disk,
        memory=disk + WORD * (there + max(0.0, more)) + sample.memory * count,
        encode_s=0.0,
        build_s=_build_s("bm25", small, large, count),
        query_ms=_search_ms("bm25", small, large, count),
    )


def _build_s(kind: str, small: Measured, large: Measured, count: int) -> float:
    low, high = ((building(kind, one.passages), one.build_s) for one in (small, large))
    return extrapolate(low, high, building(kind, count))


def _search_ms(kind: str, small: Measured, large: Measured, count: int) -> float:
    """The effort stays that of the larger index."""
    low, high = (
        (searching(kind, one.passages, one.effort), one.search_ms) for one in (small, large)
    )
    return extrapolate(low, high, searching(kind, count, large.effort))
