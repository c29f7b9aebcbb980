from pathlib import Path

import pytest

from xorqa.lab.bench.mixed_pool import grid, measure

SHARED = Path(__file__).parents[3].parent / "shared" / "data"


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_hybrid_retrieval_is_not_below_dense_in_a_mixed_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    figures = measure(SHARED, questions=20, passages=50)
    assert figures["passages"] == 150
    assert figures["questions"] == {"as asked": 60, "in English": 40}
    right = {
        name: sum(percents[group] * n for group, n in figures["questions"].items())
        for name, percents in figures["found"].items()
    }
    assert right["hybrid"] >= right["dense"] > right["bm25"] > 0
    assert figures["found"]["bm25"]["as asked"] > figures["found"]["bm25"]["in English"]
    assert "as asked (60)" in grid(figures).header
