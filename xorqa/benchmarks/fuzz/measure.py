"""Damaged files given to every reader and command: what is refused, what is read, what fails.

A refusal is an error of `core.errors` in one line. Everything else that a reader raises is a
failure; so is a value that no later step can use, a call that does not end, and a file that a
refused command leaves half-written.
"""

import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from ...core.errors import XorqaError
from ...core.progress import Progress, silent
from ...io.files import models_dir
from ...tables.grid import Grid
from .checks import faults
from .commands import commands as commands_of
from .mutators import mutate
from .readers import Reader, readers

SECONDS = 20  # after which a call counts as endless
COMMANDS_SHARE = 10  # every tenth input is for a command, which takes longer than a reader
SHOWN = 200  # characters of a failure


@dataclass(slots=True)
class Tally:
    """What became of the inputs of one reader; `failures` are (input's number, what failed)."""

    inputs: int = 0
    refused: int = 0
    failures: list[tuple[int, str]] = field(default_factory=list)

    @property
    def read(self) -> int:
        """Inputs that were read: damage that left them valid."""
        return self.inputs - self.refused - len(self.failures)

    def count(self, number: int, outcome: str | None) -> None:
        """Count what became of an input, as `attempt` returns it."""
        self.inputs += 1
        if outcome is None:
            self.refused += 1
        elif outcome:
            self.failures.append((number, outcome))


def fuzz(
    inputs: int, commands: Any, *, seed: int = 1, progress: Progress = silent
) -> dict[str, Tally]:
    """Damaged files for the readers, and one in ten for the commands of a command line."""
    for_commands = inputs // COMMANDS_SHARE
    with TemporaryDirectory() as folder, own_home(Path(folder)):
        return fuzz_readers(readers(), inputs - for_commands, seed=seed, progress=progress) | (
            fuzz_readers(commands_of(commands), for_commands, seed=seed, progress=progress)
        )


def fuzz_readers(
    chosen: Sequence[Reader], inputs: int, *, seed: int = 1, progress: Progress = silent
) -> dict[str, Tally]:
    """Give damaged files to the readers in turn, `inputs` in all.

    Every input depends on the seed, the reader and its number alone.
    """
    tallies = {reader.name: Tally() for reader in chosen}
    for done in range(inputs):
        number, at = divmod(done, len(chosen))
        random = Random(f"{seed}/{chosen[at].name}/{number}")
        with TemporaryDirectory() as folder:
            outcome = _read_damaged(chosen[at], Path(folder), random)
            tallies[chosen[at].name].count(number, outcome)
        progress(done + 1, inputs)
    return tallies


@contextmanager
def own_home(folder: Path) -> Iterator[None]:
    """A context with an XORQA_HOME of its own in `folder`, but for the weights."""
    (folder / "models").symlink_to(models_dir(), target_is_directory=True)
    before = os.environ.get("XORQA_HOME")
    os.environ["XORQA_HOME"] = str(folder)
    try:
        yield
    finally:
        del os.environ["XORQA_HOME"]
        if before is not None:
            os.environ["XORQA_HOME"] = before


def _read_damaged(reader: Reader, folder: Path, random: Random) -> str | None:
    path = reader.write(folder, lambda at: mutate(reader.seed(at), reader.layout, random))
    return attempt(partial(reader.read, path))


def attempt(call: Callable[[], Any]) -> str | None:
    """None if a call is refused, "" if it returns a sound value, else what failed."""
    try:
        with quiet(), within(SECONDS):
            value = call()
    except TimeoutError as error:
        return str(error)
    except (XorqaError, OSError) as error:  # what the command line prints as one line
        lines = str(error).count("\n") + 1
        return None if lines == 1 else f"an error of {lines} lines: {error!s:.{SHOWN}}"
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.{SHOWN}}"
    return next(faults(value), "")


@contextmanager
def quiet() -> Iterator[None]:
    """A context in which nothing is printed and no warning shown."""
    with warnings.catch_warnings(), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        warnings.simplefilter("ignore")
        yield


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """A context that raises a TimeoutError after `seconds`, on systems that have alarms."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"no end after {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def grid(tallies: dict[str, Tally], *, seed: int) -> Grid:
    """A row per reader, and their sum."""
    total = Tally(
        sum(tally.inputs for tally in tallies.values()),
        sum(tally.refused for tally in tallies.values()),
        [failure for tally in tallies.values() for failure in tally.failures],
    )
    header = ("reader", "inputs", "refused", "read", "failures")
    rows = tuple(_row(name, tally) for name, tally in tallies.items())
    return Grid("damaged files", header, (rows, (_row("all", total),)), f"Seed {seed}.")


def _row(name: str, tally: Tally) -> tuple[str, ...]:
    counts = (tally.inputs, tally.refused, tally.read, len(tally.failures))
    return name, *map(str, counts)


def failures(tallies: dict[str, Tally]) -> list[str]:
    """A line per failure, with the number of the input that shows it again."""
    return [
        f"{name}, input {number}: {failure}"
        for name, tally in tallies.items()
        for number, failure in tally.failures
    ]


def in_json(tallies: dict[str, Tally]) -> dict[str, Any]:
    """The counts and failures of each reader, as plain values."""
    return {name: asdict(tally) | {"read": tally.read} for name, tally in tallies.items()}
