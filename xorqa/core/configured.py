"""Stages that remember their settings, so that an object and a config's table mean the same."""

import inspect
from collections.abc import Mapping
from typing import Any, Self

GIVEN = frozenset({"cache", "corpus", "failed", "folder", "translations"})
"""Parameters of stages that a pipeline fills in; they are no settings."""


class Configured:
    """Remembers the arguments it was built with that differ from the defaults."""

    settings_given: Mapping[str, Any]

    def __new__(cls, *args: Any, **options: Any) -> Self:
        stage = super().__new__(cls)
        signature = inspect.signature(cls)
        try:
            arguments = signature.bind_partial(*args, **options).arguments
        except TypeError:  # `__init__` raises it again, with the constructor's own words
            arguments = {}
        stage.settings_given = {
            name: value
            for name, value in arguments.items()
            if name not in GIVEN and value != signature.parameters[name].default
        }
        return stage
