"""A command of the command line in a process of its own, in an empty home, seen by a user.

Its standard error is a terminal (Linux and macOS), so progress bars are drawn; each piece of output
is recorded with the seconds since the start.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

STOP_SECONDS = 60.0  # after Ctrl-C


class WatchedCommand:
    """`xorqa ARGUMENTS` in `folder`, which is also its home; `typed` is its standard input."""

    def __init__(self, arguments: Sequence[str], folder: Path, *, typed: str = "") -> None:
        import pty

        self.out: list[tuple[float, str]] = []
        self.err: list[tuple[float, str]] = []
        terminal, child_end = pty.openpty()
        self.started = time.monotonic()
        with _interruptible():
            self.process = subprocess.Popen(
                [sys.executable, "-m", "xorqa", *arguments],
                cwd=folder,
                env=environment(folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=child_end,
                text=True,
                encoding="utf-8",
            )
        os.close(child_end)
        self._threads = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_terminal, args=(terminal,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if self.process.stdin:
            with suppress(BrokenPipeError):  # the command has already ended
                self.process.stdin.write(typed)
                self.process.stdin.close()

    @property
    def seconds(self) -> float:
        """The seconds since the start."""
        return time.monotonic() - self.started

    @property
    def first_output(self) -> float | None:
        """The seconds to the first output."""
        return min((seconds for seconds, _ in [*self.out[:1], *self.err[:1]]), default=None)

    @property
    def terminal(self) -> str:
        """Everything that was shown on the terminal so far."""
        return "".join(text for _, text in self.err)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def interrupt(self) -> float:
        """Press Ctrl-C; returns the seconds until the process has ended."""
        pressed = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
        return time.monotonic() - pressed

    def wait(self) -> int:
        """Wait for the end; returns the exit status."""
        status = self.process.wait()
        for thread in self._threads:
            thread.join()
        return status

    def _read_lines(self) -> None:
        for line in self.process.stdout or ():
            self.out.append((self.seconds, line))

    def _read_terminal(self, terminal: int) -> None:
        while True:
            try:
                data = os.read(terminal, 65536)
            except OSError:  # Linux: the other end is closed
                data = b""
            if not data:
                os.close(terminal)
                return
            self.err.append((self.seconds, data.decode(errors="replace")))


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let a child receive Ctrl-C even if this process ignores it, as jobs in the background do."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def environment(folder: Path) -> dict[str, str]:
    """The environment of a user whose home is an empty folder."""
    places = {name: str(folder / name.lower()) for name in ("HOME", "XDG_CACHE_HOME", "XORQA_HOME")}
    source = str(Path(__file__).parents[3])
    path = os.pathsep.join([source, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, **places, "PYTHONPATH": path, "COLUMNS": "100", "TERM": "xterm"}
