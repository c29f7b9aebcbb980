import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from xorqa.lab.training.chooser import train


def test_a_runs_report(xorqa: Callable[..., Any], saved_mini: Path) -> None:
    outcome = xorqa(
        *("report", saved_mini, "--choose", "rule,prefer=target", "--baseline", "only eng"),
        *("--choose", "rule,prefer=target,no_answer=reader-multi"),
        *("--samples", 100, "--json", "report.json", "--format", "csv"),
    )
    assert outcome.status == 0
    tables = outcome.out.split("\n\n")
    titles = ["all questions", "cross-lingual", "in-language"]
    figures = json.loads(Path("report.json").read_text())
    for table, part in zip(tables, titles, strict=False):
        rows = {row["system"]: row for row in csv.DictReader(io.StringIO(table))}
        first = figures["systems"][0]["parts"][part]
        assert rows["rule"]["table"] == f"xor-full, {part}"
        assert rows["rule"]["ko"] == f"{first['per_lang']['ko']['f1']:.1f}"
        assert rows["rule"]["F1"] == f"{first['macro']['f1']:.1f}"
        counts = rows.pop("n")
        assert [counts[lang] for lang in ("fi", "ko", "te")] == [*map(str, first["n"].values())]
        assert counts["F1"] == counts["BLEU"] == str(sum(first["n"].values()))
        assert list(rows) == [system["name"] for system in figures["systems"]]
        assert rows["rule"]["English retriever"] == "bm25"
        assert rows["oracle answer"]["reached"] == "100.0"
    compared = list(csv.DictReader(io.StringIO(tables[-1])))
    assert {row["questions"] for row in compared} == set(titles)
    rules = {"rule", "rule,prefer=target", "rule,prefer=target,no_answer=reader-multi"}
    assert {row["B"] for row in compared} == {*rules, "only target"}
    assert set(figures["comparisons"]) == set(titles)


def test_report_on_a_terminal_and_as_latex(xorqa: Callable[..., Any], saved_mini: Path) -> None:
    shown = xorqa("report", saved_mini)
    assert shown.status == 0
    assert "stages" in shown.out and "bm25+dense" in shown.out and "in-language" in shown.out
    paper = xorqa("report", saved_mini, "--format", "latex", "--scorer", "strict")
    assert paper.out.count(r"\begin{table}") == 3
    assert "L\\_i retriever" in paper.out and "n & – & – & – & – & 24 & 24 & 24 & 72" in paper.out


@pytest.mark.parametrize("width", [80, 120])
def test_each_table_is_printed_whole(
    xorqa: Callable[..., Any], saved_mini: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    titles = ["all questions", "cross-lingual", "in-language"]
    monkeypatch.setenv("COLUMNS", str(width))
    chosen = [f"rule,prefer=target,no_answer={score}" for score in (0.1, 0.2, 0.3, 0.4)]
    choices = [word for name in chosen for word in ("--choose", name)]
    shown = xorqa("report", saved_mini, *choices, "--baseline", "only eng", "--samples", 10)
    assert shown.status == 0
    lines = shown.out.splitlines()
    assert max(map(cell_len, lines)) <= width
    assert [line.rstrip() for line in lines if line.startswith("xor-full, ")] == [
        f"xor-full, {name}" for name in titles
    ]
    assert shown.out.count("┏") == len(titles) + 2  # and the stages and the comparison
    assert shown.out.count("oracle answer: the best") == 1
    assert "(24)" not in shown.out and "(72)" not in shown.out
    assert "Left out" not in shown.out


def test_wide_prints_the_stages_beside_the_scores(
    xorqa: Callable[..., Any], saved_mini: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = xorqa("report", saved_mini, "--wide")
    [header, *_] = [line for line in shown.out.splitlines() if "reached" in line]
    assert "English retriever" in header and len(header) > 80
    assert shown.out.count("┏") == 3


def test_a_learned_chooser_is_trained_and_shown(
    xorqa: Callable[..., Any], saved_mini: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sklearn")
    refused = xorqa("train", "chooser", saved_mini, "--out", "mine.json")
    assert refused.status == 2 and "a run over mini, which is for evaluation" in refused.err
    monkeypatch.setattr(train, "TRAINABLE", ("mini",))
    trained = xorqa("train", "chooser", saved_mini, "--out", "mine.json")
    assert trained.status == 0
    assert "calibration error" in trained.out and "oracle" in trained.out
    assert Path("mine.json").is_file()
    shown = xorqa("report", saved_mini, "--choose", "learned,weights=mine.json", "--format", "csv")
    assert "learned,weights=mine.json" in shown.out


def test_errors_are_one_line(xorqa: Callable[..., Any], saved_mini: Path) -> None:
    for arguments, message in [
        (["nowhere"], "nowhere/manifest.json cannot be read"),
        (
            [saved_mini, "--choose", "best"],
            "no chooser is called 'best'; valid: learned, rule",
        ),
        ([saved_mini, "--baseline", "best"], "no system is called 'best'"),
    ]:
        outcome = xorqa("report", *arguments)
        assert outcome.status == 2 and message in outcome.err
