"""The folders of xorqa, hashes, atomic writes, and readers of JSON and text.

Output paths may be links, pipes, terminals and standard streams. A cell of a CSV file that a
spreadsheet would run as a formula is quoted.
"""

import csv
import errno
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile

from ..core.devices import descriptor, is_device, kind_of_file
from ..core.errors import DataError
from ..core.text.normalize import readable
from .encodings import open_utf8, read_utf8
from .strict_json import parse_json

ARRAY_ERRORS = (OSError, EOFError, ValueError, SyntaxError, TokenError, RuntimeError, BadZipFile)
"""What NumPy raises for a damaged file of arrays, whose headers it reads as Python; a RuntimeError
for an archive that seems to be encrypted."""

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?( ?%)?( \(\d+\))?", re.IGNORECASE)


def home() -> Path | None:
    """`XORQA_HOME`, the folder for everything that xorqa stores, or None."""
    value = os.environ.get("XORQA_HOME")
    return Path(value).expanduser() if value else None


def models_dir() -> Path:
    """The folder of rebuilt and pulled weights: `$XORQA_HOME/models` or the user's cache."""
    return cache_dir() / "models"


def data_dir() -> Path:
    """The folder of fetched data sets: `$XORQA_HOME/data` or the user's cache."""
    return cache_dir() / "data"


def cache_dir() -> Path:
    """The folder of caches: `$XORQA_HOME` or the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return home() or Path(cache) / "xorqa"


def indexes_dir() -> Path:
    """The folder of indexes: `$XORQA_HOME/indexes`, or that in the user's cache."""
    return cache_dir() / "indexes"


def index_folder(root: Path, table: Mapping[str, Any]) -> Path:
    """The folder, below `root`, of the index of a retriever's table (`use` and settings)."""
    settings = {key: value for key, value in table.items() if key != "use"}
    name = str(table.get("use", "")).replace(":", ".")
    return root / (f"{name}-{digest(settings)[:8]}" if settings else name)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex. Raises DataError for a pipe or a device."""
    if (kind := kind_of_file(path)) and descriptor(path) is None:
        raise DataError(f"{path} is a {kind}; name a file")
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sha256_once(path: Path) -> str:
    """As `sha256`; a file that has not changed is read once by a process."""
    status = path.stat()
    return _sha256(path, status.st_size, status.st_mtime_ns)


@cache
def _sha256(path: Path, size: int, mtime: int) -> str:
    return sha256(path)


def digest(*values: object) -> str:
    """A short hash (16 hex digits) of JSON-serialisable values; order matters."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within the block, an error of a full or write-protected disk names `path`.

    The system names a file that cannot be opened, but none that can no longer be written.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NO_SPACE and error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary sibling file that replaces `path` if the block succeeds.

    A link stays and its target is replaced; a device or a pipe gets the file's bytes. A new file
    has the permissions that the umask leaves, a replaced one keeps its own.
    """
    if is_device(path):
        with tempfile.TemporaryDirectory() as folder:
            temporary = Path(folder) / "output"
            yield temporary
            with naming(path):
                write_to_device(temporary, path)
        return
    path = file_behind(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    try:
        with naming(path):
            yield temporary
        if path.is_file():
            temporary.chmod(path.stat().st_mode & 0o777)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_dir(path: Path) -> Iterator[Path]:
    """Yield a temporary sibling folder that replaces `path` if the block succeeds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = _temporary(path)
    temporary.mkdir()
    try:
        with naming(path):
            yield temporary
        old = temporary.with_name(f"{temporary.name}.old")
        if path.exists():
            path.replace(old)
        temporary.replace(path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _temporary(path: Path) -> Path:
    """A new path beside `path`, of a form that `locks` recognises as temporary."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8, atomically."""
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object, *, indent: int | None = 2) -> None:
    """Write a JSON value as indented UTF-8, atomically."""
    write_text(path, readable(json.dumps(value, ensure_ascii=False, indent=indent)) + "\n")


def write_jsonl(path: Path, rows: Iterable[object]) -> None:
    """Write a JSON value per line, atomically."""
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(readable(json.dumps(row, ensure_ascii=False)) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON value; as all readers here, from a file that `open_utf8` opens.

    Raises:
        DataError: if the file is missing or is not JSON.
    """
    return json_of(read_utf8(path), path)


def json_of(data: bytes, path: Path) -> Any:
    """As `read_json`, for a file that is already read; `path` is for the error message."""
    try:
        return parse_json(data)
    except ValueError as error:
        raise DataError(f"{path} is not valid JSON: {error}") from error


def read_object(path: Path) -> dict[str, Any]:
    """Read a JSON object, empty if there is no such file.

    Raises:
        DataError: if the file has something else.
    """
    value = read_json(path) if path.is_file() else {}
    if not isinstance(value, dict):
        raise DataError(f"{path} is not a JSON object")
    return value


def read_lines(path: Path) -> list[str]:
    """Read the lines of a UTF-8 text file; only line feeds, or CR and LF, separate lines.

    Raises:
        DataError: if it cannot be read.
    """
    try:
        text = read_utf8(path).decode()
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text ({error})") from error
    text = text.replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def read_fields(path: Path, count: int, needs: str) -> Iterator[list[str]]:
    """Read the `count` fields of each line of a TSV; `needs` describes them for the error.

    Raises:
        DataError: if the file cannot be read, or naming the line that has another number of
            fields or an empty field.
    """
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split("\t")
        if len(fields) != count or not all(fields):
            raise DataError(f"{path}, line {number}: needs {needs}, separated by tabs")
        yield fields


def read_jsonl(path: Path, *, strings: Sequence[str] = ()) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the objects of a JSONL file with their line numbers (from 1); skip blank lines.

    Raises:
        DataError: naming the line that is not a JSON object in UTF-8, or lacks one of `strings`.
    """
    with open_utf8(path) as stream:
        for number, row in json_lines(stream, path):
            for key in strings:
                if not isinstance(row.get(key), str):
                    raise DataError(f"{path}, line {number}: needs a string '{key}'")
            yield number, row


def json_lines(lines: Iterable[bytes], path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """As `read_jsonl`, for lines that are already read; `path` is for error messages."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
        except UnicodeDecodeError as error:
            raise DataError(f"{path}, line {number}: not UTF-8 text ({error})") from error
        except ValueError as error:
            raise DataError(f"{path}, line {number}: not valid JSON ({error})") from error
        if not isinstance(row, dict):
            raise DataError(f"{path}, line {number}: not a JSON object")
        yield number, row


def file_behind(path: Path) -> Path:
    """The target of a symlink, whether it exists or not; other paths are returned unchanged."""
    if not path.is_symlink():
        return path
    with suppress(FileNotFoundError):
        path.stat()  # raises for a loop of links
    return Path(os.path.realpath(path))


def write_to_device(source: Path, path: Path) -> None:
    """Copy a file to a device, after flushing earlier output."""
    sys.stdout.flush()
    number = descriptor(path)  # to open its file again would overwrite what is in it
    with (
        source.open("rb") as reader,
        path.open("wb") if number is None else os.fdopen(os.dup(number), "wb") as writer,
    ):
        shutil.copyfileobj(reader, writer)


def quote_cell(text: str) -> str:
    """Put an apostrophe before a text that begins with =, +, -, @, a tab or a line end.

    Numbers stay numbers.
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unquote_cell(cell: str) -> str:
    """The text of a cell that `quote_cell` or a spreadsheet wrote."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_text(rows: Iterable[Iterable[str]], *, delimiter: str = ",") -> str:
    """Rows as CSV; each ends in a line feed, and no cell ends one: carriage returns are quoted."""
    lines = []
    for row in rows:
        stream = io.StringIO(newline="")
        # Python's writer quotes the characters of its own line ends only.
        csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerow(row)
        lines.append(stream.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines)
