"""Predict the cost of a large index from measurements of small ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType

import numpy as np

from ...core.errors import ConfigError, DataError, one_of
from ...core.progress import TaskProgress, silent
from ...core.types import Passage
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder
from ...retrieval.vectors.kinds import KINDS
from ..bench.synthetic import resize
from . import laws, measure
from .laws import Measurement, extrapolate
from .measure import LEXICAL, Sample, count_words, measure_dense, measure_lexical

PLANNABLE = (*LEXICAL, *KINDS)
ENCODED_PASSAGES = 128
MIN_PASSAGES = 8
SEED = 2026


@dataclass(frozen=True, slots=True)
class Forecast:
    """The predicted cost of one kind of index for `passages`, from two measured indexes.

    Bytes: `disk` of the finished index, `building_disk` at peak while building, `memory` with the
    corpus. `encode_s` is the wall time of all workers together, `build_s` the time after that;
    `query_ms` includes encoding the question.
    """

    kind: str
    law: str
    measured: tuple[Measurement, Measurement]
    passages: int
    disk: float
    building_disk: float
    memory: float
    encode_s: float
    build_s: float
    query_ms: float


Planner = Callable[..., Forecast]
"""Predicts a cost from vectors and a `Sample`, with the keywords `size`, `count` and `workers`."""


def plan(
    count: int,
    kinds: Sequence[str],
    corpus: Corpus,
    *,
    encoder: Encoder,
    size: int,
    workers: int = 0,
    others: Mapping[str, Planner] = MappingProxyType({}),
    progress: TaskProgress = silent,
) -> tuple[Sample, list[Forecast]]:
    """Measure indexes of `size` passages and half as many; predict the cost for `count`.

    Vectors beyond the sample's are synthetic (`resize`). `workers` encode with one
    thread each; 0 encodes in this process with all threads. `others` plan further kinds.

    Raises:
        ConfigError: for an unknown kind.
        DataError: if the sample is too small.
    """
    _check(kinds, [*PLANNABLE, *others], corpus)
    passages = Random(SEED).sample(corpus.passages, len(corpus))
    sample = measure.describe(corpus)
    vectors = questions = np.empty((0, 0), np.float32)
    if any(kind not in LEXICAL for kind in kinds):
        progress("sample encoded", 0, 1)
        sample, vectors, questions = measure.measure_encoding(
            sample, passages[:ENCODED_PASSAGES], encoder, workers
        )
        progress("sample encoded", 1, 1)
    forecasts = []
    for done, kind in enumerate(kinds):
        progress("kinds measured", done, len(kinds))
        if kind in LEXICAL:
            forecasts.append(_lexical(kind, passages, sample, size, count))
        elif kind in others:
            planner = others[kind]
            forecasts.append(planner(vectors, sample, size=size, count=count, workers=workers))
        else:
            pair = [measure_dense(kind, resize(vectors, n), questions) for n in (size // 2, size)]
            forecasts.append(_dense(kind, pair, sample, count, workers))
    return sample, forecasts


def _check(kinds: Sequence[str], valid: Sequence[str], corpus: Corpus) -> None:
    for kind in kinds:
        if kind not in valid:
            raise ConfigError(f"no kind of index is called '{kind}'; valid: {one_of(valid)}")
    if len(corpus) < MIN_PASSAGES:
        raise DataError(
            f"sample {corpus.name} has {len(corpus)} passages, fewer than {MIN_PASSAGES}"
        )


def _dense(
    kind: str, pair: Sequence[Measurement], sample: Sample, count: int, workers: int
) -> Forecast:
    small, large = pair
    disk = laws.index_bytes(kind, small, large, count, width=sample.width)
    return Forecast(
        kind,
        laws.growth_law(kind),
        (small, large),
        count,
        disk,
        building_disk=2 * disk + 4.0 * sample.width * count,  # the index, its draft and all shards
        memory=disk + sample.memory * count,
        encode_s=sample.passage_s * count / max(1, workers),
        build_s=_build_s(kind, small, large, count),
        query_ms=sample.question_ms + _search_ms(kind, small, large, count),
    )


def _lexical(
    kind: str, passages: Sequence[Passage], sample: Sample, size: int, count: int
) -> Forecast:
    (small, _), (large, word_bytes) = (
        measure_lexical(kind, passages, n) for n in (size // 2, size)
    )
    half = len(passages) // 2
    sample_words = count_words(passages)
    measured = (count_words(passages[:half]), sample_words)
    words = max(sample_words, laws.vocabulary_size(measured, (half, len(passages)), count))
    disk = extrapolate((small.passages, small.disk), (large.passages, large.disk), count)
    disk += (words - sample_words) * word_bytes
    return Forecast(
        kind,
        laws.growth_law(kind),
        (small, large),
        count,
        disk,
        building_disk=disk,
        memory=disk + measure.BYTES_PER_WORD * words + sample.memory * count,
        encode_s=0.0,
        build_s=_build_s(kind, small, large, count),
        query_ms=_search_ms(kind, small, large, count),
    )


def _build_s(kind: str, small: Measurement, large: Measurement, count: int) -> float:
    low, high = ((laws.build_cost(kind, m.passages), m.build_s) for m in (small, large))
    return extrapolate(low, high, laws.build_cost(kind, count))


def _search_ms(kind: str, small: Measurement, large: Measurement, count: int) -> float:
    """The search time with the effort of the larger measured index."""
    low, high = (
        (laws.search_cost(kind, m.passages, m.effort), m.search_ms) for m in (small, large)
    )
    return extrapolate(low, high, laws.search_cost(kind, count, large.effort))
