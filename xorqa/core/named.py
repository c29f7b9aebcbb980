"""Import objects by a registered name, or as `module:name`, and optional packages by their extra.

An old name of a setting or a stage still works, and a warning gives the new one.
"""

import importlib
import importlib.util
import inspect
import re
import warnings
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from .errors import ConfigError, MissingExtraError, Notice, one_of

_UNFIT = re.compile(r"[/\\\x00-\x1f\x7f\ud800-\udfff]")


def import_named(name: str, registered: Mapping[str, str], *, kind: str) -> Any:
    """Import an object by a registered name or as `module:name`.

    Args:
        name: a key of `registered`, or `my_package.module:object`.
        registered: names to `module:name` strings.
        kind: what the name stands for, as the error message calls it.

    Raises:
        ConfigError: if the name is unknown, or the object cannot be imported.
    """
    module, colon, attribute = registered.get(name, name).partition(":")
    if not colon:
        names = f"{one_of(registered)}, or module:name"
        raise ConfigError(f"no {kind} is called '{name}'; valid: {names}")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"{kind} '{name}' cannot be imported: {error}") from error


def check_name(name: str, *, where: str, spaces: bool = True) -> None:
    """Reject a name that cannot be part of a file name or, without `spaces`, the tag of a run.

    Raises:
        ConfigError: if it is empty, "." or "..", has a slash, a backslash or a control character
            or, without `spaces`, white space.
    """
    unfit = name in ("", ".", "..") or _UNFIT.search(name)
    if unfit or (not spaces and name.split() != [name]):
        kind = "slashes and control characters" if spaces else "white space and slashes"
        raise ConfigError(f"{where} must be a plain name without {kind}, not {name!r:.80}")


def accepts(function: object, *arguments: object) -> bool:
    """Whether the signature of an object accepts these positional arguments."""
    try:
        inspect.signature(function).bind(*arguments)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    return True


def require(module: str, *, extra: str) -> ModuleType:
    """Import `module`, which an extra installs.

    Raises:
        MissingExtraError: if it is not installed; the message has the command.
    """
    expect(module, extra=extra)
    return importlib.import_module(module)


def expect(module: str, *, extra: str) -> None:
    """Check that `module` is installed, without importing it.

    Raises:
        MissingExtraError: if it is not installed; the message has the command.
    """
    if importlib.util.find_spec(module) is None:
        raise MissingExtraError(
            f"{module} is not installed; install it with: pip install 'xorqa[{extra}]'"
        )


class RenamedWarning(Notice):
    """A name in a config or on the command line has a new form."""


def renamed(names: dict[str, str], name: str, *, where: str) -> str:
    """The current form of `name`; `names` maps old names to new, and an old one warns once."""
    if name not in names:
        return name
    message = f"{where} '{name}' is now called '{names[name]}'; the old name still works"
    warnings.warn(message, RenamedWarning, stacklevel=2)
    return names[name]
