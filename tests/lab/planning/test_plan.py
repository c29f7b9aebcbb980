import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.lab.planning.measure import LEXICAL
from xorqa.lab.planning.plan import PLANNABLE, plan

pytest.importorskip("faiss")

CORPUS = Corpus(
    "rivers",
    [
        Passage(f"p{number}", f"River {number} flows to sea {number % 7}.", "A river")
        for number in range(40)
    ],
)
WIDTH = 16


class Hashing:
    """An encoder without weights: a text's vector is made of its hash."""

    def queries(self, texts: Sequence[str], langs: Sequence[str]) -> Any:
        return np.stack([self._vector(text) for text in texts])

    passages = queries

    def _vector(self, text: str) -> Any:
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        vector = np.random.default_rng(seed).standard_normal(WIDTH)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def planned(count: int, *kinds: str, **options: Any) -> Any:
    return plan(
        count,
        kinds,
        CORPUS,
        encoder=Hashing(),  # type: ignore[arg-type]
        size=1200,
        **options,
    )


def test_each_kind_is_measured_twice_and_computed_once() -> None:
    reports: list[tuple[str, int, int]] = []
    sample, forecasts = planned(
        1_000_000, *PLANNABLE, progress=lambda *report: reports.append(report)
    )
    assert [forecast.kind for forecast in forecasts] == list(PLANNABLE)
    assert (sample.passages, sample.encoded, sample.width) == (40, 40, WIDTH)
    assert ("kinds measured", len(PLANNABLE) - 1, len(PLANNABLE)) in reports
    for forecast in forecasts:
        small, large = forecast.measured
        assert (small.passages, large.passages, forecast.passages) == (600, 1200, 1_000_000)
        assert small.disk < large.disk < forecast.disk <= forecast.building_disk
        assert forecast.memory > forecast.disk + 1_000_000 * 100
        assert forecast.build_s > 0 and forecast.query_ms > 0 and forecast.law
        assert (forecast.encode_s > 0) == (forecast.kind not in LEXICAL)
    size = {forecast.kind: forecast.disk for forecast in forecasts}
    assert size["flat"] == pytest.approx(1_000_000 * (4 * WIDTH + 8), rel=0.01)
    assert size["sq8"] == pytest.approx(1_000_000 * (WIDTH + 8), rel=0.01)
    assert size["ivf-sq8"] == pytest.approx(1_000_000 * (WIDTH + 8) + 4000 * 4 * WIDTH, rel=0.01)
    assert size["ivf-pq"] < size["ivf-sq8"] < size["hnsw-sq8"]


def test_what_is_computed_for_a_measured_size_is_what_was_measured() -> None:
    _, (exact, lists, words) = planned(1200, "flat", "ivf-sq8", "bm25")
    for forecast in (exact, lists):
        assert forecast.disk == pytest.approx(forecast.measured[1].disk, rel=1e-6)
    assert words.disk > words.measured[1].disk  # more passages have more words; those repeat
    for forecast in (exact, lists, words):
        assert forecast.build_s == pytest.approx(forecast.measured[1].build_s)
    assert words.query_ms == pytest.approx(words.measured[1].search_ms)


def test_nothing_is_encoded_for_words_alone() -> None:
    sample, forecasts = planned(50_000, *LEXICAL)
    assert sample.encoded == 0 and all(
        forecast.encode_s == 0 < forecast.disk for forecast in forecasts
    )


def test_workers_share_the_encoding() -> None:
    sample, [forecast] = planned(10_000, "flat", workers=4)
    assert forecast.encode_s == pytest.approx(sample.passage_s * 10_000 / 4)


def test_what_cannot_be_planned_is_refused() -> None:
    with pytest.raises(ConfigError, match="'sq4'; valid: bm25, flat, hnsw-sq8"):
        planned(100, "sq4")
    few = Corpus("few", CORPUS.passages[:7])
    with pytest.raises(DataError, match="few has 7 passages, fewer than 8"):
        plan(9, ["bm25"], few, encoder=Hashing(), size=1200)  # type: ignore[arg-type]
