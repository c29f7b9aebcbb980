"""What an index says of itself, and the refusal to open one that belongs elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..datasets.corpus import Corpus
from ..errors import IndexMismatchError
from ..files import digest, read_json, write_json

FILE = "manifest.json"


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


def check(folder: Path, wanted: Mapping[str, Any]) -> None:
    """Compare the manifest in `folder` with the one an index built now would have.

    Raises:
        IndexMismatchError: naming the first thing that differs.
    """
    found = read_json(folder / FILE)
    for key, value in wanted.items():
        if key != "corpus" and found.get(key) != value:
            raise IndexMismatchError(
                f"index {folder} has {key} {found.get(key)!r}, but {value!r} is wanted; "
                "build it again (xorqa index --rebuild) or name another folder"
            )


def folder_for(root: Path, table: Mapping[str, Any]) -> Path:
    """Where the index of a retriever's table stands below a corpus's folder of indexes."""
    settings = {key: value for key, value in table.items() if key != "use"}
    name = str(table.get("use", "")).replace(":", ".")
    return root / (f"{name}-{digest(settings)[:8]}" if settings else name)
