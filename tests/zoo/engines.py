"""Indexes that other programs build, by their own commands and their own layouts."""

from __future__ import annotations

import json
import os
import pickle
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from xorqa.core.types import Passage
from xorqa.retrieval.java import start_jvm


def import_pyserini() -> None:
    """Prepare the import of pyserini: its JVM, and the key that it wants when it is imported."""
    start_jvm()
    os.environ.setdefault("OPENAI_API_KEY", "none")


def command(module: str, *arguments: str) -> None:
    """Run a command of pyserini in this process, which has the JVM that it needs."""
    import_pyserini()
    with patch.object(sys, "argv", [module, *arguments]):
        runpy.run_module(module, run_name="__main__")


def write_collection(folder: Path, passages: Sequence[Passage]) -> Path:
    """The passages as pyserini's commands read them: title and text in one field."""
    folder.mkdir(parents=True)
    rows = [{"id": one.docid, "contents": one.titled, "text": one.titled} for one in passages]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "passages.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def index_with_pyserini(folder: Path, passages: Sequence[Passage], *options: str) -> Path:
    """A Lucene index by `python -m pyserini.index.lucene`."""
    source = write_collection(folder / "collection", passages)
    index = folder / "lucene"
    command(
        "pyserini.index.lucene",
        *("--collection", "JsonCollection", "--input", str(source), "--index", str(index)),
        *("--generator", "DefaultLuceneDocumentGenerator", "--threads", "1", *options),
    )
    return index


def encode_with_pyserini(folder: Path, passages: Sequence[Passage], encoder: Path) -> Path:
    """A FAISS index by `python -m pyserini.encode`, of mean-pooled vectors of unit length."""
    source = write_collection(folder / "collection", passages)
    index = folder / "faiss"
    command(
        "pyserini.encode",
        *("input", "--corpus", str(source), "--fields", "text", "--delimiter", "\f"),
        *("output", "--embeddings", str(index), "--to-faiss"),
        *("encoder", "--encoder", str(encoder), "--encoder-class", "auto", "--pooling", "mean"),
        *("--l2-norm", "--dimension", "32", "--max-length", "512", "--batch-size", "1"),
        *("--fields", "text", "--device", "cpu"),
    )
    return index


def write_pyserini_faiss(folder: Path, docids: Sequence[str], vectors: Any) -> Path:
    """The layout of `pyserini.encode`, without pyserini: `index` and `docid`."""
    return _write(folder, vectors, "index", "docid", "".join(f"{one}\n" for one in docids).encode())


def write_dpr_faiss(folder: Path, docids: Sequence[str], vectors: Any) -> Path:
    """The layout of DPR's `dense_retriever.py`: `index.dpr` and a pickled list of docids."""
    return _write(folder, vectors, "index.dpr", "index_meta.dpr", pickle.dumps([*docids]))


def _write(folder: Path, vectors: Any, index_name: str, docid_name: str, docids: bytes) -> Path:
    import faiss

    folder.mkdir(parents=True)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors, np.float32))
    faiss.write_index(index, str(folder / index_name))
    (folder / docid_name).write_bytes(docids)
    return folder


FIELDS = {"docid": "pid", "title": "heading", "text": "page.body", "lang": "language"}
"""The names of the fields of `fill_elastic`."""


def fill_elastic(client: Any, index: str, passages: Sequence[Passage], vectors: Any) -> None:
    """An index of Elasticsearch with other field names, and its own vectors in `embedding`."""
    text = {"type": "text"}
    dense = {"type": "dense_vector", "dims": vectors.shape[1], "similarity": "cosine"}
    properties = {
        "pid": {"type": "keyword"},
        "heading": text,
        "page": {"properties": {"body": {**text, "fields": {"exact": {"type": "keyword"}}}}},
        "language": {"type": "keyword"},
        "embedding": {**dense, "index_options": {"type": "hnsw"}},
    }
    client.indices.create(index=index, body={"mappings": {"properties": properties}})
    lines: list[dict[str, Any]] = []
    for one, vector in zip(passages, vectors.tolist(), strict=True):
        lines += [{"index": {"_index": index, "_id": f"internal-{one.docid}"}}]
        page = {"pid": one.docid, "heading": one.title, "page": {"body": one.text}}
        lines += [{**page, "language": one.lang, "embedding": vector}]
    client.bulk(body=lines, refresh=True)


def fill_qdrant(client: Any, collection: str, passages: Sequence[Passage], vectors: Any) -> None:
    """A Qdrant collection with two named vectors, whose payload has other keys."""
    from qdrant_client import models

    size = vectors.shape[1]
    sizes = {
        "passage": models.VectorParams(size=size, distance=models.Distance.COSINE),
        "summary": models.VectorParams(size=2, distance=models.Distance.EUCLID),
    }
    client.create_collection(collection, vectors_config=sizes)
    points = [
        models.PointStruct(
            id=number,
            vector={"passage": vector, "summary": [float(number), 0.0]},
            payload={
                "pid": one.docid,
                "heading": one.title,
                "page": {"body": one.text},
                "language": one.lang,
            },
        )
        for number, (one, vector) in enumerate(zip(passages, vectors.tolist(), strict=True))
    ]
    client.upsert(collection, points, wait=True)
