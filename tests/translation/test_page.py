"""The settings of docs/translation.md work, on tiny models in place of those that they name."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import translators as zoo
from xorqa.core.registry import build
from xorqa.core.types import Question

PAGE = Path(__file__).parents[2] / "docs" / "translation.md"
QUESTION = Question("q", "나일강은 어디에 있습니까?", "ko")


def released(folder: Path) -> dict[str, Callable[[], Path]]:
    """A tiny model for each name on the page."""
    return {
        "google/madlad400-3b-mt": lambda: zoo.t5(folder, zoo.MADLAD),
        "facebook/nllb-200-distilled-600M": lambda: zoo.nllb(folder),
        "./my-mt5": lambda: zoo.t5(folder),
        "./madlad400-3b-mt-int8": lambda: zoo.converted(
            zoo.t5(folder / "madlad", zoo.MADLAD), folder / "converted"
        ),
    }


def tables() -> list[dict[str, Any]]:
    """The translators on the page."""
    text = PAGE.read_text("utf-8")
    blocks = [part.partition("```")[0] for part in text.split("```toml\n")[1:]]
    return [tomllib.loads(block)["translator"] for block in blocks]


@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table["model"]))
def test_the_settings_work(table: dict[str, Any], tmp_path: Path, service: Any) -> None:
    service.replies = ["Where is the Nile?"]
    if table["use"] == "service":
        given = {**table, "url": service.url}
    else:
        pytest.importorskip(table["use"].replace("seq2seq", "sentencepiece"))
        model = released(tmp_path / "model")[table["model"]]()
        given = {**table, "model": str(model), "longest": 16}
    translator = build("translator", given)
    [query] = translator.translate([QUESTION], to="en")
    assert query.question == QUESTION
    if table["use"] == "service":
        assert query.text == "Where is the Nile?"
        [message] = service.requests[0]["messages"]
        assert message["content"].endswith(f"Korean: {QUESTION.text}\nEnglish:")
