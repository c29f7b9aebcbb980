"""What a reader of damaged files may hand back: values that every later step can use."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

from ...core.errors import XorqaError
from ...core.validation import SETTINGS
from .mutators import MARKER

_MADE_OF_OTHERS = ("None", "True", "False", "[]", "{}")
"""How `str` writes values that are no strings; the seeds have no such text."""


def faults(value: Any, where: str = "result") -> Iterator[str]:
    """What is wrong with a value that was read, at any depth."""
    if isinstance(value, str):
        yield from _text_faults(value, where)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        if math.isnan(value) if isinstance(value, float) else abs(value) >= 2**64:
            yield f"{where} is {value!r:.40}"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if isinstance(key, str) and key != MARKER:
                yield from _text_faults(key, f"{where}'s key")
            yield from faults(inner, f"{where}[{key!r:.20}]")
    elif isinstance(value, list | tuple | set | frozenset):
        if "".join(map(str, value)) == MARKER and len(value) > 1:
            yield f"{where} is a string read as letters"
        for inner in value:
            yield from faults(inner, f"{where}[]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from _record_faults(value, where)


def _record_faults(record: Any, where: str) -> Iterator[str]:
    hints = get_type_hints(type(record), include_extras=True)
    for field in dataclasses.fields(record):
        inner, place = getattr(record, field.name), f"{where}.{field.name}"
        try:
            SETTINGS.check(hints[field.name], inner, where=place)
        except XorqaError as error:
            yield f"{error}"
        yield from faults(inner, place)


def _text_faults(text: str, where: str) -> Iterator[str]:
    try:
        text.encode()
    except UnicodeEncodeError:
        yield f"{where} holds half a character"
    if text in _MADE_OF_OTHERS or f"'{MARKER}'" in text:
        yield f"{where} is the text of a value that is no string: {text!r:.40}"
