"""Damaged files, given to every reader: none is read as something else or ends in a traceback."""

from pathlib import Path
from random import Random

import pytest
import typer

from xorqa.benchmarks.fuzz.commands import commands
from xorqa.benchmarks.fuzz.measure import attempt, failures, fuzz_readers, grid, own_home
from xorqa.benchmarks.fuzz.mutators import mutate
from xorqa.benchmarks.fuzz.readers import Reader, readers
from xorqa.cli.main import app

INPUTS = 2000


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)
def test_every_reader_reads_a_sound_file(reader: Reader, tmp_path: Path) -> None:
    reader.write(tmp_path, reader.seed)
    assert attempt(lambda: reader.read(tmp_path / reader.file)) == ""


def test_no_damaged_file_is_read_as_something_else_or_ends_in_a_traceback() -> None:
    tallies = fuzz_readers(readers(), INPUTS, seed=29)
    assert not failures(tallies), "\n".join(failures(tallies))
    assert sum(tally.inputs for tally in tallies.values()) == INPUTS
    for name, tally in tallies.items():
        assert tally.refused, f"{name} refused nothing"
    assert grid(tallies, seed=29).rows[-1][0][1] == str(INPUTS)


COMMANDS = commands(typer.main.get_command(app))
SOUND = [command for command in COMMANDS if command.layout != "no text"]


@pytest.mark.parametrize("command", SOUND, ids=lambda command: command.name)
def test_every_command_accepts_a_sound_file(command: Reader, tmp_path: Path, home: Path) -> None:
    command.write(tmp_path, command.seed)
    assert attempt(lambda: command.read(tmp_path / command.file)) == ""


def test_no_command_ends_in_a_traceback_or_leaves_half_a_file(tmp_path: Path) -> None:
    with own_home(tmp_path):
        tallies = fuzz_readers(COMMANDS, 5 * len(COMMANDS), seed=30)
    assert not failures(tallies), "\n".join(failures(tallies))
    for command in COMMANDS:
        if command.layout == "no text":
            assert tallies[command.name].refused == 5, command.name


def test_the_same_seed_gives_the_same_damage() -> None:
    content = b'{"a": [1, 2, "drei"], "b": {"c": null}}'
    damaged = [mutate(content, "json", Random(f"1/{at}")) for at in range(50)]
    assert damaged == [mutate(content, "json", Random(f"1/{at}")) for at in range(50)]
    assert content not in damaged and len(set(damaged)) > 30


@pytest.mark.parametrize(
    ("call", "failure"),
    [
        (lambda: {}["x"], "KeyError: 'x'"),
        (lambda: {"a": ("q", "z", "x", "v", "w")}, "result['a'] is a string read as letters"),
        (lambda: ["\ud800"], "result[] holds half a character"),
        (lambda: float("nan"), "result is nan"),
        (lambda: ["None"], "result[] is the text of a value that is no string: 'None'"),
    ],
)
def test_what_counts_as_a_failure(call, failure) -> None:  # type: ignore[no-untyped-def]
    assert attempt(call) == failure
