"""TyDi QA's gold passages by language (Clark et al. 2020), from the two files of its authors.

Their files have the questions of all languages; an id begins with the language's name.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...core.errors import DataError
from ...core.progress import TaskProgress, announce
from ...datasets.catalog import PUBLICATIONS, local_file
from ...datasets.fetch import copy_folder, download, fetch_missing, validate_copy
from ...io.files import read_json, sha256, write_json

NAME = "tydiqa-goldp"
ADDRESS = "https://storage.googleapis.com/tydiqa/v1.1/"
SPLITS = ("train", "dev")


def build_goldp(folder: Path, copy_from: Path | None, progress: TaskProgress) -> None:
    """Write `LANGUAGE_tydiqa_SPLIT.json`, from the authors' files or from copies by language.

    Args:
        copy_from: a folder with the authors' files or the copies, or with `tydiqa-goldp/` of them.

    Raises:
        DataError: if a file is missing, damaged or cannot be downloaded.
    """
    publication = PUBLICATIONS[NAME]
    if copy_from is None:
        with TemporaryDirectory() as temporary:
            for split in SPLITS:
                path = Path(temporary) / published(split)
                download(ADDRESS + path.name, path, "", partial(progress, path.name))
                announce(f"{path.name}: no hash is published; SHA-256 {sha256(path)}")
                _split(path, split, folder)
        return
    for split in SPLITS:
        places = (copy_folder(copy_from, publication), copy_from)
        for path in (place / published(split) for place in places):
            if path.is_file():
                _split(path, split, folder)
                break
    fetch_missing(publication, folder, copy_from, progress)


def published(split: str) -> str:
    """The name of the authors' file."""
    return f"tydiqa-goldp-v1.1-{split}.json"


def _split(path: Path, split: str, folder: Path) -> None:
    """Write a file's questions by language, where there is no file yet."""
    validate_copy(path, publication=NAME)
    everything = read_json(path)["data"]
    publication = PUBLICATIONS[NAME]
    for name in (*publication.files, *publication.more):
        language, _, rest = name.partition("_")
        if rest == f"tydiqa_{split}.json" and not local_file(folder, name).exists():
            articles = list(_of_language(everything, language))
            if not articles:
                raise DataError(f"{path} has no question whose id begins with '{language}'")
            write_json(folder / name, {"data": articles})


def _of_language(
    articles: Iterable[Mapping[str, Any]], language: str
) -> Iterable[Mapping[str, Any]]:
    """The articles with the questions of a language, all else as it is."""
    for article in articles:
        paragraphs = [
            {**paragraph, "qas": own}
            for paragraph in article["paragraphs"]
            if (own := [qa for qa in paragraph["qas"] if str(qa["id"]).startswith(language)])
        ]
        if paragraphs:
            yield {**article, "paragraphs": paragraphs}
