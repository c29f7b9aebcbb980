"""The documents of a head's training: for training, and held out by a hash of their ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....core.errors import DataError
from ....core.progress import Log
from ....io.files import atomic_path, digest, read_json, write_json
from ....models.encoder import Encoder
from ...common.arrays import read_array
from ...training.common.training_data import stream
from ..captions.caption import Caption
from ..captions.own import read_jsonl_captions
from ..captions.split import is_held_out

Floats = NDArray[np.float32]

_REPORT_EVERY = 1024  # texts


@dataclass(frozen=True, slots=True)
class Document:
    """A title with a body; two documents with the same id are translations, which is not used."""

    id: str
    lang: str
    title: str
    body: str


def read_documents(paths: Iterable[Path]) -> list[Document]:
    """The documents of files LANG.jsonl; rows without a text or a body are left out.

    Raises:
        DataError: if a file is missing or damaged, or has no documents.
    """
    documents = []
    for path in paths:
        rows: dict[str, Caption] = {}
        for row in read_jsonl_captions(path.parent, path.stem):
            if row.text.strip() and row.body.strip():
                rows.setdefault(row.id, row)
        if not rows:
            raise DataError(f"{path} has no row with a text and a body (`body` or `tags`)")
        documents += [Document(key, path.stem, row.text, row.body) for key, row in rows.items()]
    return documents


def split(documents: Iterable[Document], share: float) -> tuple[list[Document], list[Document]]:
    """The documents to train on and the held-out ones, without an id in common.

    Raises:
        DataError: if fewer than two are left to train on.
    """
    parts: tuple[list[Document], list[Document]] = [], []
    for document in documents:
        parts[is_held_out(document.id, share)].append(document)
    if len(parts[0]) < 2:
        raise DataError("fewer than two documents are left to train on")
    return parts


def encode_documents(
    documents: Sequence[Document], encoder: Encoder, folder: Path, report: Log
) -> tuple[Floats, Floats]:
    """The frozen encoder's vectors of titles and of bodies; those in `folder` are reused."""
    texts = [
        *(document.title for document in documents),
        *(document.body for document in documents),
    ]
    langs = [document.lang for document in documents] * 2
    identity = digest(encoder.fingerprint(), texts, langs)
    path, record = folder / "vectors.npy", folder / "vectors.json"
    if path.is_file() and record.is_file() and read_json(record) == identity:
        vectors: Floats = read_array(path)
    else:
        parts = []
        for start in range(0, len(texts), _REPORT_EVERY):
            part = slice(start, start + _REPORT_EVERY)
            parts.append(encoder.queries(texts[part], langs[part]))
            report(f"encoded {min(part.stop, len(texts))}/{len(texts)} texts")
        vectors = np.concatenate(parts)
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.save(file, vectors)
        write_json(record, identity)
    return vectors[: len(documents)], vectors[len(documents) :]


def make_batches(count: int, *, epochs: int, size: int, seed: int) -> list[list[int]]:
    """Indices of documents: all of them in each epoch, shuffled; no batch has a single one."""
    batches = []
    for epoch in range(epochs):
        order = list(range(count))
        stream(seed, "batches", epoch).shuffle(order)
        batches += [order[start : start + size] for start in range(0, count, size)]
    return [batch for batch in batches if len(batch) > 1]
