"""Paths that are no files: pipes, terminals and other devices, and open file descriptors."""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
_DESCRIPTOR = re.compile(r"(?:/dev|/proc/(?:self|\d+))/fd/(\d+)")
_MAX_LINKS = 40  # the limit of Linux


def is_device(path: Path) -> bool:
    """Whether writing goes to a pipe, a terminal, another device, or an open file descriptor."""
    return descriptor(path) is not None or bool(kind_of_file(path))


def is_named_pipe(path: Path) -> bool:
    """Whether a path is a pipe that nobody may write to; `<(command)` and `/dev/stdin` are not."""
    return kind_of_file(path) == "pipe" and descriptor(path) is None


def kind_of_file(path: Path, *, follow: bool = True) -> str:
    """ "pipe", "socket", "device" or, without `follow`, "link"; "" for a file, a folder or nothing.

    Reading a pipe may never begin, and reading a device may never end.
    """
    with suppress(OSError, ValueError):
        mode = path.stat(follow_symlinks=follow).st_mode
        kinds = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket", stat.S_IFLNK: "link"}
        plain = stat.S_ISREG(mode) or stat.S_ISDIR(mode)
        return "" if plain else kinds.get(stat.S_IFMT(mode), "device")
    return ""


def descriptor(path: Path) -> int | None:
    """The number of the file descriptor that a path names, directly or through links."""
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
