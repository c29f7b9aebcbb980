"""Values of a TOML table, checked: what is not of the wanted kind is named in the error."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from ..core.errors import DataError, one_of


def check_keys(
    table: Mapping[str, Any],
    *,
    needed: AbstractSet[str],
    allowed: AbstractSet[str] = frozenset(),
) -> None:
    """The table has the keys that are needed, and no others than those and the allowed."""
    if missing := needed - set(table):
        raise DataError(f"lacks {one_of(missing)}")
    if unknown := set(table) - needed - allowed:
        raise DataError(f"has no key {one_of(unknown)}; there are: {one_of(needed | allowed)}")


def as_table(value: Any, where: str) -> Mapping[str, Any]:
    return _of(value, where, dict, "a table")  # type: ignore[no-any-return]


def as_list(value: Any, where: str) -> list[Any]:
    return _of(value, where, list, "a list")  # type: ignore[no-any-return]


def as_text(value: Any, where: str) -> str:
    return _of(value, where, str, "a string")  # type: ignore[no-any-return]


def as_texts(value: Any, where: str) -> tuple[str, ...]:
    """A list of strings; one string stands for a list of one."""
    values = [value] if isinstance(value, str) else as_list(value, where)
    return tuple(as_text(one, where) for one in values)


def _of(value: Any, where: str, kind: type, name: str) -> Any:
    if not isinstance(value, kind):
        raise DataError(f"{where} must be {name}, not {value!r}")
    return value
