"""Vectors of sentences: from an encoder, shard by shard so that a killed run resumes, or a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.errors import DataError
from ...core.progress import Progress, TaskProgress, silent
from ...core.types import Passage
from ...io.files import ARRAY_ERRORS, cache_dir, digest
from ...io.locks import lock_folder
from ...models.encoder import Encoder
from ...models.encoder_settings import EncoderSettings, encoder_settings
from ...models.towers import Text
from ...retrieval.vectors.encoding import encode_passages, shared_encoder
from ...retrieval.vectors.shards import encode_corpus
from .sentences import Sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


def encode_sides(
    encoder: str,
    sides: Sequence[Sentences],
    *,
    folder: Path | None = None,
    workers: int = 0,
    progress: TaskProgress = silent,
    as_passages: bool = False,
) -> list[Floats]:
    """The vectors (sentences, dimensions) of each side.

    Args:
        encoder: a checkpoint or an adapter, which encodes all sentences as queries; or an .npz
            file, whose arrays are named like the sides.
        folder: stores the vectors, which later calls reuse; default: `vectors` in the cache.
        workers: encoding processes; 0: this process.
        as_passages: encode all sentences as passages instead.

    Raises:
        DataError: if the file lacks an array, or one of another size.
        WeightsError: if the encoder cannot be loaded.
    """
    if encoder.endswith(".npz"):
        return read_vectors(Path(encoder), sides)
    settings = encoder_settings(encoder)
    root = folder or cache_dir() / "vectors"
    return [
        _encode(
            settings, side, root, workers, partial(progress, f"encoding {side.name}"), as_passages
        )
        for side in sides
    ]


def encode_queries(settings: EncoderSettings, texts: Sequence[Text], langs: Sequence[str]) -> Any:
    """Encode sentences with an encoder of these settings; picklable, for worker processes."""
    return shared_encoder(settings).queries([str(text) for text in texts], langs)


def _encode(
    settings: EncoderSettings,
    side: Sentences,
    root: Path,
    workers: int,
    progress: Progress,
    as_passages: bool,
) -> Floats:
    encoder: Encoder = shared_encoder(settings)
    distinct = {text: row for row, text in enumerate(dict.fromkeys(side.texts))}
    passages = [Passage(str(row), text, lang=side.lang) for text, row in distinct.items()]
    kind = ("passages",) if as_passages else ()
    folder = root / digest(encoder.fingerprint(), side.lang, *kind, *distinct)
    encode = encode_passages if as_passages else encode_queries

    def encode_here(texts: Sequence[Text], langs: Sequence[str], *, progress: Progress) -> Any:
        return encode(settings, texts, langs)

    with lock_folder(folder, "the vectors in"):
        shards = encode_corpus(
            passages,
            folder,
            text_of=lambda passage: passage.text,
            encode_here=encode_here,
            encode_in_worker=partial(encode, settings),
            workers=workers,
            progress=progress,
        )
    dimensions = encoder.passage_dimensions if as_passages else encoder.dimensions
    vectors = np.empty((len(distinct), dimensions), np.float32)
    for shard in shards:
        vectors[shard.positions] = shard.read()
    if len(distinct) == len(side):
        return vectors
    return vectors[[distinct[text] for text in side.texts]]


def read_vectors(path: Path, sides: Sequence[Sentences]) -> list[Floats]:
    """Read the vectors of each side from an .npz file, whose arrays are named like the sides.

    Raises:
        DataError: if an array is missing or of another size.
    """
    try:
        with np.load(path, allow_pickle=False) as stream:
            missing = [side.name for side in sides if side.name not in stream]
            if missing:
                raise DataError(f"{path} has no array '{missing[0]}'; name arrays like the files")
            arrays = [stream[side.name] for side in sides]
    except (*ARRAY_ERRORS, TypeError) as error:
        raise DataError(f"{path} cannot be read as an .npz file: {error}") from error
    width = arrays[0].shape[-1:]
    for side, array in zip(sides, arrays, strict=True):
        if array.dtype.kind not in "fiu" or array.shape != (len(side), *width):
            raise DataError(
                f"{path}: '{side.name}' has type {array.dtype} and shape {array.shape}; its file "
                f"needs numbers of shape ({len(side)}, dimensions), with the same dimensions for "
                "all files"
            )
    vectors = [array.astype(np.float32) for array in arrays]
    for side, array in zip(sides, vectors, strict=True):
        if not np.isfinite(array).all():
            raise DataError(f"{path}: '{side.name}' has numbers that are not finite")
    return vectors
