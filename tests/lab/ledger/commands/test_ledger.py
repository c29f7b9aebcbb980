import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.lab.ledger import losses


def test_a_runs_ledger(xorqa: Callable[..., Any], config: Path) -> None:
    xorqa("run", config, "--lang", "fi,te", "--until", "read", "--out", "mine")
    outcome = xorqa("ledger", "mine", "--json", "ledger.json", "--format", "csv")
    assert outcome.status == 0
    assert "questions with an English gold passage: fi 12, te 12" in outcome.err
    figures = json.loads(Path("ledger.json").read_text())
    table = csv.DictReader(io.StringIO(outcome.out))
    rows = {(row["passages"], row["metric"]): row for row in table}
    ways = ["gold passage given", "oracle passage choice", "end to end"]
    assert list(figures["answers"]) == ways
    assert list(rows) == [
        *((way, metric) for way in ways for metric in ("f1", "em")),
        *(
            (when, what)
            for when in ("retrieved", "read")
            for what in ("gold passage", "or an answer")
        ),
    ]
    ours = json.loads(Path("mine/scores.json").read_text())["xor-engspan"]["official"]
    assert figures["answers"]["end to end"] == {key: ours[key] for key in ours if key != "parts"}
    assert rows["end to end", "f1"]["fi"] == f"{ours['per_lang']['fi']['f1']:.1f}"
    assert figures["passages"]["retrieved"]["macro"]["gold passage"] > 50
    assert xorqa("ledger", "mine").status == 0


def test_a_folder_without_a_run(xorqa: Callable[..., Any]) -> None:
    Path("nowhere").mkdir()
    outcome = xorqa("ledger", "nowhere")
    assert (outcome.status, outcome.out) == (2, "")
    assert "nowhere/manifest.json cannot be read" in outcome.err


def test_a_configs_ledger(xorqa: Callable[..., Any], config: Path) -> None:
    command = (
        "ledger",
        config,
        "--translators",
        "human,none",
        "--json",
        "losses.json",
        "--plot",
        "losses.svg",
        "--set",
        "reader.passages=1",
    )
    outcome = xorqa(*command, "--format", "csv")
    assert outcome.status == 0
    assert "questions counted: ar 12, bn 12" in outcome.err
    assert "Spearman's rank correlation of BLEU with XOR-EnglishSpan F1 (the pair of" in outcome.out
    assert "human,XOR-EnglishSpan F1," in outcome.out and "human,XOR-Full F1," in outcome.out
    figures = json.loads(Path("losses.json").read_text())
    assert list(figures["losses"]) == list(figures["bleu"]) == ["human", "none"]
    assert list(figures["xor-engspan"]["f1"]) == ["human", "none"]
    assert abs(sum(figures["losses"]["none"]["macro"].values()) - 100) < 1e-6
    assert "back-translation" in Path("losses.svg").read_text()


def test_a_translator_may_be_a_table(xorqa: Callable[..., Any], config: Path) -> None:
    table = '{ use = "recorded", file = "nowhere.jsonl" }'
    outcome = xorqa("ledger", config, "--translators", f"human, {table}")
    assert (outcome.status, outcome.out) == (2, "")
    assert "nowhere.jsonl" in outcome.err


def test_a_config_that_does_not_exist(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("ledger", "nowhere")
    assert (outcome.status, outcome.out) == (2, "")
    assert "no example config is called 'nowhere'" in outcome.err


def test_the_ledger_of_generated_answers(
    xorqa: Callable[..., Any],
    config: Path,
    service: Any,
    tmp_path: Path,
    tiny_adapter: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    span = {"use": "span", "adapter": str(tiny_adapter)}
    monkeypatch.setattr(losses, "with_span_reader", lambda settings: replace(settings, reader=span))
    service.replies = ['{"answer": null}', (500, {}), '{"answer": null}']  # no model's replies
    table = f'reader = {{ use = "generate", endpoint = "{service.url}", model = "m", retries = 0 }}'
    lines = [line for line in config.read_text().splitlines() if "reader =" not in line]
    path = tmp_path / "generate.toml"
    path.write_text("\n".join([table, *lines]))
    run = xorqa("run", path, "--lang", "fi", "--sample", "8", "--routes", "eng", "--out", "made")
    assert run.status == 0, run.err
    outcome = xorqa("ledger", "made", "--json", "ledger.json", "--format", "csv")
    assert outcome.status == 0, outcome.err
    figures = json.loads(Path("ledger.json").read_text())
    assert figures["answers"]["end to end"]["macro"]["f1"] == 0.0
    assert list(figures["answers"])[-1] == "end to end"
    assert list(figures["passages"]) == ["retrieved", "read", "cited"]
    assert "the reader failed on 1 question" in outcome.err
