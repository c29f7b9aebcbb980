"""A dense index: its file, its encoder, and a sample of its vectors made anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import DataError, IndexMismatchError
from ..core.types import Passage
from ..datasets.corpus import Corpus
from ..models.encoder import Encoder, EncoderSettings
from ..models.towers import Text
from ..retrieval.vectors.contents import row_positions, row_vectors
from ..retrieval.vectors.kinds import open_index
from .findings import Finding, look

FLOORS = {"flat": 0.999, "ivf-pq": 0.9}
QUANTISED = 0.995  # least cosine of a vector kept in 8 bits a dimension


def examine_vectors(
    folder: Path,
    found: Mapping[str, Any],
    corpus: Corpus | None,
    chosen: Sequence[tuple[int, Passage]],
    settings: EncoderSettings | None,
) -> Iterator[Finding]:
    """The findings on a dense index's file, encoder, and the vectors of the chosen passages.

    The vectors are compared though the corpus differs, if it has as many passages: that
    tells which of them were changed.
    """
    opened: list[Any] = []
    encoders: list[Encoder] = []
    subject, passages = str(folder), [passage for _, passage in chosen]
    yield look(subject, "file", lambda: _opens(folder, found, opened))
    yield look(subject, "encoder", lambda: _same_encoder(found, settings, encoders))
    if opened and encoders and corpus is not None and len(corpus) == found["passages"]:
        yield look(
            subject,
            "vectors",
            lambda: _same_vectors(
                opened[0],
                [at for at, _ in chosen],
                [passage.docid for passage in passages],
                _encoded(encoders[0], str(found["kind"]), passages),
                floor=FLOORS.get(str(found["index"]), QUANTISED),
            ),
        )


def _opens(folder: Path, found: Mapping[str, Any], opened: list[Any]) -> str:
    """Open the index into `opened`, if every passage has its vector."""
    path = folder / "index.faiss"
    index = open_index(path)
    if index.ntotal != found["passages"]:
        raise DataError(
            f"{path} has {index.ntotal} vectors for {found['passages']} passages; "
            "build it again (xorqa index --rebuild)"
        )
    if not np.array_equal(np.sort(row_positions(index)), np.arange(index.ntotal)):
        raise DataError(
            f"{path} has some passages twice and others not at all; "
            "build it again (xorqa index --rebuild)"
        )
    opened.append(index)
    return f"{index.ntotal} vectors of {index.d} dimensions, one a passage"


def _told(found: Mapping[str, Any]) -> EncoderSettings:
    """The settings that a manifest tells of: all but the files it knows by what they hold."""
    known = {one.name for one in fields(EncoderSettings)} - {"model"}
    told = {key: value for key, value in found.get("settings", {}).items() if key in known}
    return EncoderSettings(str(found.get("encoder")), **told)


def _same_encoder(
    found: Mapping[str, Any], settings: EncoderSettings | None, encoders: list[Encoder]
) -> str:
    """Make the encoder, and put it into `encoders` if the index was built with it."""
    encoder = Encoder(settings or _told(found))
    here = encoder.fingerprint()
    name = encoder.settings.adapter or encoder.settings.model
    if here != found.get("weights"):
        raise IndexMismatchError(
            f"the index was built with an encoder of fingerprint {found.get('weights')}, "
            f"'{name}' has {here}: other weights or settings; was it built with an adapter or a "
            "transform, name them (--encoder, --transform), else build it again"
        )
    encoders.append(encoder)
    return f"{name}, fingerprint {here}"


def _encoded(encoder: Encoder, kind: str, passages: Sequence[Passage]) -> Any:
    texts = [_searched(kind, encoder.settings, passage) for passage in passages]
    return encoder.passages(texts, [passage.lang for passage in passages])


def _searched(kind: str, settings: EncoderSettings, passage: Passage) -> Text:
    """What the retriever of that kind encodes of a passage."""
    if kind != "dense" and passage.title and settings.passage_adapter is None:
        return passage.title, passage.text
    return passage.titled


def _same_vectors(
    index: Any, positions: Sequence[int], docids: Sequence[str], wanted: Any, *, floor: float
) -> str:
    """Compare vectors of the passages at these positions with what the index keeps."""
    row_of = np.argsort(row_positions(index))
    kept = row_vectors(index, row_of[np.array(positions)])
    if kept.shape != wanted.shape:
        raise IndexMismatchError(
            f"the index has {kept.shape[1]} dimensions, the encoder {wanted.shape[1]}"
        )
    lengths = np.linalg.norm(kept, axis=1) * np.linalg.norm(wanted, axis=1)
    cosines = (kept * wanted).sum(axis=1) / np.maximum(lengths, 1e-12)
    other = [docid for docid, cosine in zip(docids, cosines, strict=True) if not cosine >= floor]
    if other:
        raise IndexMismatchError(
            f"{len(other)} of {len(docids)} passages encoded again have another vector (least "
            f"cosine {cosines.min():.4f}, {floor} is wanted), the first is '{other[0]}'; "
            "build it again (xorqa index --rebuild)"
        )
    return f"{len(docids)} passages encoded again: cosine {cosines.min():.4f} or more"
