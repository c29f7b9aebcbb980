"""A typed question works with every example config that needs nothing from outside."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.weights import forget_weights, write_adapters, write_base
from xorqa.experiments.settings import EXAMPLES
from xorqa.models import adapters, transforms

STAGES = ("lucene", "elastic", "dpr", "mdpr", "psq", "generate")
ELSEWHERE = (*(f'use = "{name}"' for name in STAGES), '"training/')
CONFIGS = sorted(
    path.stem
    for path in EXAMPLES.values()
    if not any(part in path.read_text(encoding="utf-8") for part in ELSEWHERE)
)
FUSED = {"documents", "hybrid"}
HUMAN = {"bm25", "hybrid", "path"}  # have human translations


@pytest.fixture(scope="module")
def shared_home(
    tmp_path_factory: pytest.TempPathFactory,
    tiny: Path,
    tiny_adapter: Path,
    tiny_translator: Path,
) -> Iterator[Path]:
    """A home with tiny weights under the names of those that ship, and the indexes of all tests."""
    home = tmp_path_factory.mktemp("home")
    weights = home / "weights"
    weights.mkdir()
    for name in ("chooser.json", "confidence.json"):
        shutil.copy(adapters.SHIPPED / name, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XORQA_HOME", str(home))
        for module in (adapters, transforms):
            patch.setattr(module, "SHIPPED", weights)
        write_base(tiny)
        write_adapters(weights, reader=tiny_adapter, translator=tiny_translator)
        forget_weights()
        yield home
        forget_weights()


def test_all_example_configs_are_listed() -> None:
    assert {"bm25", "dense", "dense-translated", "full-pool", "hybrid"} <= set(CONFIGS)
    assert set(CONFIGS) >= HUMAN


@pytest.mark.parametrize("config", CONFIGS)
def test_a_typed_question(
    xorqa: Callable[..., Any], shared_home: Path, monkeypatch: pytest.MonkeyPatch, config: str
) -> None:
    monkeypatch.setenv("XORQA_HOME", str(shared_home))
    outcome = xorqa("ask", "--json", "--config", config, "--lang", "fi", "Missä Oulu on?")
    assert outcome.status == 0, outcome.err
    shown = json.loads(outcome.out)
    assert shown["lang"] == "fi"
    assert shown["trace"]["candidates"]
    assert all(bool(route["parts"]) == (config in FUSED) for route in shown["trace"]["routes"])
    # Indexing is announced where it would take seconds, and with an encoder its prompts.
    built = ("Indexing ", "e5-small-q4: queries begin with")
    lines = [line for line in outcome.err.splitlines() if not line.startswith(built)]
    message = "route eng: a typed question has no human translation; searched with the bundled"
    assert len(lines) == (config in HUMAN)
    assert all(message in line for line in lines)
