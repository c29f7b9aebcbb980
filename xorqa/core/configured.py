"""Stages that remember their settings, so that an object is equivalent to a config table."""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from .validation import SETTINGS, has_range

GIVEN = frozenset({"cache", "corpus", "failed", "folder", "translations"})
"""Constructor parameters that the pipeline fills in; they are not settings."""


class Configured:
    """Remembers the constructor arguments that differ from the defaults, as `settings_given`.

    The settings of a stage are the parameters of its `__init__`, except `GIVEN`.
    """

    settings_given: Mapping[str, Any] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in cls.__dict__:
            cls.__init__ = _recording(cls.__init__)  # type: ignore[method-assign]


def _recording(constructor: Callable[..., None]) -> Callable[..., None]:
    """The constructor; before it runs, it checks the ranges of its arguments and records them."""

    @wraps(constructor)
    def construct(stage: Configured, *args: Any, **options: Any) -> None:
        if "settings_given" not in vars(stage):  # else a subclass's constructor has called this one
            stage.settings_given = _settings(type(stage), args, options)
        constructor(stage, *args, **options)

    return construct


def _settings(cls: type[Any], args: tuple[Any, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    signature = signature_of(cls)
    try:
        arguments = signature.bind_partial(*args, **options).arguments
    except TypeError:  # the constructor raises it again, with Python's message
        return {}
    for name, value in arguments.items():
        hint = signature.parameters[name].annotation
        if has_range(hint):
            SETTINGS.check(hint, value, where=f"{cls.__name__} {name}")
    return {
        name: value
        for name, value in arguments.items()
        if name not in GIVEN and value != signature.parameters[name].default
    }


def signature_of(cls: type[Any]) -> inspect.Signature:
    """The signature of a class, with its annotations evaluated if possible."""
    try:
        return inspect.signature(cls, eval_str=True)
    except NameError:  # an annotation that only type checkers can read
        return inspect.signature(cls)
