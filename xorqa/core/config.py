"""TOML files, and settings and stages given on the command line.

JSON and TOML values have a depth limit, since later steps are recursive.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .devices import descriptor, kind_of_file
from .errors import ConfigError, one_of

DEEPEST = 100
"""The maximum number of levels; the file formats of the field need at most ten."""
_HOLDERS = (dict, list, tuple)


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        ConfigError: if it cannot be read or is not TOML; the message names the line.
    """
    if (kind := kind_of_file(path)) and descriptor(path) is None:
        raise ConfigError(f"{path} is a {kind}; name a file")
    try:
        return parse_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # UnicodeDecodeError among them
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text; raises ValueError."""
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    if nests_too_deeply(table):
        raise ValueError("it nests too deeply")
    return table


def named_toml(paths: Iterable[Path]) -> dict[str, Path]:
    """TOML files by their names, sorted."""
    return dict(sorted((path.stem, path) for path in paths))


def find_toml(config: str | Path, examples: Mapping[str, Path], *, kind: str) -> Path:
    """Find a TOML file, given its path or the name of one of the `examples`.

    Raises:
        ConfigError: if no example has that name; the message lists the examples.
    """
    path = Path(config)
    if path.suffix == ".toml":
        return path
    if str(config) not in examples:
        raise ConfigError(
            f"no {kind} is called '{config}'; "
            f"valid: {one_of(examples)}, or the path of a .toml file"
        )
    return examples[str(config)]


def set_value(table: dict[str, Any], change: str) -> None:
    """Change one setting of a table in place: `reader.passages=3`, `routes.eng.k=50`.

    An item of a list is named by its position from 0, or by its `name`, `corpus` or `use`.

    Raises:
        ConfigError: if `change` is not of the form `key.key=value` with a TOML value, or names an
            item that a list does not have.
    """
    key, equals, value = change.partition("=")
    try:
        new = parse_toml(f"value = {value}")["value"]
    except ValueError:
        new = value.strip()  # a bare word is a string
    *parents, last = key.strip().split(".")
    inner: Any = table
    for parent in parents:
        if isinstance(inner, list):
            inner = inner[_position(inner, parent, change)]
        else:
            inner = inner.setdefault(parent, {}) if isinstance(inner, dict) else None
    if not equals or not last or not isinstance(inner, dict | list):
        raise ConfigError(f"--set needs key.key=value, such as reader.passages=3, not '{change}'")
    if isinstance(inner, list):
        inner[_position(inner, last, change)] = new
    else:
        inner[last] = new


def _position(items: list[Any], key: str, change: str) -> int:
    """The position of a list item, given as a number or by name."""
    if key.isdecimal() and int(key) < len(items):
        return int(key)
    valid = [str(position) for position in range(len(items))]
    for name in ("name", "corpus", "use"):
        values = [item.get(name) if isinstance(item, dict) else None for item in items]
        if values.count(key) == 1:
            return values.index(key)
        valid += [value for value in values if isinstance(value, str)]
    raise ConfigError(f"--set {change}: there is no item '{key}'; valid: {one_of(valid)}")


def stage_table(text: str) -> dict[str, Any]:
    """Parse a stage given on the command line, a name or a TOML table, into a config table.

    Raises:
        ConfigError: if it is neither.
    """
    table: dict[str, Any] = {}
    set_value(table, f"stage={text}")
    stage = table["stage"]
    return stage if isinstance(stage, dict) else {"use": stage}


def nests_too_deeply(value: Any) -> bool:
    """Whether a value has more than `DEEPEST` levels of lists and tables."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for holder in level
            if isinstance(holder, _HOLDERS)
            for inner in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(inner, _HOLDERS)
        ]
        if not level:
            return False
    return True
