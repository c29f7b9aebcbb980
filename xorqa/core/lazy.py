"""Heavy and optional packages, imported where they are used."""

import importlib
import importlib.util
from types import ModuleType

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
