"""How published files get here: downloaded and checked, or copied and read through."""

from __future__ import annotations

import hashlib
import shutil
import urllib.request
from collections.abc import Iterable
from functools import partial
from http.client import HTTPException
from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from ..core.progress import Progress, Tell, silent
from ..io.files import atomic_path, data_dir
from ..io.squad_xor import read_squad, read_xor
from .sources import SOURCES, Source


def fetch(name: str, *, copy_from: Path | None = None, progress: Tell = silent) -> Path:
    """Bring a publication's files to the data folder; what is there already stays.

    A local copy (`copy_from/<name>/<file>`) is read through before it is taken: mirrors that
    were put together again have other hashes than the published files. Downloads are checked
    against the published hash, if there is one.

    Raises:
        ConfigError: for an unknown name.
        DataError: for a missing, damaged or unreachable file, or one without an address;
            nothing half-fetched stays.
    """
    if name not in SOURCES:
        raise ConfigError(f"no source is called '{name}'; there are: {one_of(SOURCES)}")
    source, folder = SOURCES[name], data_dir() / name
    for file in missing(name):
        if copy_from is None:
            wanted = _published(source, file)
            with atomic_path(folder / file) as temporary:
                _download(source.url + file, temporary, wanted, partial(progress, file))
        else:
            origin = held(copy_from / name, file)
            read_through(origin, needed_by=name)
            with atomic_path(folder / origin.relative_to(copy_from / name)) as temporary:
                shutil.copyfile(origin, temporary)
        progress(file, 1, 1)
    return folder


def missing(name: str) -> list[str]:
    """The files of a source that are not in the data folder."""
    return [file for file in SOURCES[name].files if not held(data_dir() / name, file).is_file()]


def held(folder: Path, file: str) -> Path:
    """Where a folder holds a file: `dev.half.jsonl` stands for `dev.jsonl`, if it is there.

    Copies of a data set whose other half is kept for a test are named so.
    """
    whole = folder / file
    half = whole.with_suffix(f".half{whole.suffix}")
    return half if half.is_file() and not whole.is_file() else whole


def read_through(path: Path, *, needed_by: str) -> None:
    """Read a copy from end to end: SQuAD-style JSON, XOR QA JSONL or lines of text.

    Raises:
        DataError: if it is missing, damaged or empty, or is text with another number of lines
            than the files beside it.
    """
    if not path.is_file():
        raise DataError(f"{path} is missing; --from needs a folder that holds {needed_by}/")
    if path.suffix == ".txt":
        _read_lines(path)
    elif not _any(read_squad(path) if path.suffix == ".json" else read_xor(path)):
        raise DataError(f"{path} holds no questions")


def _any(rows: Iterable[object]) -> bool:
    return sum(1 for _ in rows) > 0


def _read_lines(path: Path) -> None:
    """Files of text beside each other are parallel, line by line."""
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error})") from error
    for other in sorted(path.parent.glob("*.txt")):
        lines, wanted = (one.read_bytes().count(b"\n") for one in (path, other))
        if not lines or lines != wanted:
            raise DataError(
                f"{path} has {lines} lines and {other.name} beside it {wanted}; one is cut off"
            )


def _published(source: Source, file: str) -> str:
    """The file's SHA-256 or "". Raises DataError if it has no address."""
    wanted = source.files[file]
    if wanted is None:
        raise DataError(
            f"{source.name}: {file} has no address of its own; the publication is found at "
            f"{source.page}, and --from DIR takes DIR/{source.name}/{file}"
        )
    return wanted


def _download(url: str, target: Path, wanted: str, progress: Progress) -> None:
    state, done = hashlib.sha256(), 0
    try:
        with urllib.request.urlopen(url, timeout=60) as answer, target.open("wb") as stream:
            total = int(answer.headers.get("Content-Length") or 0)
            while block := answer.read(1 << 20):
                stream.write(block)
                state.update(block)
                done += len(block)
                progress(done, total)
    except (OSError, HTTPException) as error:
        raise DataError(f"{url} cannot be fetched ({error}); a local copy: --from DIR") from error
    if wanted and state.hexdigest() != wanted:
        raise DataError(f"{url} has SHA-256 {state.hexdigest()}, not the published {wanted}")
    if done < total:
        raise DataError(f"{url} broke off after {done} of {total} bytes; try again")
