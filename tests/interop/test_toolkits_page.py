"""The examples of docs/toolkits.md run."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa import Bm25, Dataset, Pipeline
from xorqa.core.errors import ConfigError, MissingExtraError
from xorqa.experiments.pipeline import Stop
from xorqa.experiments.settings import load_settings
from xorqa.interop.haystack import as_component
from xorqa.interop.langchain import as_retriever
from xorqa.interop.pyterrier import as_transformer
from xorqa.lab.common.saved_run import check_registered

PAGE = (Path(__file__).parents[2] / "docs" / "toolkits.md").read_text("utf-8")
PYTHON, TOML = (
    re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    for language in ("python", "toml")
)
CALLS = [block for block in PYTHON if "print(" in block]
PACKAGES = [block for block in PYTHON if "def " in block]


@pytest.mark.parametrize("adapt", [as_transformer, as_component, as_retriever])
def test_a_toolkit_that_is_not_installed(
    adapt: Callable[..., Any], bm25: Bm25, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    extra = adapt.__module__.rpartition(".")[2]
    with pytest.raises(MissingExtraError, match=rf"is not installed; .* 'xorqa\[{extra}\]'"):
        adapt(bm25)


def test_every_block_is_run() -> None:
    assert len(CALLS) == 3 and len(PACKAGES) == len(TOML) == 2
    assert len(CALLS) + len(PACKAGES) == len(PYTHON)


@pytest.mark.parametrize("block", CALLS, ids=len)
def test_calls(
    block: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "toolkits.md", "exec"), {})
    assert capsys.readouterr().out == "Francium\n"


@pytest.mark.parametrize("number", range(len(TOML)))
def test_stages_in_a_config(
    number: int, world: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_package.py").write_text(PACKAGES[number], "utf-8")
    (tmp_path / "my.toml").write_text(TOML[number], "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    settings = load_settings("my.toml")
    try:
        pipeline = Pipeline.from_config(
            settings, world.corpora, translations=world.translations, indexes=tmp_path
        )
        question = world.examples[0].question
        [trace] = pipeline.answer([question], until=Stop.RETRIEVE)
    finally:
        sys.modules.pop("my_package", None)
    assert trace.by_route["eng"].hits[0].passage.title == "Francium"
    with pytest.raises(ConfigError, match=r"which is not a stage of xorqa; .* --trust"):
        check_registered(settings.to_json(), where="config.json")
