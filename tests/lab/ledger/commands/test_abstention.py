import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_two_runs_over_a_world_with_gaps(xorqa: Callable[..., Any], config: Path) -> None:
    exported = xorqa(
        "data", "export", "mini", "--format", "folder", "--without-gold", 0.33, "--out", "g"
    )
    assert exported.status == 0 and "questions without an answer: ar 5, " in exported.out
    for name, k in (("one", 5), ("two", 1)):
        done = xorqa(
            *("run", config, "--data", "g", "--lang", "fi"),
            *("--set", f"reader.passages={k}", "--out", name),
        )
        assert done.status == 0, done.err
    outcome = xorqa(
        *("eval", "abstention", "one", "two", "--min-confidence", 0, "--json", "a.json"),
        *("--plot", "a.svg", "--format", "csv"),
    )
    assert outcome.status == 0, outcome.err
    figures = json.loads(Path("a.json").read_text())
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(outcome.out))}
    assert list(rows) == list(figures) == ["one", "two"]
    for name, row in rows.items():
        assert row["area, all"] == f"{100 * figures[name]['curves']['all']['area']:.1f}"
        assert (row["error"], row["calibrated"]) == ("0.0", "no")
    assert "one: 17 answerable, 7 unanswerable questions" in outcome.err
    assert "answerable questions" in (svg := Path("a.svg").read_text()) and ">two<" in svg


def test_a_world_without_unanswerable_questions(xorqa: Callable[..., Any], config: Path) -> None:
    xorqa("run", config, "--lang", "fi", "--sample", 2, "--out", "one")
    outcome = xorqa("eval", "abstention", "one", "--plot", "a.svg")
    assert outcome.status == 0, outcome.err
    assert "2 answerable, 0 unanswerable questions" in outcome.out
    assert "all questions" not in Path("a.svg").read_text()


def test_a_folder_without_a_run(xorqa: Callable[..., Any]) -> None:
    Path("nowhere").mkdir()
    outcome = xorqa("eval", "abstention", "nowhere")
    assert (outcome.status, outcome.out) == (2, "")


def test_a_share_beyond_all(xorqa: Callable[..., Any]) -> None:
    call = ("data", "export", "mini", "--format", "folder", "--out", "g", "--without-gold")
    assert xorqa(*call, 1.5).status == 2
