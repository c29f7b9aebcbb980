"""Locks for one writer at a time per folder or file, and cleaning up after killed writers.

A lock is released when its process ends, for whatever reason. The lock file names the holder and
is deleted on release.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import LockedError
from ..core.progress import Log
from .files import naming

if TYPE_CHECKING:
    from filelock import FileLock

NAME = ".lock"
TEMPORARY = re.compile(r"\.(.+)\.[a-z0-9_]{8}\.tmp(\.old)?")  # of files.atomic_path and atomic_dir
POLL_SECONDS = 0.1

_report_wait: ContextVar[Log | None] = ContextVar("report_wait", default=None)


@contextmanager
def waiting(report: Log | None) -> Iterator[None]:
    """Within the block, wait for locks that others hold; `report` gets a line for each.

    With None, a lock that is held raises an error, as it does outside the block.
    """
    token = _report_wait.set(report)
    try:
        yield
    finally:
        _report_wait.reset(token)


@contextmanager
def lock_folder(folder: Path, what: str) -> Iterator[None]:
    """Lock a folder for writing, and delete the temporary files of killed writers.

    `what` names the folder in the error. A folder created for the lock is removed if left empty.

    Raises:
        LockedError: if another process or thread holds it, outside of `waiting`.
    """
    new = not folder.exists()
    try:
        with naming(folder), _lock(folder / NAME, f"{what} {folder}"):
            sweep(folder)
            yield
    finally:
        if new:
            with suppress(OSError):  # not empty
                folder.rmdir()


@contextmanager
def lock_path(path: Path, what: str) -> Iterator[None]:
    """As `lock_folder`, for a file or a folder that is replaced whole; the lock is beside it."""
    target = path.resolve()
    with naming(path), _lock(_beside(path), f"{what} {path}"):
        sweep(target.parent, of=target.name)
        yield


def sweep_finished(path: Path, *, shards: Path | None = None) -> None:
    """Delete the lock of a writer of `path` that was killed after its last write, and `shards`.

    Does nothing if no writer was killed, or if another is writing.
    """
    if _beside(path).exists() or (shards and shards.is_dir()):
        with suppress(LockedError, OSError), waiting(None), lock_path(path, "file"):
            if shards:
                shutil.rmtree(shards, ignore_errors=True)


def _beside(path: Path) -> Path:
    target = path.resolve()
    return target.with_name(f".{target.name}{NAME}")


def remove_if_empty(folder: Path) -> None:
    """Remove a folder in which killed writers left nothing but their locks and temporary files."""
    with suppress(LockedError, OSError), waiting(None):
        for path in folder.glob(f".*{NAME}"):
            with lock_path(path.with_name(path.name[1 : -len(NAME)]), "folder"):
                pass  # which deletes the temporary files and the lock
        folder.rmdir()


def sweep(folder: Path, *, of: str | None = None) -> None:
    """Delete the temporary files of killed processes in a folder, or only those `of` a name.

    Call it only while nothing else writes there.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        match = TEMPORARY.fullmatch(path.name)
        if match and of in (None, match[1]):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


@contextmanager
def _lock(file: Path, subject: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(file)
    try:
        _acquire(lock, timeout=POLL_SECONDS)
    except Timeout as error:
        held = f"{subject} is being written by {_holder(file)}"
        report = _report_wait.get()
        if report is None:
            raise LockedError(
                f"{held}; repeat the command when it has ended, or add --wait"
            ) from error
        report(f"{held}; waiting")
        _acquire(lock, timeout=-1)
    try:
        file.write_text(f"{os.getpid()} {socket.gethostname()}", encoding="utf-8")
        yield
    finally:
        file.unlink(missing_ok=True)  # before the release: a process that has opened it tries again
        lock.release()


def _acquire(lock: FileLock, *, timeout: float) -> None:
    """Acquire a lock; recreate its folder if another holder has just removed it as empty."""
    folder = Path(lock.lock_file).parent
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=timeout, poll_interval=POLL_SECONDS / 5)
            return
        except FileNotFoundError:
            continue
        except FileExistsError:  # removed between mkdir's attempt and its check
            if folder.is_file():
                raise


def _holder(file: Path) -> str:
    """The process that holds a lock, read from the lock file."""
    try:
        pid, host = file.read_text(encoding="utf-8").split(" ", 1)
    except (OSError, ValueError):
        return "another process"
    return f"process {pid} on {host}"
