import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.models import adapters
from xorqa.models.checkpoints import resolve
from xorqa.models.description import describe


@pytest.fixture
def shipped(tiny_adapter: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The tiny adapter, as if it came with the package; its name."""
    monkeypatch.setattr(adapters, "SHIPPED", tiny_adapter.parent)
    return tiny_adapter.stem


def test_list_names_the_base_and_its_adapters(xorqa: Callable[..., Any], shipped: str) -> None:
    outcome = xorqa("models", "list")
    assert outcome.status == 0
    assert "e5-small-q4" in outcome.out and "MIT" in outcome.out
    [row] = [line for line in outcome.out.splitlines() if shipped in line]
    assert "adapter" in row and "MB" in row


def test_show_a_folder(xorqa: Callable[..., Any], tiny: Path) -> None:
    outcome = xorqa("models", "show", tiny, "--json")
    checkpoint = resolve(str(tiny))
    wanted = {"name": str(tiny), "path": str(tiny), "sha": checkpoint.sha}
    wanted |= describe(checkpoint)
    assert json.loads(outcome.out) == wanted
    assert json.loads(xorqa("models", "show", tiny).out) == wanted


def test_show_an_adapter_and_its_card(
    xorqa: Callable[..., Any], shipped: str, tiny: Path, tiny_adapter: Path
) -> None:
    shown = json.loads(xorqa("models", "show", shipped, "--json").out)
    assert shown["name"] == shipped
    assert shown["path"] == str(tiny_adapter)
    assert (shown["base"], shown["base_sha"]) == (str(tiny), resolve(str(tiny)).sha)
    assert shown["card"] == {"steps": 0}


def test_pull_prints_the_path_of_weights(xorqa: Callable[..., Any], tiny: Path) -> None:
    outcome = xorqa("models", "pull", tiny)
    assert (outcome.status, outcome.out) == (0, f"{tiny}: {tiny}\n")


def test_networks_of_their_own_have_no_base(xorqa: Callable[..., Any]) -> None:
    lines = xorqa("models", "list").out.splitlines()
    rows = {line.strip("│ ").split()[0]: line for line in lines if line.startswith("│")}
    for name in ("image-encoder", "transliterator"):
        assert "e5-small-q4" not in rows[name]
        assert (
            not {"base", "base_sha"}
            & json.loads(xorqa("models", "show", name, "--json").out).keys()
        )
    assert "reader, adapter for e5-small-q4" in rows["reader-multi"]
