import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


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
    assert figures["answers"]["end to end"] == ours
    assert rows["end to end", "f1"]["fi"] == f"{ours['per_lang']['fi']['f1']:.1f}"
    assert figures["passages"]["retrieved"]["macro"]["gold passage"] > 50
    assert xorqa("ledger", "mine").status == 0


def test_a_folder_without_a_run(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("ledger", "nowhere")
    assert (outcome.status, outcome.out) == (2, "")
    assert "nowhere/manifest.json cannot be read" in outcome.err
