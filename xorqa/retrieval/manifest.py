"""Index manifests: what an index was built from, its files, and the checks before it is opened.

Opening an index compares the size and the first bytes of each file, which takes no longer for a
large one; `verify` reads them whole.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import DataError, IndexMismatchError
from ..core.text.normalize import readable
from ..datasets.corpus import Corpus
from ..io.files import digest, home, indexes_dir, read_json, sha256, write_json
from ..models.hub import commits

FILE = "manifest.json"
READER_VERSION = "reader_version"  # of the readers that split documents into its passages
BUILT_BY = "retriever"  # the key of the table of the retriever that built the index
COMMITS = "commits"  # the key of the commits of the models, by their names on the hub
HEAD = 4096  # bytes compared at opening
NAMES = {"corpus", "encoder"}  # keys whose content others identify by hash, wherever it is
DEFAULTS: dict[str, Any] = {"index": "flat", "folding": [], "word_pairs": False}
"""For manifests without these keys."""


def describe(kind: str, corpus: Corpus, **settings: Any) -> dict[str, Any]:
    """The manifest of an index of `corpus`; `settings` are all others its content depends on."""
    return {
        "kind": kind,
        "corpus": corpus.name,
        "corpus_sha": corpus.sha,
        "passages": len(corpus),
        **settings,
    }


def folder_of(corpus: Corpus, indexes: Path) -> Path:
    """The folder in `indexes` that holds the indexes of a corpus, named NAME-HASH.

    The hash alone decides: equal passages share a folder, whatever their name, and different
    passages never do. The folders of earlier versions, whose names had no hash, are used if they
    hold indexes of these passages.

    Raises:
        DataError: if the path of `indexes` is not UTF-8, which Faiss does not open.
    """
    if readable(str(indexes)) != str(indexes):
        raise DataError(
            f"{indexes}: the path of indexes must be UTF-8; choose another folder with XORQA_HOME"
        )
    earlier = [indexes / corpus.name, indexes / corpus.sha / corpus.name]
    if indexes == indexes_dir() and not home():
        earlier.append(Path("indexes", corpus.name))
    shared = sorted(indexes.glob(f"*-{corpus.sha}"))
    folders = [*shared, *(folder for folder in earlier if _holds(folder, corpus))]
    return folders[0] if folders else indexes / f"{corpus.name}-{corpus.sha}"


def _holds(folder: Path, corpus: Corpus) -> bool:
    """Whether `folder` holds indexes of the corpus, and of no other."""
    stored = [read(path.parent).get("corpus_sha") for path in folder.glob(f"*/{FILE}")]
    return {*stored} == {corpus.sha}


def exists(folder: Path) -> bool:
    """Whether `folder` holds a complete index."""
    return (folder / FILE).is_file()


def write(folder: Path, manifest: Mapping[str, Any], *, without: str = "") -> None:
    """Write the manifest with the folder's files and sums, the last step of a build.

    `without` is a subfolder that does not belong to the index.
    """
    names = (path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file())
    files = {
        name.as_posix(): {
            "bytes": (folder / name).stat().st_size,
            "head": _head(folder / name),
            "sha256": sha256(folder / name),
        }
        for name in names
        if name.parts[0] not in {FILE, without}
    }
    table = {**manifest, **pinned(manifest), "files": files}
    write_json(folder / FILE, {**table, "sum": digest(table)})


def pinned(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The key with the commits of the hub's models that a manifest names, if there are any."""
    return {COMMITS: found} if (found := commits(manifest)) else {}


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
        if key not in NAMES and stored.get(key) != value:
            raise IndexMismatchError(
                f"index {folder} has {key} {stored.get(key)!r}, not {value!r}; delete {folder} "
                "to have it rebuilt (or run xorqa index --rebuild --indexes "
                f"{folder.parent.parent}), or choose another folder"
            )
    check_files(folder, stored)


def check_files(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Compare the sizes and first bytes of the files, if the manifest has any.

    Raises:
        DataError: naming the first file that differs.
    """
    for name, file in _files(folder, manifest).items():
        path = folder / name
        if not path.is_file():
            raise damaged(folder, f"{name} is missing")
        if (size := path.stat().st_size) != file["bytes"]:
            raise damaged(folder, f"{name} has {size} bytes, not {file['bytes']}")
        if _head(path) != file["head"]:
            raise damaged(folder, f"{name} begins with other bytes")


def verify(folder: Path) -> str:
    """Read an index's files and compare their sums with the manifest's; returns a note of one line.

    Raises:
        DataError: naming the first file that differs.
    """
    manifest = read(folder)
    if not manifest.keys() & {"files", "sum"}:
        return f"index {folder} was built before sums were stored; rebuild it to have them"
    if manifest.pop("sum", None) != digest(manifest):
        raise damaged(folder, f"{FILE} was changed")
    check_files(folder, manifest)
    files = _files(folder, manifest)
    for name, file in files.items():
        if sha256(folder / name) != file["sha256"]:
            raise damaged(folder, f"{name} was changed")
    size = sum(file["bytes"] for file in files.values())
    return f"index {folder}: {len(files)} files of {size} bytes have their sums"


def _files(folder: Path, manifest: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    files = manifest.get("files", {})
    keys = {"bytes", "head", "sha256"}
    valid = isinstance(files, Mapping) and all(
        isinstance(file, Mapping) and file.keys() >= keys and isinstance(file["bytes"], int)
        for file in files.values()
    )
    if not valid:
        raise damaged(folder, f"{FILE} does not describe its files")
    return dict(files)


def _head(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.sha256(stream.read(HEAD)).hexdigest()[:16]


def damaged(folder: Path, reason: object) -> DataError:
    """The error for an index whose files are not those that were built."""
    return DataError(f"index {folder} is damaged ({reason}); rebuild it with xorqa index --rebuild")
