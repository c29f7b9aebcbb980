"""Pairs of drawings of the same thing: for training, and held out by a hash of their ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ....core.errors import DataError
from ..captions.own import read_jsonl_captions
from ..captions.split import is_held_out
from ..images.convolutional import prepared
from ..images.picture import open_picture

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Drawings:
    """The first and the last picture of each id, as bytes (ids, 3, side, side)."""

    ids: tuple[str, ...]
    first: Bytes
    last: Bytes


def read_drawings(paths: Iterable[Path], side: int, held_out: float) -> tuple[Drawings, Drawings]:
    """The drawings to train on and the held-out ones; rows with fewer than two are left out.

    Raises:
        DataError: if a file is missing or damaged, or fewer than two ids are left to train on.
        BrokenPictureError: if a picture is missing or damaged.
    """
    pictures: dict[str, tuple[Path, Path]] = {}
    for path in paths:
        for row in read_jsonl_captions(path.parent, path.stem):
            if len(row.images) > 1:
                pictures.setdefault(row.id, (row.images[0], row.images[-1]))
    parts: tuple[list[str], list[str]] = [], []
    for id in pictures:
        parts[is_held_out(id, held_out)].append(id)
    if len(parts[0]) < 2:
        raise DataError("fewer than two ids with two pictures are left to train on")
    kept, others = (_read(ids, pictures, side) for ids in parts)
    return kept, others


def _read(ids: list[str], pictures: dict[str, tuple[Path, Path]], side: int) -> Drawings:
    columns = (_bytes([pictures[id][column] for id in ids], side) for column in (0, 1))
    return Drawings(tuple(ids), *columns)


def _bytes(paths: list[Path], side: int) -> Bytes:
    rows = np.zeros((len(paths), 3, side, side), np.uint8)
    for row, path in zip(rows, paths, strict=True):
        row[:] = np.rint((prepared([open_picture(path)], side)[0] + 1) * 127.5)
    return rows
