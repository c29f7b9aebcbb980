"""A text and its image."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LANG = re.compile(r"[a-z]{2,3}(-[A-Za-z]+)?")
"""The names of files and folders that are languages."""


@dataclass(frozen=True, slots=True, eq=False)
class Caption:
    """A text, and its images or its image's vector.

    Attributes:
        id: the same in all languages; two texts with the same id are translations.
        text: empty if the image has no text.
        images: pictures of the same thing. As a source the text uses the first one, as a target
            the last one.
        vector: the image as a vector, if the file has one.
        row: the position in the language's data, from 0; rows of vector files are in this order.
        body: the rest of the document that `text` is the title of; empty if there is none.
    """

    id: str
    text: str
    images: tuple[Path, ...]
    vector: NDArray[np.float32] | None = None
    row: int = 0
    body: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout of files: which languages a folder has, and the captions of one of them."""

    languages: Callable[[Path], Collection[str]]
    read: Callable[[Path, str], Iterator[Caption]]


def locate(folder: Path, name: str, *more: str) -> Path:
    """An image's path: in the folder, in `images/`, or in another subfolder.

    If it does not exist anywhere, the path in `images/`.
    """
    inside = folder / "images" / name
    places = (folder / name, inside, *(folder / subfolder / name for subfolder in more))
    return next((path for path in places if exists(path)), inside)


def exists(path: Path) -> bool:
    """Whether there is a file; there is none if its name is too long for one."""
    try:
        return path.is_file()
    except OSError:
        return False
