"""Commands over an index that another program built."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import engines
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus, write_passages
from xorqa.models.encoder import Encoder, EncoderSettings

Run = Callable[..., Any]
TEXTS = {"nile": "The Nile is a river.", "rhine": "The Rhine is long.", "inari": "A lake in Inari."}
CORPUS = Corpus("three", [Passage(docid, text) for docid, text in TEXTS.items()])


@pytest.fixture
def table(tmp_path: Path, tiny: Path) -> str:
    """The settings of a FAISS index, as the command line takes them; its passages in a file."""
    encoder = {"model": str(tiny), "pooling": "mean"}
    vectors = Encoder(EncoderSettings(**encoder)).passages([p.titled for p in CORPUS])
    index = engines.write_pyserini_faiss(tmp_path / "index", [*TEXTS], vectors)
    write_passages(tmp_path / "three.jsonl", CORPUS)
    inner = f'{{ model = "{tiny}", pooling = "mean" }}'
    return f'{{ use = "faiss-index", index = "{index}", encoder = {inner} }}'


def test_doctor_checks_it(xorqa: Run, tmp_path: Path, table: str) -> None:
    corpus = ("--corpus", str(tmp_path / "three.jsonl"))
    outcome = xorqa("doctor", "--retriever", table, *corpus)
    assert outcome.status == 0, outcome.err + outcome.out
    assert "3 vectors, 32 dimensions" in outcome.out
    assert "3 passages encoded again" in outcome.out
    (tmp_path / "index" / "docid").write_text("a\nb\nc\n", encoding="utf-8")
    outcome = xorqa("doctor", "--retriever", table, *corpus)
    assert outcome.status == 1
    assert "corpus three lacks" in outcome.out


@pytest.mark.parametrize("arguments", [(), ("--data", "mini", "--lang", "fi,ko")])
def test_doctor_needs_its_passages(xorqa: Run, table: str, arguments: tuple[str, ...]) -> None:
    outcome = xorqa("doctor", "--retriever", table, *arguments)
    assert outcome.status == 2
    assert "pass the passages that were indexed" in outcome.err


def test_doctor_takes_the_folder_of_other_indexes(xorqa: Run, tmp_path: Path, table: str) -> None:
    outcome = xorqa("doctor", "--retriever", "bm25", "--corpus", str(tmp_path / "three.jsonl"))
    assert outcome.status == 2
    assert "pass that folder" in outcome.err


def test_index_neither_builds_nor_updates_it(xorqa: Run, tmp_path: Path, table: str) -> None:
    file = str(tmp_path / "three.jsonl")
    outcome = xorqa("index", "--retriever", table, "--corpus", file)
    assert outcome.status == 2
    assert "opens an index as it is" in outcome.err
    (tmp_path / "new.jsonl").write_text(json.dumps({"docid": "x", "text": "New."}) + "\n")
    new = str(tmp_path / "new.jsonl")
    outcome = xorqa("index", "update", file, "--corpus", new, "--retriever", table)
    assert outcome.status == 2
    assert "cannot update it" in outcome.err


def test_index_takes_a_table_of_settings(
    xorqa: Run, tmp_path: Path, tiny: Path, table: str
) -> None:
    pytest.importorskip("qdrant_client")
    settings = f'{{ use = "qdrant", encoder = {{ model = "{tiny}", pooling = "mean" }} }}'
    file = str(tmp_path / "three.jsonl")
    outcome = xorqa("index", "--retriever", settings, "--corpus", file)
    assert outcome.status == 0, outcome.err
    assert "/qdrant-" in outcome.out
    outcome = xorqa("doctor", outcome.out.split(":")[0], "--corpus", file)
    assert outcome.status == 0, outcome.out
    assert "3 points in passages" in outcome.out


def test_doctor_checks_the_index_in_a_cluster(
    xorqa: Run, tmp_path: Path, table: str, cluster: str
) -> None:
    corpus = ("--corpus", str(tmp_path / "three.jsonl"))
    outcome = xorqa("doctor", "--retriever", "elastic", *corpus)
    assert outcome.status == 1
    assert "has no index of this corpus" in outcome.out
    assert xorqa("index", "--retriever", "elastic", *corpus).status == 0
    outcome = xorqa("doctor", "--retriever", "elastic", *corpus)
    assert outcome.status == 0, outcome.out
    assert "3 passages of en in xorqa-test-" in outcome.out


def test_settings_of_the_search_alone_share_an_index(
    xorqa: Run, tmp_path: Path, tiny: Path, table: str
) -> None:
    pytest.importorskip("qdrant_client")
    file = str(tmp_path / "three.jsonl")
    settings = f'use = "qdrant", encoder = {{ model = "{tiny}", pooling = "mean" }}'
    first = xorqa("index", "--retriever", f"{{ {settings} }}", "--corpus", file)
    other = xorqa("index", "--retriever", f'{{ {settings}, text = "query" }}', "--corpus", file)
    assert first.out.split(":")[0] == other.out.split(":")[0]
    new = tmp_path / "new.jsonl"
    new.write_text(json.dumps({"docid": "x", "text": "New."}) + "\n", encoding="utf-8")
    named = f'{{ {settings}, text = "query" }}'
    outcome = xorqa("index", "update", file, "--corpus", new, "--retriever", named)
    assert outcome.status == 0, outcome.err
    assert "4 passages, 1 written" in outcome.out
