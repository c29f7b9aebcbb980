"""The texts and images of two languages, ready to be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.progress import TaskProgress, silent
from ...datasets.captions.caption import Caption
from ...datasets.captions.read import Captions, read_captions
from ...models.images.encode import encode_pictures
from .encoders import Texts

VECTORS = "vectors"
BROKEN = "broken images"

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The captions of a language whose image has a vector, and the others by reason."""

    lang: str
    rows: Sequence[Caption]
    pictures: Sequence[Path | None]
    images: Floats
    left_out: Mapping[str, int]
    total: int

    @property
    def ids(self) -> list[str]:
        """The ids of the captions."""
        return [row.id for row in self.rows]

    @property
    def texts(self) -> Texts:
        """The input of text encoders."""
        texts = [row.text for row in self.rows]
        return Texts(self.lang, texts, [row.row for row in self.rows], self.total)


def load_pair(
    folder: Path, source: str, target: str, *, images: str, progress: TaskProgress = silent
) -> tuple[Side, Side]:
    """Read the captions of two languages and encode their images.

    Args:
        images: an image encoder (`models.images`), or "vectors" for those of the data.

    Raises:
        DataError: if a language has no usable captions, or the vectors of both differ in length.
    """
    if images == VECTORS:
        read = [read_captions(folder, lang, vectors=True) for lang in (source, target)]
        sides = [_with_vectors(captions) for captions in read]
        first, second = (side.images.shape[1] for side in sides)
        if first != second:
            raise DataError(f"image vectors have length {first} in {source}, {second} in {target}")
        return sides[0], sides[1]
    captions = [read_captions(folder, lang) for lang in (source, target)]
    pictures = [
        [row.images[at] for row in side.rows] for side, at in zip(captions, (0, -1), strict=True)
    ]
    vectors, _ = encode_pictures(images, [*pictures[0], *pictures[1]], progress=progress)
    return (
        _with_pictures(folder, captions[0], pictures[0], vectors),
        _with_pictures(folder, captions[1], pictures[1], vectors),
    )


def _with_vectors(captions: Captions) -> Side:
    images = np.stack([row.vector for row in captions.rows if row.vector is not None])
    pictures = [None] * len(captions.rows)
    return Side(captions.lang, captions.rows, pictures, images, captions.left_out, captions.total)


def _with_pictures(
    folder: Path, captions: Captions, pictures: Sequence[Path], vectors: Mapping[Path, Floats]
) -> Side:
    good = [at for at, path in enumerate(pictures) if path in vectors]
    if not good:
        raise DataError(f"none of the pictures of {folder} in '{captions.lang}' can be decoded")
    broken = len(pictures) - len(good)
    return Side(
        captions.lang,
        [captions.rows[at] for at in good],
        [pictures[at] for at in good],
        np.stack([vectors[pictures[at]] for at in good]),
        {**captions.left_out, **({BROKEN: broken} if broken else {})},
        captions.total,
    )
