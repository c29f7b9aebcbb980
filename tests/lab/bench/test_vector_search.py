from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from xorqa.cli.main import app
from xorqa.io.files import read_json
from xorqa.lab.bench import vector_search

pytest.importorskip("faiss")


def units(count: int, *, seed: int = 0) -> Any:
    rows = np.random.default_rng(seed).standard_normal((count, 48))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_searching_is_timed_against_the_exact_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_search, "real_vectors", lambda *_: (units(400), units(50, seed=1)))
    file = tmp_path / "figures.json"
    command = [
        "bench",
        "search",
        "--size",
        "900",
        "--kind",
        "ivf-sq8",
        "--kind",
        "sq8",
        "--json",
        str(file),
    ]
    outcome = CliRunner().invoke(app, command, env={"COLUMNS": "200"})
    assert outcome.exit_code == 0, outcome.output
    assert "synthetic" in outcome.stdout and "seed 2026" in outcome.stdout
    figures = read_json(file)
    assert (figures["real"], figures["questions"]) == (400, 40)
    assert [(row["vectors"], row["synthetic"], row["kind"]) for row in figures["rows"]] == [
        (count, count - 400, kind) for count in (400, 900) for kind in ("flat", "ivf-sq8", "sq8")
    ]
    for row in figures["rows"]:
        assert row["recall@100"] > (0.9999 if row["kind"] == "flat" else 0.95)
        assert row["bytes_of_flat"] == 1 if row["kind"] == "flat" else row["bytes_of_flat"] < 0.5
        assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"]
        assert row["per_s"] > 0 and row["open_s"] > 0 and row["build_s"] > 0


def test_invalid_settings_are_rejected_before_encoding() -> None:
    for option, value, message in (
        ("--size", "0", "than or equal to 1"),
        ("--kind", "sq4", "valid: flat"),
    ):
        outcome = CliRunner().invoke(app, ["bench", "search", option, value])
        assert message in f"{outcome.exception} {outcome.output}"
