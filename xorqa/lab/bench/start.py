"""The measurements of `xorqa bench start`: how soon a new process answers and helps."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from ...core.errors import XorqaError
from ...core.progress import TaskProgress
from ...tables.grid import Grid
from .watched_command import WatchedCommand

QUESTION = "나일강은 어느 바다로 흘러드나요?"
ASK = ("ask", QUESTION, "--json")


def measure(rounds: int, *, progress: TaskProgress) -> dict[str, Any]:
    """Seconds from the start of a process: to the answer in an empty home, and medians after it.

    Raises:
        XorqaError: if a command fails.
    """
    with TemporaryDirectory() as temporary:
        home = Path(temporary)
        empty = _seconds(ASK, home)
        answers, helps = [], []
        for number in range(rounds):
            answers.append(_seconds(ASK, home))
            helps.append(_seconds(["--help"], home))
            progress("new processes", number + 1, rounds)
    return {
        "rounds": rounds,
        "empty_home_s": empty,
        "answer_s": median(answers),
        "help_s": median(helps),
    }


def _seconds(arguments: Sequence[str], home: Path) -> float:
    """The seconds until the first line of a command's output."""
    command = WatchedCommand(arguments, home)
    if command.wait() or not command.out:
        raise XorqaError(f"xorqa {arguments[0]} failed: {command.terminal.strip()[-500:]}")
    return command.out[0][0]


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table with a row per measurement."""
    rows = (
        ("answer in an empty home, its index included", f"{figures['empty_home_s']:.1f} s"),
        ("answer with that index", f"{figures['answer_s']:.1f} s"),
        ("help", f"{figures['help_s']:.2f} s"),
    )
    title = f"new processes, median of {figures['rounds']}, {figures['cpu']}"
    return Grid(title, ("until", "seconds"), (rows,))
