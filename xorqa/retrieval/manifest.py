"""Index manifests: what an index was built from, and the check before it is opened."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import DataError, IndexMismatchError
from ..datasets.corpus import Corpus
from ..io.files import read_json, write_json

FILE = "manifest.json"
DEFAULTS = {"index": "flat"}  # for manifests without these keys


def describe(kind: str, corpus: Corpus, **settings: Any) -> dict[str, Any]:
    """The manifest of an index of `corpus`; `settings` are all others its content depends on."""
    return {
        "kind": kind,
        "corpus": corpus.name,
        "corpus_sha": corpus.sha,
        "passages": len(corpus),
        **settings,
    }


def exists(folder: Path) -> bool:
    """Whether `folder` holds a complete index."""
    return (folder / FILE).is_file()


def write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, the last step of a build."""
    write_json(folder / FILE, dict(manifest))


def read(folder: Path) -> dict[str, Any]:
    """Read the manifest in `folder`.

    Raises:
        DataError: if it is not a manifest.
    """
    manifest = read_json(folder / FILE)
    if not isinstance(manifest, dict):
        raise DataError(f"{folder / FILE} is not an index manifest; choose another folder")
    return manifest


def check_replaceable(folder: Path, *, unless: str = FILE) -> None:
    """Refuse to replace a folder with other content, unless it has the file `unless`.

    Raises:
        DataError: if the folder is neither empty nor an index.
    """
    if not folder.exists() or exists(folder) or (folder / unless).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise DataError(
            f"{folder} is not an index (it has no {FILE}) and not empty; "
            "choose another folder or empty this one"
        )


def check(folder: Path, expected: Mapping[str, Any]) -> None:
    """Compare the manifest in `folder` with that of an index built now.

    Raises:
        IndexMismatchError: naming the first key that differs.
    """
    stored = DEFAULTS | read(folder)
    for key, value in (DEFAULTS | dict(expected)).items():
        if key != "corpus" and stored.get(key) != value:
            raise IndexMismatchError(
                f"index {folder} has {key} {stored.get(key)!r}, not {value!r}; delete {folder} "
                "to have it rebuilt (or run xorqa index --rebuild --indexes "
                f"{folder.parent.parent}), or choose another folder"
            )
