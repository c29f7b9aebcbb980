"""The layouts of Multi30K, IKEA, STAIR with COCO, and Crossmodal-3600.

Their pictures are looked for in the folder itself and in its subfolder `images/`; COCO's also in
`train2014/` and `val2014/`.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from ....core.errors import DataError
from ....io.files import read_json, read_jsonl, read_lines
from ....io.strict_json import as_id, as_text, as_texts
from .caption import Caption, Layout, locate

_PARALLEL = (
    ("raw", "image_splits/{}.txt"),  # Multi30K, in data/task1
    ("raw", "image_splits/{}_images.txt"),  # in data/task2, descriptions 1 to 5 of each image
    ("data.raw", "image.index/{}_images.txt"),  # IKEA, in IKEA/data.en.de and data.en.fr
)
_TEXTS = re.compile(r"(?P<split>.+?)(?P<number>\.\d)?\.(?P<lang>[a-z]{2})(?:\.gz)?")
_COCO_SPLIT = re.compile(r"_((?:train|val|test)20\d\d)_")
_MALFORMED = (KeyError, TypeError, ValueError, AttributeError)


def parallel_languages(folder: Path) -> Collection[str]:
    """The languages of files with a text per line, beside lists with an image name per line."""
    return {lang for _, lang, _, _ in _parallel_files(folder)}


def read_parallel(folder: Path, lang: str) -> Iterator[Caption]:
    """Read all splits of a language; the id is the image's name.

    Raises:
        DataError: if a text file and its list of images have different numbers of lines.
    """
    row = 0
    for _, file_lang, texts, images in _parallel_files(folder):
        if file_lang != lang:
            continue
        lines, names = _text_lines(texts), read_lines(images)
        if len(lines) != len(names):
            raise DataError(
                f"{texts} has {len(lines)} lines, but {images} has {len(names)}; one of them is "
                "truncated"
            )
        for text, name in zip(lines, names, strict=True):
            yield Caption(name, text.strip(), (locate(folder, name),), row=row)
            row += 1


def _parallel_files(folder: Path) -> list[tuple[str, str, Path, Path]]:
    """Split, language, file of texts, and list of images; of a text and its .gz only one."""
    files = {}
    for subfolder, images in _PARALLEL:
        for path in sorted((folder / subfolder).glob("*")):
            name = _TEXTS.fullmatch(path.name)
            listed = folder / images.format(name["split"]) if name else path
            if name and listed.is_file():
                split = name["split"] + (name["number"] or "")
                files[split, name["lang"]] = split, name["lang"], path, listed
    return [*files.values()]


def _text_lines(path: Path) -> list[str]:
    if path.suffix != ".gz":
        return read_lines(path)
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{path} cannot be read as gzipped UTF-8 text: {error}") from error
    return text.removesuffix("\n").split("\n")


def coco_languages(folder: Path) -> Collection[str]:
    """en for COCO's captions, ja for STAIR's."""
    return {_coco_lang(path) for path in _coco_files(folder)}


def read_coco(folder: Path, lang: str) -> Iterator[Caption]:
    """Read `captions_*.json` (en) or `stair_captions_*.json` (ja); the id is COCO's image id.

    Raises:
        DataError: if a file is not in COCO's format.
    """
    row = 0
    for path in _coco_files(folder):
        if _coco_lang(path) != lang:
            continue
        value = read_json(path)
        try:
            names = {image["id"]: as_text(image["file_name"]) for image in value["images"]}
            captions = [
                (as_id(entry["image_id"]), as_text(entry["caption"]), names[entry["image_id"]])
                for entry in value["annotations"]
            ]
        except _MALFORMED as error:
            raise DataError(f"{path} is not a COCO caption file ({error!r:.80})") from error
        for key, text, name in captions:
            split = _COCO_SPLIT.search(name)
            image = locate(folder, name, *([split[1]] if split else ()))
            yield Caption(key, text.strip(), (image,), row=row)
            row += 1


def _coco_files(folder: Path) -> list[Path]:
    files = [*folder.glob("*captions_*.json"), *folder.glob("annotations/*captions_*.json")]
    return sorted(path for path in files if "tokenized" not in path.name)


def _coco_lang(path: Path) -> str:
    return "ja" if path.name.startswith("stair") else "en"


def crossmodal_languages(folder: Path) -> Collection[str]:
    """The languages of the first image of Crossmodal-3600's `captions.jsonl`."""
    path = folder / "captions.jsonl"
    first: dict[str, Any] = next(read_jsonl(path), (0, {}))[1] if path.is_file() else {}
    return {key for key, value in first.items() if isinstance(value, dict)}


def read_crossmodal(folder: Path, lang: str) -> Iterator[Caption]:
    """Read the first caption of each image; the id is the image's key.

    Raises:
        DataError: naming the line that has another form.
    """
    path = folder / "captions.jsonl"
    for index, (number, row) in enumerate(read_jsonl(path)):
        try:
            key = as_text(row["image/key"])
            captions = as_texts(row[lang]["caption"]) if lang in row else ()
        except _MALFORMED as error:
            raise DataError(
                f"{path}, line {number}: not a line of Crossmodal-3600 ({error!r:.80})"
            ) from error
        text = captions[0].strip() if captions else ""
        yield Caption(key, text, (locate(folder, f"{key}.jpg"),), row=index)


PARALLEL = Layout(parallel_languages, read_parallel)
COCO = Layout(coco_languages, read_coco)
CROSSMODAL = Layout(crossmodal_languages, read_crossmodal)
