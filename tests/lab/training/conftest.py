"""A small world to train on: eight rivers, an article each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.reader.recipe import ReaderRecipe, ReaderSource

RIVERS = ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi", "Tigris", "Krishna")


def paragraph(river: str, at: int) -> dict[str, Any]:
    """A passage with two questions that one place answers, and one that two places answer."""
    text = f"The {river} is {at}07 km long. A town called {river}stad{at} stands on the {river}."
    answers = {"long": f"{at}07 km", "town": f"{river}stad{at}", "where": river}
    return {
        "context": text,
        "qas": [
            {
                "id": f"{river}-{at}-{word}",
                "question": f"{word} of the {river}?",
                "answers": [{"text": answer, "answer_start": text.index(answer)}],
            }
            for word, answer in answers.items()
        ]
        + [{"id": f"{river}-{at}-none", "question": "nothing?", "answers": []}],
    }


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQuAD-style file of 8 articles."""
    articles = [
        {"title": river, "paragraphs": [paragraph(river, at) for at in (1, 2)]} for river in RIVERS
    ]
    path = tmp_path_factory.mktemp("squad") / "train.json"
    path.write_text(json.dumps({"data": articles}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def recipe(file: Path, tiny: Path) -> ReaderRecipe:
    schedule = Schedule(1e-2, log_every=1)
    source = ReaderSource((str(file),), held_out=0.3, first_offsets=True)
    return ReaderRecipe(
        (source,),
        base=str(tiny),
        questions=22,
        batch_size=4,
        max_tokens=96,
        rank=2,
        alpha=4,
        dtype="float32",
        schedule=schedule,
    )
