"""Patterns of the package `regex`: scripts, Unicode properties, and sets of characters."""

from functools import cache
from importlib import import_module
from typing import Any


@cache
def compiled(pattern: str) -> Any:
    """A pattern, compiled once; its brackets are sets (`&&`, `--`). It imports `regex` late."""
    regex = import_module("regex")
    return regex.compile(pattern, regex.VERSION1)
