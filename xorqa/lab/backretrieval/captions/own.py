"""Files of your own: LANG.jsonl, or a folder LANG/ with NAME.txt beside NAME.png."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import DataError
from ....io.files import read_jsonl, read_lines
from ....io.strict_json import as_id, as_text, as_texts
from .caption import LANG, Caption, Layout

_LARGEST = 1e15  # whose square float32 can represent
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")


def jsonl_languages(folder: Path) -> Collection[str]:
    """The names of the JSONL files."""
    return {path.stem for path in folder.glob("*.jsonl") if LANG.fullmatch(path.stem)}


def read_jsonl_captions(folder: Path, lang: str) -> Iterator[Caption]:
    """Read the captions of `LANG.jsonl`.

    A row has `text`, `image` (a path relative to the folder, or a list of paths) or `vector` (the
    image as a list of numbers), and `id`, which is the first image's path by default. A document's
    title is `text`; its body is `body`, or else `tags`, a list of texts.

    Raises:
        DataError: naming the line that has another form.
    """
    path = folder / f"{lang}.jsonl"
    for index, (number, row) in enumerate(read_jsonl(path)):
        try:
            yield _caption(folder, row, index)
        except TypeError as error:
            raise DataError(f"{path}, line {number}: {error}") from error


def _caption(folder: Path, row: Mapping[str, Any], index: int) -> Caption:
    image = row.get("image", [])
    names = (image,) if isinstance(image, str) else as_texts(image)
    name = row.get("id", names[0] if names else index)
    return Caption(
        as_id(name),
        as_text(row.get("text", "")),
        tuple(folder / name for name in names),
        _vector(row.get("vector", [])),
        index,
        as_text(row.get("body", "")) or ", ".join(as_texts(row.get("tags", []))),
    )


def _vector(value: object) -> NDArray[np.float32] | None:
    if not isinstance(value, list) or not all(type(x) in (int, float) for x in value):
        raise TypeError(f"vector is {value!r:.60}, which is not a list of numbers")
    if any(abs(x) > _LARGEST for x in value):
        raise TypeError(f"vector has a number beyond {_LARGEST:g}")
    return np.array(value, np.float32) if value else None


def folder_languages(folder: Path) -> Collection[str]:
    """The names of the subfolders with text files."""
    names = {path.parent.name for path in folder.glob("*/*.txt")}
    return {name for name in names if LANG.fullmatch(name)}


def read_folder(folder: Path, lang: str) -> Iterator[Caption]:
    """Read `LANG/NAME.txt` and the picture `LANG/NAME.*`; the id is NAME.

    Raises:
        DataError: if a text is not UTF-8.
    """
    files = sorted((folder / lang).iterdir())
    texts = {path.stem: path for path in files if path.suffix == ".txt"}
    pictures = {path.stem: path for path in files if path.suffix.lower() in PICTURES}
    for row, name in enumerate(sorted({*texts, *pictures})):
        text = " ".join(read_lines(texts[name])) if name in texts else ""
        images = (pictures[name],) if name in pictures else ()
        yield Caption(name, text, images, row=row)


JSONL = Layout(jsonl_languages, read_jsonl_captions)
FOLDER = Layout(folder_languages, read_folder)
