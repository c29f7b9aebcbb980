"""Heavy and optional packages, imported where they are used."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from .errors import MissingExtraError


def require(module: str, *, extra: str) -> ModuleType:
    """Import `module`, or say which extra brings it.

    Raises:
        MissingExtraError: with the line that installs it.
    """
    expect(module, extra=extra)
    return importlib.import_module(module)


def expect(module: str, *, extra: str) -> None:
    """Check that `module` is installed, without importing it.

    Raises:
        MissingExtraError: with the line that installs it.
    """
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(
            f"{module} is not installed; install it with: pip install 'xorqa[{extra}]'"
        )


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__` for names whose modules load on first use.

    `modules` maps a module, relative to the package, to the names that it gives.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def getattr_(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(importlib.import_module(homes[name], package), name)
        setattr(importlib.import_module(package), name, value)
        return value

    def dir_() -> list[str]:
        return sorted({*vars(importlib.import_module(package)), *homes})

    return getattr_, dir_
