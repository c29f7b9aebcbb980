"""Fetch published data: download and verify, or copy and validate."""

import hashlib
import shutil
import urllib.request
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

from ..core.errors import ConfigError, DataError, one_of
from ..core.extensions import extensions
from ..core.named import import_named
from ..core.network import TIMEOUT, proxy_hint
from ..core.progress import Progress, TaskProgress, announce, silent
from ..io.dpr_json import read_dpr
from ..io.files import atomic_path, data_dir, sha256
from ..io.locks import lock_folder, waiting
from ..io.sentence_pairs import read_two_columns
from ..io.squad_xor import read_squad, read_xor
from ..io.tydi_primary import read_tydi_primary
from .catalog import PUBLICATIONS, Publication, local_file, missing_files

BUILDERS: Mapping[str, str] = extensions("builders")
"""Publications that are made from packages, not copied: `module:name` of a function of the folder
to write, the folder of a local copy, and a callback for progress."""

_READERS: Mapping[str, Callable[[Path], Iterable[object]]] = {
    "json": read_squad,
    "jsonl": read_xor,
    "dpr": read_dpr,
    "tydi": read_tydi_primary,
    "tsv": read_two_columns,
}
"""Readers by a publication's layout, or else by the file's suffix."""


def fetch(name: str, *, copy_from: Path | None = None, progress: TaskProgress = silent) -> Path:
    """Fetch a publication's files into the data folder; existing files are not replaced.

    Downloads are verified against the published hash or, where there is none, parsed. A local copy
    (`copy_from/<name>/<file>`, or where the publication's archive was unpacked) is parsed
    instead, since mirrors may have other hashes.

    Raises:
        ConfigError: for an unknown name.
        DataError: for a missing, damaged or unreachable file, or one without an address; partial
            files are removed.
    """
    if name not in PUBLICATIONS:
        raise ConfigError(f"no publication is called '{name}'; valid: {one_of(PUBLICATIONS)}")
    folder = data_dir() / name
    more = copy_from and any(not (folder / file).exists() for file in PUBLICATIONS[name].more)
    if missing_files(name) or more:
        with waiting(silent), lock_folder(folder, "data folder"):
            if name in BUILDERS:
                import_named(name, BUILDERS, kind="publication")(folder, copy_from, progress)
            else:
                fetch_missing(PUBLICATIONS[name], folder, copy_from, progress)
    return folder


def fetch_missing(
    publication: Publication, folder: Path, copy_from: Path | None, progress: TaskProgress
) -> None:
    """Download the missing files, or copy them and those `more` that the copy has."""
    for file in missing_files(publication.name):
        if copy_from is None:
            sha = _published_hash(publication, file)
            with atomic_path(folder / file) as temporary:
                download(publication.url + file, temporary, sha, partial(progress, file))
            if not sha:
                _parse_download(folder / file, publication)
        else:
            _copy(publication, file, copy_folder(copy_from, publication), folder)
        progress(file, 1, 1)
    if copy_from:
        copy = copy_folder(copy_from, publication)
        for file in publication.more:
            if (copy / file).is_file() and not (folder / file).exists():
                _copy(publication, file, copy, folder)


def _copy(publication: Publication, file: str, copy: Path, folder: Path) -> None:
    source = local_file(copy, file)
    target = folder / source.relative_to(copy)
    if not source.is_file() and (pattern := publication.named.get(file)):
        source = _of_archive(copy, pattern, source)
    if source.name != target.name:
        announce(f"{publication.name}: {file} is {source.name} of {copy}")
    validate_copy(source, publication=publication.name, layout=publication.layout)
    with atomic_path(target) as temporary:
        shutil.copyfile(source, temporary)


def _of_archive(copy: Path, pattern: str, otherwise: Path) -> Path:
    """The only file of an unpacked archive that has a pattern, or `otherwise`."""
    found = [path for path in sorted(copy.rglob(pattern)) if not path.name.startswith("._")]
    if len(found) > 1:
        names = ", ".join(str(path.relative_to(copy)) for path in found)
        raise DataError(f"{copy} has several files {pattern}: {names}; copy one to {otherwise}")
    return found[0] if found else otherwise


def copy_folder(copy_from: Path, publication: Publication) -> Path:
    """`copy_from/<name>`, or the folder of the unpacked archive in it or beside it."""
    named = copy_from / publication.name
    if not publication.unpacked:
        return named
    archives = (folder / publication.unpacked for folder in (named, copy_from))
    return next((folder for folder in archives if folder.is_dir()), named)


def _parse_download(path: Path, publication: Publication) -> None:
    """Parse a download without a known hash, and delete it if it is damaged."""
    try:
        validate_copy(path, publication=publication.name, layout=publication.layout)
    except DataError:
        path.unlink()
        raise
    announce(f"{path.name}: no hash is published; it was parsed instead (SHA-256 {sha256(path)})")


def validate_copy(path: Path, *, publication: str, layout: str = "") -> None:
    """Parse a whole file: SQuAD-style JSON, XOR QA JSONL, lines of text, or a `layout`.

    Raises:
        DataError: if it is missing, damaged or empty, or a text file with another number of lines
            than the text files beside it.
    """
    if not path.is_file():
        raise DataError(f"{path} is missing; --from needs a folder that contains {publication}/")
    if path.suffix == ".txt" or layout == "lines":
        _check_line_count(path, "*.txt" if path.suffix == ".txt" else f"{path.stem}.*")
        return
    read = _READERS[layout or path.suffix.removeprefix(".")]
    if not deque(read(path), maxlen=1):
        kind = "sentence pairs" if layout == "tsv" else "questions"
        raise DataError(f"{path} contains no {kind}")


def _check_line_count(path: Path, beside: str) -> None:
    """Check that text files in the same folder have the same number of lines."""
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error})") from error
    for other in sorted(path.parent.glob(beside)):
        lines, expected = (file.read_bytes().count(b"\n") for file in (path, other))
        if not lines or lines != expected:
            raise DataError(
                f"{path} has {lines} lines, but the parallel {other.name} has {expected}; one of "
                "them is truncated"
            )


def _published_hash(publication: Publication, file: str) -> str:
    """The published SHA-256 of a file, or ""; raises DataError if it has no address."""
    sha = publication.files[file]
    if sha is None:
        saved = "unpack the archive in DIR or " if publication.unpacked else ""
        saved += f"save it as DIR/{publication.name}/{file}"
        raise DataError(
            f"{publication.name}: {file} cannot be downloaded directly; get it from "
            f"{publication.page}, {saved} and add --from DIR"
        )
    return sha


def download(url: str, target: Path, sha: str, progress: Progress) -> None:
    """Download a file, and compare its SHA-256 with `sha`, unless that is "".

    Raises:
        DataError: if it is unreachable, cut or another one.
    """
    state, done = hashlib.sha256(), 0
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT) as response, target.open("wb") as stream:
            total = int(response.headers.get("Content-Length") or 0)
            while block := response.read(1 << 20):
                stream.write(block)
                state.update(block)
                done += len(block)
                progress(done, total)
    except (OSError, HTTPException) as error:
        reason = error if isinstance(error, HTTPError) else getattr(error, "reason", error)
        raise DataError(
            f"{url} cannot be downloaded ({reason}); try again, use a local copy with "
            f"--from DIR, or {proxy_hint()}"
        ) from error
    if sha and state.hexdigest() != sha:
        raise DataError(f"{url} has SHA-256 {state.hexdigest()}, not the published {sha}")
    if done < total:
        raise DataError(f"{url}: the connection ended after {done} of {total} bytes; try again")
