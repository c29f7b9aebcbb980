"""Checks of a dense index: its file, its encoder, and a sample of re-encoded passages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ...core.errors import DataError, IndexMismatchError
from ...core.progress import quantity
from ...core.types import Passage
from ...datasets.corpus import Corpus
from ...models.encoder import Encoder, EncoderSettings
from ...models.towers import Text
from ...retrieval.vectors.kinds import open_index, row_positions, row_vectors
from .findings import Finding, run_check

MIN_COSINES = {"flat": 0.999, "ivf-pq": 0.9}
MIN_COSINE_8_BIT = 0.995  # for the other kinds, with 8 bits per dimension


def check_dense_index(
    folder: Path,
    manifest: Mapping[str, Any],
    corpus: Corpus | None,
    sample: Sequence[tuple[int, Passage]],
    settings: EncoderSettings | None,
) -> Iterator[Finding]:
    """Check a dense index's file, its encoder, and the vectors of sampled passages.

    Vectors are also compared if the corpus differs but has as many passages, to report which
    passages changed.
    """
    opened: list[Any] = []
    encoders: list[Encoder] = []
    subject = str(folder)
    yield run_check(subject, "file", lambda: _file(folder, manifest, opened))
    yield run_check(subject, "encoder", lambda: _encoder(manifest, settings, encoders))
    if opened and encoders and corpus is not None and len(corpus) == manifest["passages"]:
        work = partial(_vectors, opened[0], encoders[0], manifest, sample)
        yield run_check(subject, "vectors", work)


def _file(folder: Path, manifest: Mapping[str, Any], opened: list[Any]) -> str:
    """Check that each passage has a vector; append the index to `opened`."""
    path = folder / "index.faiss"
    index = open_index(path, passages=manifest["passages"])
    if not np.array_equal(np.sort(row_positions(index)), np.arange(index.ntotal)):
        raise DataError(
            f"{path} has some passages twice and lacks others; "
            "rebuild it with xorqa index --rebuild"
        )
    opened.append(index)
    return f"{quantity(index.ntotal, 'vector')} of {index.d} dimensions, one per passage"


def _settings(manifest: Mapping[str, Any]) -> EncoderSettings:
    """The encoder settings in a manifest, which omits adapters and transforms."""
    options = {option.name for option in fields(EncoderSettings)} - {"model"}
    stored = {key: value for key, value in manifest.get("settings", {}).items() if key in options}
    return EncoderSettings(str(manifest.get("encoder")), **stored)


def _encoder(
    manifest: Mapping[str, Any], settings: EncoderSettings | None, encoders: list[Encoder]
) -> str:
    """Check that the encoder is the index's; append it to `encoders`."""
    encoder = Encoder(settings or _settings(manifest))
    fingerprint = encoder.fingerprint()
    name = encoder.settings.adapter or encoder.settings.model
    if fingerprint != manifest.get("weights"):
        raise IndexMismatchError(
            f"the index was built with an encoder of fingerprint {manifest.get('weights')}, "
            f"'{name}' has {fingerprint}: other weights or settings; if it was built with an "
            "adapter or a transform, pass --encoder or --transform; otherwise rebuild it"
        )
    encoders.append(encoder)
    return f"{name}, fingerprint {fingerprint}"


def _text_of(kind: str, settings: EncoderSettings, passage: Passage) -> Text:
    """The text of a passage that a retriever of that kind encodes."""
    if kind != "dense" and passage.title and settings.passage_adapter is None:
        return passage.title, passage.text
    return passage.titled


def _vectors(
    index: Any, encoder: Encoder, manifest: Mapping[str, Any], sample: Sequence[tuple[int, Passage]]
) -> str:
    """Compare the stored vectors of sampled passages with newly encoded ones."""
    passages, docids = [p for _, p in sample], [p.docid for _, p in sample]
    texts = [_text_of(str(manifest["kind"]), encoder.settings, passage) for passage in passages]
    encoded = encoder.passages(texts, [passage.lang for passage in passages])
    min_cosine = MIN_COSINES.get(str(manifest["index"]), MIN_COSINE_8_BIT)
    row_of = np.argsort(row_positions(index))
    stored = row_vectors(index, row_of[np.array([position for position, _ in sample])])
    if stored.shape != encoded.shape:
        raise IndexMismatchError(
            f"the index has {stored.shape[1]} dimensions, the encoder {encoded.shape[1]}"
        )
    norms = np.linalg.norm(stored, axis=1) * np.linalg.norm(encoded, axis=1)
    cosines = (stored * encoded).sum(axis=1) / np.maximum(norms, 1e-12)
    changed = [docid for docid, cos in zip(docids, cosines, strict=True) if not cos >= min_cosine]
    if changed:
        raise IndexMismatchError(
            f"{len(changed)} of {len(docids)} passages, such as '{changed[0]}', have another "
            f"vector when encoded again (minimum cosine {cosines.min():.4f} < {min_cosine}); "
            "rebuild it with xorqa index --rebuild"
        )
    return f"{quantity(len(docids), 'passage')} encoded again: cosine {cosines.min():.4f} or more"
