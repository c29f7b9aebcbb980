"""Feed damaged files to every reader and command; count rejections, valid reads and failures."""

import os
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from ....core.errors import ConfigError
from ....core.progress import Progress, silent
from ....io.files import models_dir
from ....tables.grid import Grid
from .commands import commands
from .judgement import failure_of
from .mutators import mutate
from .readers import READERS, Reader
from .samples import copy_sample, write_samples

COMMANDS_SHARE = 10  # every tenth input is for a command, which takes longer than a reader
COLUMNS = "inputs", "refused", "read", "failures"

Outcomes = dict[str, list[str | None]]
"""A reader's name to the results of `failure_of` for its inputs."""


def fuzz(
    root: Any, *, inputs: int, seed: int = 1, only: str = "", progress: Progress = silent
) -> Outcomes:
    """Feed damaged files to the readers, and one in ten to the commands of a command line.

    `only` selects the readers and commands whose names contain it.

    Raises:
        ConfigError: if there are none.
    """
    readers, called = (
        [reader for reader in feedable if only in reader.name]
        for feedable in (READERS, commands(root))
    )
    if not readers and not called:
        raise ConfigError(f"no reader and no command is called '{only}'")
    for_commands = inputs // COMMANDS_SHARE if readers and called else inputs * bool(called)
    return fuzz_readers(readers, inputs=inputs - for_commands, seed=seed, progress=progress) | (
        fuzz_readers(called, inputs=for_commands, seed=seed, progress=progress)
    )


def fuzz_readers(
    readers: Sequence[Reader], *, inputs: int, seed: int = 1, progress: Progress = silent
) -> Outcomes:
    """Feed damaged files to the readers in turn, `inputs` in total.

    An input depends only on the seed, the reader and its number.
    """
    outcomes: Outcomes = {reader.name: [] for reader in readers}
    with TemporaryDirectory() as samples:
        write_samples(Path(samples))
        for done in range(inputs):
            number, index = divmod(done, len(readers))
            random = Random(f"{seed}/{readers[index].name}/{number}")
            outcomes[readers[index].name].append(try_reader(readers[index], Path(samples), random))
            progress(done + 1, inputs)
    return outcomes


def try_reader(reader: Reader, samples: Path, random: Random | None = None) -> str | None:
    """Call `failure_of` on a copy of the reader's sample, damaged if `random` is given."""
    models = models_dir()
    with TemporaryDirectory() as home, patch.dict(os.environ, XORQA_HOME=home):
        (Path(home) / "models").symlink_to(models, target_is_directory=True)
        path = copy_sample(samples, reader.file, Path(home))
        if random:
            path.write_bytes(mutate(path.read_bytes(), path, random))
        return failure_of(partial(reader.read, path))


def counts(outcomes: Iterable[str | None]) -> dict[str, int]:
    """The numbers of inputs that were rejected, read (still valid), and failed."""
    kinds = [
        "refused" if outcome is None else "failures" if outcome else "read" for outcome in outcomes
    ]
    return {"inputs": len(kinds)} | {name: kinds.count(name) for name in COLUMNS[1:]}


def grid(outcomes: Outcomes, *, seed: int) -> Grid:
    """The counts as a table, with a row per reader and one of totals."""
    everything = {"all": list(chain.from_iterable(outcomes.values()))}
    groups = [
        tuple((name, *map(str, counts(of_reader).values())) for name, of_reader in group.items())
        for group in (outcomes, everything)
    ]
    return Grid("damaged files", ("reader", *COLUMNS), tuple(groups), f"Seed {seed}.")


def failures(outcomes: Outcomes) -> list[str]:
    """A line per failure, with the number of the input that reproduces it."""
    return [
        f"{name}, input {number}: {failure}"
        for name, of_reader in outcomes.items()
        for number, failure in enumerate(of_reader)
        if failure
    ]
