"""Every registered stage has an example in its docstring, and the example runs."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.translation.conftest import service  # noqa: F401  the fixture of a chat service
from tests.zoo.engines import index_with_pyserini, write_pyserini_faiss
from tests.zoo.late import splade
from xorqa.core.registry import STAGES, find
from xorqa.datasets.catalog import load_dataset
from xorqa.models.encoder import Encoder

REAL_WEIGHTS = {
    *(
        "bundled",
        "dense",
        "dpr",
        "faiss-index",
        "hybrid",
        "late-interaction",
        "mdpr",
        "path",
        "qdrant",
    ),
    *("qdrant-collection", "reader", "span"),
}
JAVA = ("lucene", "lucene-index")


def stages() -> list[Any]:
    """Each role and name, with the marker of what its example needs."""
    marks = {name: [pytest.mark.slow] for name in REAL_WEIGHTS}
    marks |= {name: [pytest.mark.jvm] for name in JAVA}
    return [
        pytest.param(role, name, id=f"{role}-{name}", marks=marks.get(name, []))
        for role, names in STAGES.items()
        for name in names
    ]


def example_of(role: str, name: str) -> doctest.DocTest:
    """The example in a class's docstring."""
    cls = find(role, name)
    text = inspect.getdoc(cls) or ""
    return doctest.DocTestParser().get_doctest(text, {}, cls.__qualname__, None, 0)


@pytest.mark.parametrize(("role", "name"), stages())
def test_the_example_runs(
    role: str,
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(tmp_path)
    example = example_of(role, name)
    NEEDS.get(name, lambda *_: None)(example, tmp_path, request.getfixturevalue)
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example, out=report.append)
    assert runner.failures == 0, "".join(report)


@pytest.mark.parametrize(("role", "name"), stages())
def test_the_example_is_short_and_shows_a_result(role: str, name: str) -> None:
    examples = example_of(role, name).examples
    lines = [line for one in examples for line in one.source.splitlines()]
    assert 3 <= len(lines) <= 8
    assert examples[-1].want
    assert f"{find(role, name).__qualname__}(" in "\n".join(lines)


def test_a_wrong_example_is_noticed() -> None:
    wrong = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(wrong, out=[].append)
    assert runner.failures == 1


Fixture = Callable[[str], Any]


def _needs_java(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("jnius_config")


def _needs_cluster(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    fixture("cluster")
    fixture("monkeypatch").setenv("XORQA_OPENSEARCH_URL", fixture("noida"))


def _needs_qdrant(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("qdrant_client")


def _needs_faiss_index(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    texts = ["The Nile is in Africa.", "The Rhine is in Europe."]
    write_pyserini_faiss(folder / "wiki-faiss", ["Nile", "Rhine"], Encoder().passages(texts))


def _needs_lucene_index(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("jnius_config")
    passages = load_dataset("mini").corpora["en"].passages
    index_with_pyserini(folder / "pyserini", passages).rename(folder / "wiki-lucene")


def _needs_filled_cluster(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    url, patch = fixture("noida"), fixture("monkeypatch")
    patch.setenv("XORQA_ELASTIC_URL", url)
    patch.setenv("XORQA_OPENSEARCH_URL", url)
    client = pytest.importorskip("opensearchpy").OpenSearch(hosts=[url])
    client.indices.delete(index="wiki", ignore_unavailable=True)
    row = {"pid": "Nile", "heading": "Nile", "body": "The Nile is in Africa."}
    client.index(index="wiki", id="1", body=row, refresh=True)


def _needs_qdrant_collection(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    qdrant = pytest.importorskip("qdrant_client")
    vectors = Encoder().passages(["Nile\nThe Nile is in Africa."])
    client = qdrant.QdrantClient(path=str(folder / "wiki-qdrant"))
    size = qdrant.models.VectorParams(size=vectors.shape[1], distance="Cosine")
    client.create_collection("wiki", vectors_config=size)
    row = {"pid": "Nile", "heading": "Nile", "body": "The Nile is in Africa."}
    client.upsert(
        "wiki", [qdrant.models.PointStruct(id=1, vector=vectors[0].tolist(), payload=row)]
    )
    client.close()


def _needs_anyascii(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    pytest.importorskip("anyascii")


def _needs_model(
    example: doctest.DocTest, folder: Path, fixture: Fixture, *, model: str, link: str
) -> None:
    """A tiny random model in place of the one that the example names."""
    (folder / link).symlink_to(fixture(model), target_is_directory=True)


def _needs_splade(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    splade(folder / "splade")


def _needs_service(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The tests' chat service in place of the one that the example names."""
    server = fixture("service")
    server.replies = ["Where is Inari?"]
    for one in example.examples:
        one.source = one.source.replace("http://localhost:8000/v1", server.url)


def _needs_generator(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The same for the reader: a scripted answer, which no model made."""
    _needs_service(example, folder, fixture)
    quote = '"citations": [{"passage": 1, "quote": "in Africa"}]'
    fixture("service").replies = ['{"answer": "Afrikassa", ' + quote + "}"]


def _needs_order(example: doctest.DocTest, folder: Path, fixture: Fixture) -> None:
    """The same for the ranker."""
    _needs_service(example, folder, fixture)
    fixture("service").replies = ["[2] > [1]"]


NEEDS: dict[str, Callable[[doctest.DocTest, Path, Fixture], None]] = {
    "lucene": _needs_java,
    "elastic": _needs_cluster,
    "learned-sparse": _needs_splade,
    "opensearch": _needs_cluster,
    "elastic-index": _needs_filled_cluster,
    "opensearch-index": _needs_filled_cluster,
    "qdrant-collection": _needs_qdrant_collection,
    "faiss-index": _needs_faiss_index,
    "lucene-index": _needs_lucene_index,
    "qdrant": _needs_qdrant,
    "lexicon": _needs_anyascii,
    "seq2seq": partial(_needs_model, model="tiny_seq2seq", link="opus-mt-fi-en"),
    "ctranslate2": partial(_needs_model, model="tiny_ctranslate2", link="opus-mt-fi-en-int8"),
    "service": _needs_service,
    "generate": _needs_generator,
    "listwise": _needs_order,
}
