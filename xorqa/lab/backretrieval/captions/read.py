"""Read the captions of a language from a folder in any layout, and count what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ....core.errors import ConfigError, DataError, one_of
from ...common.arrays import read_array
from ...common.fetched import local_or_fetched
from .caption import Caption, exists
from .own import FOLDER, JSONL
from .published import COCO, CROSSMODAL, PARALLEL

LAYOUTS = (CROSSMODAL, JSONL, PARALLEL, COCO, FOLDER)
NO_TEXT, NO_IMAGE, REPEATED = "images without text", "missing images", "further texts of an image"


@dataclass(frozen=True, slots=True)
class Captions:
    """The captions of a language that have text and image, and the others by reason."""

    lang: str
    rows: tuple[Caption, ...]
    left_out: Mapping[str, int]
    total: int


def captions_folder(name: str) -> Path:
    """A folder, or a fetched publication like `emoji`.

    Raises:
        ConfigError: if there is neither.
    """
    folder = local_or_fetched(Path(name).expanduser())
    if folder.is_dir():
        return folder
    advice = "fetch it with: xorqa data fetch emoji" if name == "emoji" else "name a folder"
    raise ConfigError(f"there is no folder {name} with texts and images; {advice}")


def read_captions(
    folder: Path, lang: str, *, vectors: bool = False, images: bool = True
) -> Captions:
    """Read a language's captions.

    Of several texts with the same id only the first is used.

    Args:
        vectors: require image vectors instead of pictures: those of the rows, or of `LANG.npy`,
            whose rows are in the order of the captions.
        images: require an image; without, also texts that have none are read.

    Raises:
        DataError: if the folder has no texts in the language, none with an image, or a damaged
            file.
    """
    valid = {layout: layout.languages(folder) for layout in LAYOUTS}
    layout = next((layout for layout, langs in valid.items() if lang in langs), None)
    if layout is None:
        langs = {name for names in valid.values() for name in names}
        raise DataError(f"{folder} has no texts in '{lang}'; languages: {one_of(langs)}")
    captions = list(layout.read(folder, lang))
    file = folder / f"{lang}.npy"
    if vectors and file.is_file():
        captions = _with_vectors(captions, file)
    rows, left_out = _usable(captions, vectors, images)
    if not rows:
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise DataError(f"{folder} has no text with an image in '{lang}' ({reasons or 'no rows'})")
    widths = {len(row.vector) for row in rows if row.vector is not None}
    if vectors and len(widths) > 1:
        raise DataError(f"the image vectors of {folder} in '{lang}' have lengths {sorted(widths)}")
    return Captions(lang, tuple(rows), left_out, len(captions))


def _usable(
    captions: Iterable[Caption], vectors: bool, images: bool
) -> tuple[list[Caption], dict[str, int]]:
    rows: dict[str, Caption] = {}
    left_out = Counter[str]()
    for row in captions:
        if not row.text.strip():
            left_out[NO_TEXT] += 1
        elif images and not _has_image(row, vectors):
            left_out[NO_IMAGE] += 1
        elif row.id in rows:
            left_out[REPEATED] += 1
        else:
            rows[row.id] = row
    return [*rows.values()], dict(left_out)


def _has_image(row: Caption, vectors: bool) -> bool:
    if vectors:
        return row.vector is not None
    return bool(row.images) and all(map(exists, row.images))


def _with_vectors(captions: list[Caption], file: Path) -> list[Caption]:
    try:
        array = read_array(file)
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{file} cannot be read as an .npy file: {error}") from error
    if array.ndim != 2 or len(array) != len(captions) or array.dtype.kind not in "fiu":
        raise DataError(
            f"{file} has type {array.dtype} and shape {array.shape}; needed are numbers of shape "
            f"({len(captions)}, dimensions)"
        )
    array = array.astype(np.float32)
    if not np.isfinite(array).all():
        raise DataError(f"{file} has numbers that are not finite")
    return [replace(row, vector=vector) for row, vector in zip(captions, array, strict=True)]
