"""The settings of docs/engines.md work, with tiny weights and small indexes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import engines
from xorqa.core.types import Passage, Question
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.settings import Route
from xorqa.models.encoder import Encoder, EncoderSettings

TEXT = (Path(__file__).parents[3] / "docs" / "engines.md").read_text(encoding="utf-8")
BLOCKS = [
    tomllib.loads(text) for text in re.findall(r"^```toml\n(.*?)^```$", TEXT, re.DOTALL | re.M)
]
TEXTS = {"nile": "The Nile is a river.", "rhine": "The Rhine is long.", "inari": "A lake in Inari."}
CORPUS = Corpus("three", [Passage(docid, text, docid.title()) for docid, text in TEXTS.items()])
QUESTION = Question("q", "The Nile", "fi")
Fill = Callable[[str], None]


def use_of(block: dict[str, Any]) -> str:
    """The retriever of a block's only route."""
    return str(block["routes"][0]["retriever"]["use"])


def encoder(tiny: Path) -> dict[str, Any]:
    """The tiny encoder in place of the one that the page names."""
    return {"model": str(tiny), "pooling": "mean"}


@pytest.fixture
def fill(tmp_path: Path, tiny: Path, noida: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Fill]:
    """Makes the index that a retriever opens, in the working directory or in the local cluster."""
    vectors = Encoder(EncoderSettings(**encoder(tiny))).passages([one.titled for one in CORPUS])
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XORQA_QDRANT_URL", raising=False)
    monkeypatch.setenv("XORQA_ELASTIC_URL", noida)
    client = pytest.importorskip("opensearchpy").OpenSearch(hosts=[noida])

    def fill_index(use: str) -> None:
        if use == "faiss-index":
            engines.write_pyserini_faiss(Path("wiki-faiss"), [*TEXTS], vectors)
        elif use == "lucene-index":
            pytest.importorskip("jnius_config")
            index = engines.index_with_pyserini(tmp_path / "built", CORPUS.passages)
            index.rename("wiki-lucene")
        elif use == "qdrant-collection":
            qdrant = pytest.importorskip("qdrant_client").QdrantClient(path="wiki-qdrant")
            engines.fill_qdrant(qdrant, "wiki", CORPUS.passages, vectors)
            qdrant.close()
        elif use == "elastic-index":
            client.indices.delete(index="wiki", ignore_unavailable=True)
            engines.fill_elastic(client, "wiki", CORPUS.passages, vectors)

    yield fill_index
    client.indices.delete(index="wiki", ignore_unavailable=True)


@pytest.mark.jvm
@pytest.mark.parametrize("block", BLOCKS, ids=use_of)
def test_a_route_of_the_page(block: dict[str, Any], fill: Fill, tmp_path: Path, tiny: Path) -> None:
    [table] = block["routes"]
    retriever = {**table["retriever"]}
    if "encoder" in retriever:
        retriever["encoder"] = encoder(tiny)
    fill(use_of(block))
    route = Route(table["name"], retriever, table["translator"], corpus=table["corpus"])
    options: dict[str, Any] = {"translations": {"q": "The Nile"}, "indexes": tmp_path / "indexes"}
    pipeline = Pipeline([route], {"en": CORPUS}, k=3, **options)
    [trace] = pipeline.answer([QUESTION], until=Stop.RETRIEVE)
    hits = trace.by_route["eng"].hits
    assert hits and {hit.passage.docid for hit in hits} <= {*TEXTS}
    assert hits[0].passage.docid == "nile" or "encoder" in retriever


def test_the_page_names_every_retriever() -> None:
    assert [*map(use_of, BLOCKS)] == [
        "qdrant",
        "elastic-index",
        "qdrant-collection",
        "faiss-index",
        "lucene-index",
    ]
    assert "opensearch-index" in TEXT
