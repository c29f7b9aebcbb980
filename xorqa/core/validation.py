"""Validate configs, stage settings and checklists by type hints.

Numbers must be finite, and within the range of their hint: `Annotated[int, Range(1)]`.

With Pydantic this would be more code: it would have to reject "5" as 5 yet accept a list as a
tuple and a table as a dataclass, and each of its errors would have to be reworded.
"""

import dataclasses
import math
import sys
import types
import typing
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeVar

from .errors import ConfigError, XorqaError, one_of

T = TypeVar("T")
LARGEST = sys.float_info.max

_UNION = (typing.Union, types.UnionType)
_NAMES = {int: "int", float: "float", bool: "bool", str: "string"}

MOST = 2**31 - 1
"""The largest count; larger ones overflow in C libraries."""


@dataclass(frozen=True, slots=True)
class Validator:
    """Raises `error`, whose message begins with `where` and calls a table's entry a `noun`."""

    error: type[XorqaError] = ConfigError
    noun: str = "setting"

    def fill(self, cls: type[T], table: Mapping[str, Any], *, where: str) -> T:
        """Build the dataclass `cls` from `table`.

        Raises:
            XorqaError: for an unknown key, a missing one, or a value of another type.
        """
        fields = {field.name: field for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]
        for key in table:
            if key not in fields:
                raise self.error(f"{where} has no {self.noun} '{key}'; valid: {one_of(fields)}")
        hints = hints_of(cls)
        values = {}
        for name, field in fields.items():
            if name in table:
                values[name] = self.check(hints[name], table[name], where=f"{where} {name}")
            elif dataclasses.MISSING is field.default is field.default_factory:
                raise self.error(f"{where} needs a {self.noun} '{name}'")
        return cls(**values)

    def check(self, hint: Any, value: Any, *, where: str) -> Any:
        """Convert `value` to its hint: int to float, list to tuple, table to dataclass.

        A hint that no TOML value can have, such as a class, accepts every value.

        Raises:
            XorqaError: for a value of another type; the message names the valid values or types.
        """
        if not _fits(hint, value):
            if typing.get_origin(hint) is typing.Literal:
                names = one_of(map(str, typing.get_args(hint)))
                raise self.error(f"{where} cannot be {_shown(value)}; valid: {names}")
            raise self.error(f"{where} must be {_name(hint)}, not {_shown(value)}")
        if isinstance(value, int | float) and not -LARGEST < value < LARGEST:
            raise self.error(f"{where} must be a finite number, not {value!r:.20}")
        origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
        if origin is Annotated:
            checked = self.check(inner[0], value, where=where)
            for limits in inner[1:]:
                if isinstance(limits, Range) and checked not in limits:
                    raise self.error(f"{where} must be {limits}, not {value}")
            return checked
        if origin in _UNION:
            option = next(option for option in inner if _fits(option, value))
            return self.check(option, value, where=where)
        if _is_list(origin) and inner:
            return tuple(self.check(inner[0], item, where=_item(where, item)) for item in value)
        if dataclasses.is_dataclass(origin) and isinstance(value, Mapping):
            return self.fill(typing.cast(type, origin), value, where=where)
        if _is_table(origin) and inner:
            return {
                key: self.check(inner[1], item, where=f"{where} {key}")
                for key, item in value.items()
            }
        return float(value) if hint is float else value

    def check_numbers(self, record: Any, *, where: str) -> None:
        """Check the fields of a dataclass that have a range, also of one built in Python.

        Raises:
            XorqaError: for a number of another type or out of its range.
        """
        for name, hint in hints_of(type(record)).items():
            if has_range(hint):
                self.check(hint, getattr(record, name), where=f"{where} {name}")


SETTINGS = Validator()


def _shown(value: Any) -> str:
    """The value for an error message, cut to a line."""
    return f"{value!r:.80}"


def hints_of(cls: Any) -> dict[str, Any]:
    """The type hints of a class, with ranges."""
    return _hints(cls)


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls, include_extras=True)


def has_range(hint: Any) -> bool:
    """Whether a hint limits a number, at any depth."""
    return typing.get_origin(hint) is Annotated or any(map(has_range, typing.get_args(hint)))


def _without_range(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint


def _fits(hint: Any, value: Any) -> bool:
    """Whether a value has the outermost type of a hint."""
    hint = _without_range(hint)
    origin, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if origin is typing.Literal:
        return value in inner
    if origin in _UNION:
        return any(_fits(option, value) for option in inner)
    if origin in (int, float):
        kinds = (int, float) if origin is float else (int,)
        return isinstance(value, kinds) and not isinstance(value, bool)
    if _is_list(origin):
        return isinstance(value, list | tuple)
    if _is_table(origin) or dataclasses.is_dataclass(origin):
        return isinstance(value, Mapping | typing.cast(type, origin))
    return origin not in (bool, str, types.NoneType) or isinstance(value, origin)


def _is_list(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Sequence) and kind not in (str, bytes)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Mapping)


def _name(hint: Any) -> str:
    """The name of a type in TOML."""
    hint = _without_range(hint)
    origin = typing.get_origin(hint) or hint
    if origin in _UNION:
        options: Collection[Any] = typing.get_args(hint)
        return " or ".join(_name(kind) for kind in options if kind is not types.NoneType)
    return _NAMES.get(origin) or ("list" if _is_list(origin) else "table")


def _item(where: str, item: Any) -> str:
    """The location of a list item, with its name if it is a table that has one."""
    return f"{where} '{item['name']}'" if isinstance(item, Mapping) and "name" in item else where


@dataclass(frozen=True, slots=True)
class Range:
    """The limits of a number, in its type hint; with `above`, the lower limit is excluded."""

    least: float
    most: float = math.inf
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return (value > self.least if self.above else value >= self.least) and value <= self.most

    def __str__(self) -> str:
        if self.most < MOST:
            return f"from {self.least:g} to {self.most:g}"
        return f"more than {self.least:g}" if self.above else f"{self.least:g} or more"


Count = Annotated[int, Range(1, MOST)]
CountOrZero = Annotated[int, Range(0, MOST)]
NonNegative = Annotated[float, Range(0)]
Positive = Annotated[float, Range(0, above=True)]
Share = Annotated[float, Range(0, 1)]
