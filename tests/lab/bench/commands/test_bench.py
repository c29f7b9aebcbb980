import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from xorqa.cli.main import app
from xorqa.core.lang import XOR_LANGUAGES
from xorqa.lab.bench.scorers import synthetic
from xorqa.models.checkpoints import Checkpoint
from xorqa.models.device import pick_dtype


@pytest.mark.slow
def test_encoding_is_timed_against_its_peer(e5: Checkpoint) -> None:
    pytest.importorskip("sentence_transformers")
    outcome = CliRunner().invoke(
        app, ["bench", "encode", "--texts", "8", "--rounds", "1", "--json"]
    )
    assert outcome.exit_code == 0, outcome.output
    figures = json.loads(outcome.stdout.splitlines()[-1])
    assert figures["cpu"]
    assert figures["texts"] == 8
    assert {"float32", str(pick_dtype("auto")).removeprefix("torch.")} == {*figures["precisions"]}
    for row in figures["precisions"].values():
        assert row["ratio"] == row["sentence_transformers_s"] / row["xorqa_s"] > 0


@pytest.mark.jvm
def test_bm25_ranks_as_its_peer_and_is_timed_against_it(tmp_path: Path) -> None:
    pytest.importorskip("pyserini.resources")
    file = tmp_path / "figures.json"
    command = ["bench", "index", "--rounds", "1", "--json", str(file)]
    outcome = CliRunner().invoke(app, command)
    assert outcome.exit_code == 0, outcome.output
    figures = json.loads(file.read_text())
    assert figures["same_as_peer"] == figures["questions"] == 168
    assert f"the same ranking for {figures['questions']} questions" in outcome.stdout
    assert [row["system"] for row in figures["rows"]][:2] == ["bm25", "lucene"]
    assert all(row["per_s"] > 0 and row["bytes"] > 0 for row in figures["rows"])


def test_questions_are_answered_one_at_a_time(tmp_path: Path) -> None:
    config = tmp_path / "bm25.toml"
    config.write_text(
        '[[routes]]\nname = "eng"\nretriever = { use = "bm25" }\ntranslator = { use = "human" }\n'
        '[reader]\nuse = "tests.experiments.test_pipeline:LastWord"\n'
    )
    file = tmp_path / "figures.json"
    outcome = CliRunner().invoke(
        app, ["bench", "ask", str(config), "--questions", "3", "--json", str(file)]
    )
    assert outcome.exit_code == 0, outcome.output
    figures = json.loads(file.read_text())
    assert figures["questions"] == 3
    stages = figures["ms"]
    assert list(stages)[-1] == "all"
    assert {"eng.translate", "eng.retrieve", "eng.read", "answer"} <= set(stages)
    assert all(0 <= row["p50"] <= row["p95"] for row in stages.values())


def test_reading_is_timed(tmp_path: Path, tiny_adapter: Path) -> None:
    file = tmp_path / "figures.json"
    command = [
        "bench",
        "read",
        "--passages",
        "2",
        "--tokens",
        "20",
        "--rounds",
        "1",
        "--reader",
        str(tiny_adapter),
        "--json",
        str(file),
    ]
    outcome = CliRunner().invoke(app, command)
    assert outcome.exit_code == 0, outcome.output
    assert "2 passages" in outcome.stdout
    figures = json.loads(file.read_text())
    assert list(figures["ms"]) == ["2"] and figures["ms"]["2"] > 0


def test_scoring_is_timed_against_its_peers(tmp_path: Path) -> None:
    for name in ("nltk", "sacrebleu", "sacremoses", "MeCab", "unidic_lite"):
        pytest.importorskip(name)
    file = tmp_path / "figures.json"
    outcome = CliRunner().invoke(app, ["bench", "score", "--n", "150", "--json", str(file)])
    assert outcome.exit_code == 0, outcome.output
    assert "official" in outcome.stdout and "strict" in outcome.stdout
    figures = json.loads(file.read_text())
    assert figures["predictions"] == 150
    assert min(figures[name] for name in ("official_s", "strict_s", "peer_per_s", "ratio")) > 0


def test_synthetic_answers_are_reproducible_and_partly_right() -> None:
    references, predictions = synthetic(300)
    assert (references, predictions) == synthetic(300)
    assert {reference.lang for reference in references} == set(XOR_LANGUAGES)
    right = sum(predictions[row.qid] in row.answers for row in references)
    assert 30 < right < 150
    assert len(set(predictions.values())) > 200


def test_damaged_files_are_counted_by_reader(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = ["bench", "fuzz", "--inputs", "100", "--seed", "5", "--json", str(file)]
    outcome = CliRunner().invoke(app, command, env={"COLUMNS": "200"})
    assert outcome.exit_code == 0, outcome.output
    figures = json.loads(file.read_text())
    counts = figures["readers"].values()
    assert figures["failures"] == []
    assert sum(row["inputs"] for row in counts) == 100
    assert all(row["inputs"] == row["refused"] + row["read"] for row in counts)
    assert "TREC run" in outcome.output and "Seed 5." in outcome.output


def test_a_first_day_needs_its_data(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("bench", "first-day", "--passages", 90)
    assert outcome.status == 2
    assert "english_tydiqa_train.json cannot be read" in outcome.err
    assert outcome.err.count("\n") == 1
