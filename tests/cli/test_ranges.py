"""Every number that a command takes has a range."""

import inspect
from collections.abc import Iterator
from typing import Annotated, Any, get_args, get_origin

import pytest
import typer

from tests.command_line import Xorqa
from xorqa.cli.commands import commands as registered
from xorqa.cli.commands import load


def every_command() -> Iterator[tuple[str, Any]]:
    groups = ("eval", "data", "translate", "bench")
    added = {f"{group} {name}": e for group in groups for name, e in registered(group).items()}
    for name, entry in {**registered(), **added}.items():
        loaded = load(entry)
        if isinstance(loaded, typer.Typer):
            yield from commands(loaded, (name,))
        else:
            yield name, loaded


def commands(group: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for command in group.registered_commands:
        assert command.callback is not None
        yield " ".join([*path, command.name or command.callback.__name__]), command.callback
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from commands(inner.typer_instance, (*path, str(inner.name)))


def is_number(hint: Any) -> bool:
    return hint in (int, float) or any(map(is_number, get_args(hint)))


def options() -> Iterator[tuple[str, str, Any]]:
    for name, callback in every_command():
        for parameter in inspect.signature(callback, eval_str=True).parameters.values():
            if get_origin(parameter.annotation) is Annotated:
                base, *about = get_args(parameter.annotation)
                if is_number(base):
                    yield name, parameter.name, about[0]
            else:
                assert not is_number(parameter.annotation), (name, parameter.name)


def test_every_number_of_every_command_has_a_minimum() -> None:
    found = list(options())
    assert len(found) > 30
    without = [(name, option) for name, option, about in found if about.min is None]
    assert set(without) == {
        ("compare", "confidence"),  # `Settings` refuses these two
        ("diagnose", "confidence"),
        ("eval bucc", "threshold"),  # of any score
        ("mine", "threshold"),
    }


@pytest.mark.parametrize("command", ["compare", "report", "checklist report"])
def test_too_many_samples_are_rejected(xorqa: Xorqa, command: str) -> None:
    outcome = xorqa(*command.split(), "a", "b", "--samples", "999999999")
    assert outcome.status == 2
    assert "or equal to 1000000" in outcome.err
