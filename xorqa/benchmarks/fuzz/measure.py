"""Damaged files given to every reader and command: what is refused, what is read, what fails."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from ...core.progress import Progress, silent
from ...io.files import models_dir
from ...tables.grid import Grid
from .commands import commands
from .judgement import failure_of
from .mutators import mutate
from .readers import READERS, Reader
from .samples import copy_sample, write_samples

COMMANDS_SHARE = 10  # every tenth input is for a command, which takes longer than a reader
COLUMNS = "inputs", "refused", "read", "failures"


Outcomes = dict[str, list[str | None]]
"""Reader's name to what `failure_of` returned for each of its inputs."""


def fuzz(root: Any, *, inputs: int, seed: int = 1, progress: Progress = silent) -> Outcomes:
    """Damaged files for the readers, and one in ten for the commands of a command line."""
    for_commands = inputs // COMMANDS_SHARE
    return fuzz_readers(READERS, inputs=inputs - for_commands, seed=seed, progress=progress) | (
        fuzz_readers(commands(root), inputs=for_commands, seed=seed, progress=progress)
    )


def fuzz_readers(
    readers: Sequence[Reader], *, inputs: int, seed: int = 1, progress: Progress = silent
) -> Outcomes:
    """Give damaged files to the readers in turn, `inputs` in all.

    Every input depends on the seed, the reader and its number alone.
    """
    outcomes: Outcomes = {reader.name: [] for reader in readers}
    with TemporaryDirectory() as samples:
        write_samples(Path(samples))
        for done in range(inputs):
            number, at = divmod(done, len(readers))
            random = Random(f"{seed}/{readers[at].name}/{number}")
            outcomes[readers[at].name].append(try_reader(readers[at], Path(samples), random))
            progress(done + 1, inputs)
    return outcomes


def try_reader(reader: Reader, samples: Path, random: Random | None = None) -> str | None:
    """`failure_of` reading a copy of the reader's sample, damaged if `random` is given."""
    models = models_dir()
    with TemporaryDirectory() as home, patch.dict(os.environ, XORQA_HOME=home):
        (Path(home) / "models").symlink_to(models, target_is_directory=True)
        path = copy_sample(samples, reader.file, Path(home))
        if random:
            path.write_bytes(mutate(path.read_bytes(), path, random))
        return failure_of(partial(reader.read, path))


def counts(outcomes: Iterable[str | None]) -> dict[str, int]:
    """How many inputs were refused, read (their damage left them valid), and failed."""
    each = ["refused" if one is None else "failures" if one else "read" for one in outcomes]
    return {"inputs": len(each)} | {name: each.count(name) for name in COLUMNS[1:]}


def grid(outcomes: Outcomes, *, seed: int) -> Grid:
    """A row per reader, and their sum."""
    everything = {"all": list(chain.from_iterable(outcomes.values()))}
    groups = [
        tuple((name, *map(str, counts(each).values())) for name, each in group.items())
        for group in (outcomes, everything)
    ]
    return Grid("damaged files", ("reader", *COLUMNS), tuple(groups), f"Seed {seed}.")


def failures(outcomes: Outcomes) -> list[str]:
    """A line per failure, with the number of the input that shows it again."""
    return [
        f"{name}, input {number}: {failure}"
        for name, each in outcomes.items()
        for number, failure in enumerate(each)
        if failure
    ]
