"""Stages that remember their settings, so that an object is equivalent to a config table."""

import inspect
from collections.abc import Callable, Mapping
from types import MethodType
from typing import Any, Self

from .validation import SETTINGS, has_range

GIVEN = frozenset({"cache", "corpus", "failed", "folder", "translations"})
"""Constructor parameters that the pipeline fills in; they are not settings."""


class Configured:
    """Remembers the constructor arguments that differ from the defaults."""

    settings_given: Mapping[str, Any]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        stage = super().__new__(cls)
        signature = signature_of(cls)
        try:
            arguments = signature.bind_partial(*args, **options).arguments
        except TypeError:  # `__init__` raises it again, with Python's message
            arguments = {}
        for name, value in arguments.items():
            if has_range(signature.parameters[name].annotation):
                hint = signature.parameters[name].annotation
                SETTINGS.check(hint, value, where=f"{cls.__name__} {name}")
        stage.settings_given = {
            name: value
            for name, value in arguments.items()
            if name not in GIVEN and value != signature.parameters[name].default
        }
        return stage


def signature_of(cls: type[Any]) -> inspect.Signature:
    """The signature of a class, with its annotations evaluated if possible."""
    made_by = _constructor(cls)
    try:
        return inspect.signature(made_by, eval_str=True)
    except NameError:  # an annotation that only type checkers can read
        return inspect.signature(made_by)


def _constructor(cls: type[Any]) -> Callable[..., Any]:
    """What is called with a class's arguments: Python finds `Configured.__new__`, not `__init__`.

    Before 3.11.4 it does so for every stage, after that for those without an `__init__`.
    """
    if not issubclass(cls, Configured):
        return cls
    return object if cls.__init__ is object.__init__ else MethodType(cls.__init__, cls)
