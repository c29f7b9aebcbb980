"""What an index says of itself, and the refusal to open one that belongs elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import DataError, IndexMismatchError
from ..datasets.corpus import Corpus
from ..io.files import digest, read_json, write_json

FILE = "manifest.json"
UNSAID = {"index": "flat"}  # what a manifest means that does not name it


def describe(kind: str, corpus: Corpus, **settings: Any) -> dict[str, Any]:
    """The manifest of an index of `corpus`; `settings` is all else its content depends on."""
    return {
        "kind": kind,
        "corpus": corpus.name,
        "corpus_sha": corpus.sha,
        "passages": len(corpus),
        **settings,
    }


def exists(folder: Path) -> bool:
    """Whether a finished index stands in `folder`."""
    return (folder / FILE).is_file()


def write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest: the last step of building."""
    write_json(folder / FILE, dict(manifest))


def stored(folder: Path) -> dict[str, Any]:
    """The manifest in `folder`.

    Raises:
        DataError: if it is not one.
    """
    found = read_json(folder / FILE)
    if not isinstance(found, dict):
        raise DataError(f"{folder / FILE} is no index's manifest; name another folder")
    return found


def refuse_foreign(folder: Path, *, unless: str = FILE) -> None:
    """A folder with other things in it must not be replaced; `unless` is a file that allows it.

    Raises:
        DataError: if the folder is neither empty nor an index.
    """
    if not folder.exists() or exists(folder) or (folder / unless).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise DataError(
            f"{folder} is not an index (it has no {FILE}) and not empty; "
            "name another folder or empty this one"
        )


def check(folder: Path, wanted: Mapping[str, Any]) -> None:
    """Compare the manifest in `folder` with the one an index built now would have.

    Raises:
        IndexMismatchError: naming the first thing that differs.
    """
    found = UNSAID | stored(folder)
    for key, value in (UNSAID | dict(wanted)).items():
        if key != "corpus" and found.get(key) != value:
            raise IndexMismatchError(
                f"index {folder} has {key} {found.get(key)!r}, but {value!r} is wanted; "
                f"delete {folder} and it is built again (as by xorqa index --rebuild --indexes "
                f"{folder.parent.parent}), or name another folder"
            )


def folder_for(root: Path, table: Mapping[str, Any]) -> Path:
    """Where the index of a retriever's table stands below a corpus's folder of indexes."""
    settings = {key: value for key, value in table.items() if key != "use"}
    name = str(table.get("use", "")).replace(":", ".")
    return root / (f"{name}-{digest(settings)[:8]}" if settings else name)
