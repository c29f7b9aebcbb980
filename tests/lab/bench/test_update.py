from typing import Any

import pytest

from tests.retrieval.test_dense import Hashing
from xorqa.core.errors import ConfigError
from xorqa.core.progress import silent
from xorqa.lab.bench import update
from xorqa.retrieval import dense

pytest.importorskip("faiss")


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """An encoder without weights, and no Java."""
    encoder = Hashing()
    monkeypatch.setenv("XORQA_HOME", str(tmp_path))
    monkeypatch.setattr(dense, "shared_encoder", lambda settings: encoder)
    monkeypatch.setattr(update, "LEXICAL", ("bm25",))


def test_updated_indexes_are_compared_with_rebuilt_ones() -> None:
    options = {"added": 12, "replaced": 6, "deleted": 5}
    figures = update.measure("mini", ["sq8"], **options, progress=silent)
    assert figures["passages"] == 327
    flat, sq8, bm25 = figures["rows"]
    assert [row["kind"] for row in figures["rows"]] == ["flat", "sq8", "bm25"]
    assert flat["same"] == flat["recall"] == bm25["same"] == 1.0
    assert flat["difference"] < 1e-5 and bm25["difference"] == 0
    assert abs(sq8["recall"] - sq8["rebuilt"]) < 0.05
    assert all(row["update_s"] > 0 and row["rebuild_s"] > 0 for row in figures["rows"])
    printed = update.grid({"cpu": "a processor", **figures})
    assert "12 added, 6 replaced, 5 deleted" in printed.title
    assert [row[0] for row in printed.readable[0]] == ["flat", "sq8", "bm25"]


def test_more_changes_than_passages_are_refused() -> None:
    with pytest.raises(ConfigError, match="327 passages are too few"):
        update.measure("mini", [], added=300, replaced=20, deleted=8, progress=silent)
