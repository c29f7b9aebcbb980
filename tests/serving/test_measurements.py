"""The measurements of `xorqa bench serve`, with a pipeline that has no weights."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_serve import CONFIG
from xorqa.lab.bench.serving import grid, measure


def test_a_server_is_measured_against_its_pipeline_alone(tmp_path: Path) -> None:
    (path := tmp_path / "mine.toml").write_text(CONFIG)
    figures = measure(str(path), "mini", clients=3, seconds=0.5)
    assert figures["errors"] == {} and figures["passages"] == 696
    assert figures["answered"] == round(figures["per_s"] * figures["elapsed"]) > 0
    assert figures["elapsed"] >= 0.5
    assert figures["ratio"] == figures["per_s"] / figures["one_by_one_per_s"]
    assert 0 < figures["p50_ms"] <= figures["p95_ms"]
    rows = dict(grid({"cpu": "cpu", **figures}).rows[0])
    assert rows["errors"] == "0" and "questions/s" in "".join(rows)
    grown = grid({"cpu": "cpu", **figures, "early_bytes": 100, "last_bytes": 105})
    assert dict(grown.rows[0])["memory since request 200"] == "+5.0%"
