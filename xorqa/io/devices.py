"""Output paths that are no regular files: links, pipes, terminals and the process's own streams."""

import os
import re
import shutil
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"(?:/dev|/proc/(?:self|\d+))/fd/(\d+)")
_MAX_LINKS = 40  # as Linux has it


def file_behind(path: Path) -> Path:
    """The file that a symlink leads to, whether it exists or not; other paths as they are."""
    if not path.is_symlink():
        return path
    with suppress(FileNotFoundError):
        path.stat()  # raises for a loop of links
    return Path(os.path.realpath(path))


def is_device(path: Path) -> bool:
    """Whether writing goes to a pipe, a terminal, another device, or an open file descriptor."""
    if _descriptor(path) is not None:
        return True
    with suppress(OSError):
        mode = path.stat().st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return False


def write_to_device(source: Path, path: Path) -> None:
    """Copy a file to a device, after what was printed before."""
    sys.stdout.flush()
    with source.open("rb") as reader, _open(path) as writer:
        shutil.copyfileobj(reader, writer)


def _open(path: Path) -> BinaryIO:
    """The open file itself for a descriptor: a file that was opened anew would be overwritten."""
    number = _descriptor(path)
    return path.open("wb") if number is None else os.fdopen(os.dup(number), "wb")


def _descriptor(path: Path) -> int | None:
    """The number of the file descriptor that a path names, also through links."""
    link = Path.cwd() / path
    for _ in range(_MAX_LINKS):
        name = os.path.normpath(link)
        if name in _STREAMS:
            return _STREAMS[name]
        if match := _DESCRIPTOR.fullmatch(name):
            return int(match[1])
        if not link.is_symlink():
            return None
        link = link.parent / link.readlink()
    return None
