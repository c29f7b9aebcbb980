"""Objects by name: registered as `module:name` strings, or named so by the user."""

import importlib
import inspect
from collections.abc import Mapping
from typing import Any

from .errors import ConfigError, one_of


def import_named(name: str, registered: Mapping[str, str], *, kind: str) -> Any:
    """The object behind a registered name or behind `module:name`.

    Args:
        name: a key of `registered`, or `my_package.module:object`.
        registered: names to `module:name` strings.
        kind: what the name stands for, as the error message calls it.

    Raises:
        ConfigError: listing the registered names, or if the object cannot be imported.
    """
    module, colon, attribute = registered.get(name, name).partition(":")
    if not colon:
        names = f"{one_of(registered)}, or module:name"
        raise ConfigError(f"no {kind} is called '{name}'; valid: {names}")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"{kind} '{name}' cannot be imported: {error}") from error


def accepts(function: object, *arguments: object) -> bool:
    """Whether an object can be called with these positional arguments, going by its signature."""
    try:
        inspect.signature(function).bind(*arguments)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True
