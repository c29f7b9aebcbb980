"""The settings in docs/rerankers.md run on tiny weights."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import rerankers
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.models.checkpoints import Checkpoint, resolve

PAGE = Path(__file__).parents[2] / "docs" / "rerankers.md"
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
HITS = [Hit(Passage("rhine", "Rein on joki."), 2.0), Hit(Passage("nile", "The Nile."), 1.0)]
QUERY = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
BUILDERS: dict[str, Callable[[Path], Path]] = {
    "BAAI/bge-reranker-v2-m3": rerankers.xlm_roberta,
    "Qwen/Qwen3-Reranker-0.6B": rerankers.qwen,
    "unicamp-dl/mt5-base-mmarco-v2": rerankers.mono_t5,
}


@pytest.mark.parametrize("block", BLOCKS)
def test_settings_on_the_page(
    block: str, tmp_path: Path, service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    service.replies = ["[2] > [1]"]
    block = block.replace("http://localhost:8000/v1", service.url)

    def tiny(name: str) -> Checkpoint:
        if name in BUILDERS:
            return Checkpoint(name, BUILDERS[name](tmp_path / "tiny"), "tiny")
        rerankers.mono_t5(tmp_path / "my-monot5", answers=("\u2581false", "\u2581true"))
        return resolve(name)

    monkeypatch.setattr("xorqa.models.pair_classifier.resolve", tiny)
    ranker = build("ranker", tomllib.loads(block)["ranker"])
    [ranked] = ranker.rank([QUERY], [HITS])
    assert sorted(hit.passage.docid for hit in ranked) == ["nile", "rhine"]
    assert ranker.fingerprint()


def test_every_kind_is_on_the_page() -> None:
    assert len(BLOCKS) == 5
