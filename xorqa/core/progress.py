"""How long work tells how far it is, to a function that whoever waits for it hands over."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told how many are done, and of how many."""

Tell = Callable[[str, int, int], None]
"""Told of several kinds of work: its name, how many are done, and of how many."""

Log = Callable[[str], None]
"""Told a line."""


def silent(*_: object) -> None:
    """Where nobody waits."""
