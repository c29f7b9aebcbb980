"""Plain tables (from TOML) into typed settings, with errors that list what is valid."""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from .errors import ConfigError, one_of

T = TypeVar("T")


def read_toml(path: Path) -> dict[str, Any]:
    """One TOML file as a table.

    Raises:
        ConfigError: if it cannot be read or is not TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def find_toml(config: str | Path, examples: Path, *, kind: str) -> Path:
    """A TOML file by its path, or one of the folder `examples` by its name.

    Raises:
        ConfigError: listing the examples.
    """
    path = Path(config)
    if path.suffix == ".toml":
        return path
    path = examples / f"{config}.toml"
    if not path.is_file():
        names = one_of(example.stem for example in examples.glob("*.toml"))
        raise ConfigError(
            f"no {kind} is called '{config}'; there are: {names}; a file of your own ends in .toml"
        )
    return path


def set_value(table: dict[str, Any], change: str) -> None:
    """Change one setting of a table in place: `reader.passages=3`, `chooser.prefer="target"`.

    Raises:
        ConfigError: if `change` is not of the form `key.key=value` with a TOML value.
    """
    key, equals, value = change.partition("=")
    try:
        new = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        new = value.strip()  # a bare word is a string
    *parents, last = key.strip().split(".")
    for parent in parents:
        table = table.setdefault(parent, {}) if isinstance(table, dict) else table
    if not equals or not last or not isinstance(table, dict):
        raise ConfigError(f"--set needs key.key=value, such as reader.passages=3, not '{change}'")
    table[last] = new


def stage_table(text: str) -> dict[str, Any]:
    """A stage as the command line names it, by its name or a TOML table, as a config has it.

    Raises:
        ConfigError: if it is neither.
    """
    table: dict[str, Any] = {}
    set_value(table, f"stage={text}")
    found = table["stage"]
    return found if isinstance(found, dict) else {"use": found}


def settings(cls: type[T], table: Mapping[str, Any], *, where: str) -> T:
    """Fill the dataclass `cls` from `table`; `where` opens every error message.

    Raises:
        ConfigError: for an unknown key, a missing one, or a value of another type.
    """
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise ConfigError(f"{where} has no setting '{key}'; there are: {one_of(fields)}")
    hints = typing.get_type_hints(cls)
    values = {}
    for name, field in fields.items():
        if name in table:
            values[name] = _checked(hints[name], table[name], f"{where} {name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ConfigError(f"{where} needs a setting '{name}'")
    return cls(**values)


def _checked(hint: Any, value: Any, where: str) -> Any:
    """`value` as the type hint wants it: int for float, list for tuple, table for dataclass."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return settings(typing.cast(type, hint), value, where=where)
    if origin in (typing.Union, types.UnionType):
        options = [option for option in inner if option is not type(None)]
        return None if value is None else _checked(options[0], value, where)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_checked(inner[0], item, where) for item in value)
    if hint is Any:
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    kind = origin or hint
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ConfigError(f"{where} must be of type {_in_toml(kind)}, not {value!r}")
    return value


def _in_toml(kind: type) -> str:
    """What a TOML file calls a type."""
    if dataclasses.is_dataclass(kind) or issubclass(kind, Mapping):
        return "table"
    return "list" if issubclass(kind, tuple) else kind.__name__
