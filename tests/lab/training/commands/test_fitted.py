from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lab.training.confidence.conftest import recipe_file  # noqa: F401  the fixture of a recipe
from xorqa.lab.training.confidence import rows


def test_without_a_folder_the_inputs_are_shown(xorqa: Callable[..., Any]) -> None:
    outcome = xorqa("train", "confidence")
    assert outcome.status == 0
    assert "squad/train-v1.1.json" in outcome.out and "missing" in outcome.out
    assert "Nothing was trained; give a folder with --out." in outcome.out
    refused = xorqa("train", "confidence", "--out", "mine")
    assert refused.status == 2 and "missing input files: squad/train-v1.1.json" in refused.err
    assert not Path("mine/confidence.json").exists()


def test_the_measures_are_printed(
    xorqa: Callable[..., Any],
    recipe_file: Path,  # noqa: F811
    tiny_adapter: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(rows, "RIGHT", 0.2)  # a random reader is seldom right
    trained = xorqa(
        *("train", "confidence", recipe_file, "--set", f"reader={tiny_adapter}", "--out", "mine")
    )
    assert trained.status == 0, trained.err
    assert "calibration error" in trained.out and "code-switched" in trained.out
    assert "threshold: 0." in trained.out
    assert Path("mine/confidence.json").is_file() and Path("mine/confidence.md").is_file()
