"""Where xorqa keeps things, and how it writes them: whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.errors import DataError


def home() -> Path | None:
    """`XORQA_HOME`, where a user wants everything, or None."""
    value = os.environ.get("XORQA_HOME")
    return Path(value).expanduser() if value else None


def models_dir() -> Path:
    """Rebuilt and pulled weights: `$XORQA_HOME/models` or the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return (home() or Path(cache) / "xorqa") / "models"


def data_dir() -> Path:
    """Fetched data sets: `$XORQA_HOME/data` or the user's cache."""
    return models_dir().parent / "data"


def published(path: Path) -> Path:
    """The path, or where it stands among fetched data if it does not exist: `xquad-r`."""
    there = data_dir() / path
    return there if not path.exists() and there.exists() else path


def cache_dir() -> Path:
    """What can be made again: `$XORQA_HOME` or the user's cache."""
    return models_dir().parent


def indexes_dir() -> Path:
    """Built indexes: `$XORQA_HOME/indexes`, or `indexes` in the working folder."""
    return (home() or Path()) / "indexes"


def index_folder(root: Path, table: Mapping[str, Any]) -> Path:
    """Where the index of a retriever's table (`use` and settings) is, below `root`."""
    settings = {key: value for key, value in table.items() if key != "use"}
    name = str(table.get("use", "")).replace(":", ".")
    return root / (f"{name}-{digest(settings)[:8]}" if settings else name)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digest(*parts: object) -> str:
    """A short hash (16 hex digits) of JSON-able values; order matters."""
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A temporary sibling to write to; it replaces `path` only if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        yield Path(name)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def atomic_dir(path: Path) -> Iterator[Path]:
    """A temporary sibling folder to fill; it replaces `path` only if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield temporary
        temporary.chmod(0o755)
        old = temporary.with_name(f"{temporary.name}.old")
        if path.exists():
            path.replace(old)
        temporary.replace(path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object, *, indent: int | None = 2) -> None:
    """Write one JSON value, readable and in UTF-8, atomically."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=indent) + "\n")


def write_jsonl(path: Path, rows: Iterable[object]) -> None:
    """Write one JSON value a line, atomically."""
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """One JSON value.

    Raises:
        DataError: if the file is missing or is not JSON.
    """
    try:
        return json.loads(path.read_bytes().decode("utf-8"))  # twice as fast as read_text
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"{path} is not valid JSON: {error}") from error


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file; only a line feed ends one.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error})") from error
    return text.removesuffix("\n").split("\n") if text else []


def read_fields(path: Path, count: int, needs: str) -> Iterator[list[str]]:
    """The fields of each line of a TSV, `count` of them, which are what the line `needs`.

    Raises:
        DataError: if it cannot be read, or naming the line that has others, or an empty one.
    """
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        if len(fields) != count or not all(fields):
            raise DataError(f"{path}, line {number}: needs {needs}, divided by tabs")
        yield fields


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers (from 1) and objects of a JSONL file; blank lines are skipped.

    Raises:
        DataError: naming the line that is not a JSON object in UTF-8.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    with stream:
        yield from json_lines(stream, path)


def json_lines(lines: Iterable[bytes], path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same of lines that are read already; `path` is for the error."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise DataError(f"{path}, line {number}: not UTF-8 text ({error})") from error
        except ValueError as error:
            raise DataError(f"{path}, line {number}: not valid JSON ({error})") from error
        if not isinstance(row, dict):
            raise DataError(f"{path}, line {number}: not a JSON object")
        yield number, row
