"""The texts and images of languages, ready to be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.errors import DataError
from ...core.progress import TaskProgress, silent
from .captions.caption import Caption
from .captions.read import Captions, read_captions
from .captions.split import is_held_out
from .images.encode import encode_pictures
from .texts import Texts

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
        texts, bodies = [row.text for row in self.rows], [row.body for row in self.rows]
        return Texts(self.lang, texts, [row.row for row in self.rows], self.total, bodies)


SidesByLang = tuple[dict[str, Side], dict[str, Side]]
"""The languages as sources and as targets."""


def load_sides(
    folder: Path,
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    images: str,
    held_out: float | None = None,
    progress: TaskProgress = silent,
) -> SidesByLang:
    """Read captions and encode their images.

    Args:
        images: an image encoder (`models.images`), or "vectors" for those of the data.
        held_out: use only this share of the ids (`datasets.captions.split`).

    Raises:
        DataError: if a language has no usable captions, or the vectors of two differ in length.
    """
    read = {
        lang: _held_out(folder, read_captions(folder, lang, vectors=images == VECTORS), held_out)
        for lang in dict.fromkeys([*sources, *targets])
    }
    if images == VECTORS:
        sides = {lang: _with_vectors(captions) for lang, captions in read.items()}
        widths = {lang: side.images.shape[1] for lang, side in sides.items()}
        if len(set(widths.values())) > 1:
            lengths = ", ".join(f"{width} in {lang}" for lang, width in widths.items())
            raise DataError(f"image vectors have length {lengths}")
        return {lang: sides[lang] for lang in sources}, {lang: sides[lang] for lang in targets}
    # a row's first picture stands for it on the source side, its last on the target side
    pictures = [
        {lang: [row.images[position] for row in read[lang].rows] for lang in langs}
        for langs, position in ((sources, 0), (targets, -1))
    ]
    paths = [path for role in pictures for of_lang in role.values() for path in of_lang]
    vectors, _ = encode_pictures(images, paths, progress=progress)
    first, second = (
        {lang: _with_pictures(folder, read[lang], own, vectors) for lang, own in role.items()}
        for role in pictures
    )
    return first, second


def _held_out(folder: Path, captions: Captions, share: float | None) -> Captions:
    if share is None:
        return captions
    rows = tuple(row for row in captions.rows if is_held_out(row.id, share))
    if not rows:
        raise DataError(f"no text of {folder} in '{captions.lang}' is held out; raise --held-out")
    return replace(captions, rows=rows)


def _with_vectors(captions: Captions) -> Side:
    images = np.stack([row.vector for row in captions.rows if row.vector is not None])
    pictures = [None] * len(captions.rows)
    return Side(captions.lang, captions.rows, pictures, images, captions.left_out, captions.total)


def _with_pictures(
    folder: Path, captions: Captions, pictures: Sequence[Path], vectors: Mapping[Path, Floats]
) -> Side:
    decoded = [index for index, path in enumerate(pictures) if path in vectors]
    if not decoded:
        raise DataError(f"none of the pictures of {folder} in '{captions.lang}' can be decoded")
    broken = len(pictures) - len(decoded)
    return Side(
        captions.lang,
        [captions.rows[index] for index in decoded],
        [pictures[index] for index in decoded],
        np.stack([vectors[pictures[index]] for index in decoded]),
        {**captions.left_out, **({BROKEN: broken} if broken else {})},
        captions.total,
    )
