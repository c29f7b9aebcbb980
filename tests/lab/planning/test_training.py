import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.io.files import read_json


def test_a_recipe_is_planned(xorqa: Callable[..., Any], tiny_bert: Path, home: Path) -> None:
    small = ("--set", f"base={tiny_bert}", "--set", "batch_size=2", "--json", "plan.json")
    outcome = xorqa("plan", "lareqa-x-y", *small)
    assert outcome.status == 0, outcome.err
    assert "train-v1.1.json is missing, so batches of texts of the greatest" in outcome.err
    figures = read_json(Path("plan.json"))
    assert (figures["steps"], figures["accumulate"], figures["at_most"]) == (100_000, 32, True)
    wanted = 100_000 * (32 * figures["batch_s"] + figures["update_s"])
    assert figures["seconds"] == pytest.approx(wanted)
    assert "at most" in outcome.out and "100,000 steps of 32 batches" in outcome.out


def test_the_data_is_measured_if_it_is_there(
    xorqa: Callable[..., Any], tiny_bert: Path, tmp_path: Path
) -> None:
    qas = [
        {"id": str(n), "question": "How?", "answers": [{"text": "Nile", "answer_start": 4}]}
        for n in range(6)
    ]
    articles = [{"title": "Nile", "paragraphs": [{"context": "The Nile flows.", "qas": qas}]}]
    squad = tmp_path / "squad.json"
    squad.write_text(json.dumps({"data": articles}), encoding="utf-8")
    source = f"sources=[{{files=['{squad}'], lang='en', held_out=0.0}}]"
    small = ("--set", f"base={tiny_bert}", "--set", "batch_size=2", "--set", source)
    outcome = xorqa("plan", "lareqa-en-en", *small, "--json", "plan.json")
    assert outcome.status == 0, outcome.err
    assert not read_json(Path("plan.json"))["at_most"]


def test_what_is_not_planned(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("plan", "reader-en")
    assert outcome.status == 2 and "only bi-encoders are planned" in outcome.err
    outcome = xorqa("plan", "20k", "--set", "steps=1")
    assert outcome.status == 2 and "'20k' is no recipe" in outcome.err
