"""The examples of docs/late-interaction.md run, with tiny models in place of the named ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.zoo import late
from xorqa.core.registry import build
from xorqa.core.types import Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.mini import load as load_mini
from xorqa.retrieval.over_corpus import retriever_over

PAGE = Path(__file__).parents[2] / "docs" / "late-interaction.md"
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
MODELS: dict[str, Callable[[Path], Path]] = {
    "lightonai/GTE-ModernColBERT-v1": late.pylate,
    "BAAI/bge-m3": late.bge_m3,
    "naver/splade-v3": late.splade,
}


@pytest.mark.parametrize("block", BLOCKS)
def test_an_example_ranks_passages(block: str, tmp_path: Path) -> None:
    corpus = Corpus("some", load_mini().corpora["en"].passages[:20])
    [route] = tomllib.loads(block)["routes"]
    for role in ("retriever", "ranker"):
        name = route.get(role, {}).get("model")
        if name in MODELS:
            route[role]["model"] = str(MODELS[name](tmp_path / role))
    text = f"What is {corpus.passages[0].title}?"
    query = Query(Question("q", text, "en"), text, "en")
    hits = retriever_over(corpus, route["retriever"], tmp_path / "indexes").retrieve([query], k=9)
    assert hits[0]
    if "ranker" in route:
        [ranked] = build("ranker", route["ranker"]).rank([query], hits)
        assert {hit.passage for hit in ranked} == {hit.passage for hit in hits[0]}
