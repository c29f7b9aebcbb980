"""`xorqa diagnose`: tables, files, and errors of users."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lab.diagnosis.made_up import write_squad
from xorqa.io.files import write_json

QUICK = ("--samples", 100, "--min-n", 1)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A SQuAD-style file, and the predictions of two systems."""
    rows = [
        ("q0", "Who built it?", "Anna built it in 1901.", "Anna"),
        ("q1", "When was it built?", "It was built in 1901.", "1901"),
        ("q2", "Why was it built there?", "It was built for trade and salt.", "for trade and salt"),
    ]
    data, ours, theirs = (tmp_path / name for name in ("d.en.json", "ours.json", "theirs.json"))
    write_squad(data, rows, title="Bridge")
    write_json(ours, {"q0": "Anna", "q1": "in 1901", "q2": "salt"})
    write_json(theirs, {"q0": "1901", "q1": "1901", "q2": "salt"})
    return data, ours, theirs


def test_one_system(xorqa: Callable[..., Any], files: tuple[Path, Path, Path]) -> None:
    data, ours, _ = files
    options = ("--by", "aLen", "--edges", "aLen=2", "--metric", "em")
    outcome = xorqa("diagnose", "--task", "squad", "--data", data, "--pred", ours, *options, *QUICK)
    assert (outcome.status, outcome.err) == (0, "")
    assert "squad (official), em by bucket" in outcome.out
    rows = [line.replace("│", " ").split() for line in outcome.out.splitlines() if "│" in line]
    assert ["all", "all", "3", "33.3"] in [row[:4] for row in rows]
    assert ["aLen", "≤", "1", "2", "50.0"] in [row[:5] for row in rows]
    assert "fixed edges 2" in " ".join(outcome.out.split())


def test_two_systems_and_all_files(
    xorqa: Callable[..., Any], files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    data, ours, theirs = files
    paths = [tmp_path / "out" / name for name in ("d.json", "d.csv", "d.html")]
    outcome = xorqa(
        *("diagnose", "--task", "squad", "--data", data),
        *("--pred", f"A={ours}", "--pred", f"B={theirs}", "--examples", 1, *QUICK),
        *("--json", paths[0], "--csv", paths[1], "--html", paths[2]),
    )
    assert (outcome.status, outcome.err) == (0, "")
    assert "Where A and B differ most, f1" in outcome.out
    assert "all systems have f1 0 on 0 of 3" in outcome.out
    assert "A is better: " in outcome.out and "gold: Anna; A: Anna; B: 1901" in outcome.out
    assert "passage: Anna built it in 1901." in outcome.out
    values = json.loads(paths[0].read_text("utf-8"))
    assert list(values["systems"]) == ["A", "B", "oracle"]
    assert values["pairs"][0]["a_best"][0]["questions"][0]["qid"] == "q0"
    with paths[1].open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["system"] for row in rows} == {"A", "B", "oracle"}
    assert paths[2].read_text("utf-8").startswith("<!doctype html>")


def test_the_questions_alone(
    xorqa: Callable[..., Any], files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    data = "diagnose", "--task", "squad", "--data", files[0]
    paths = [tmp_path / name for name in ("d.json", "d.html")]
    outcome = xorqa(*data, "--by", "qLen", "--by", "qType", "--json", paths[0], "--html", paths[1])
    assert (outcome.status, outcome.err) == (0, "")
    rows = [line.replace("│", " ").split() for line in outcome.out.splitlines() if "│" in line]
    assert ["qType", "when", "1", "33.3", "33.3"] in rows and ["questions", "3", "3"] in rows
    values = json.loads(paths[0].read_text("utf-8"))
    assert values["systems"] == {} and values["numbers"]["qLen"]["en"]["most"] == 5
    assert "share of each bucket" in paths[1].read_text("utf-8")
    for needless in (("--by-language",), ("--metric", "f1"), ("--by", "gold-rank")):
        refused = xorqa(*data, *needless)
        assert refused.status == 2 and "needs predictions" in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "alen"), "no feature is called 'alen'"),
        (("--edges", "aLen=two"), "needs a feature and numbers"),
        (("--edges", "aLen=3,2"), "must increase"),
        (("--pred", "=x.json"), "name the system"),
        (("--metric", "bleu"), "no metric is called 'bleu'"),
        (("some-run",), "not both"),
    ],
)
def test_mistakes_are_one_line(
    xorqa: Callable[..., Any],
    files: tuple[Path, Path, Path],
    options: tuple[str, ...],
    message: str,
) -> None:
    data, ours, _ = files
    outcome = xorqa("diagnose", "--task", "squad", "--data", data, "--pred", ours, *options)
    assert outcome.status == 2 and message in outcome.err
    assert len(outcome.err.splitlines()) == 1
