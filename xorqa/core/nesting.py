"""How deeply a value of JSON or TOML nests: later steps recurse into it."""

from typing import Any

DEEPEST = 100
"""Levels; the field's formats have ten at most."""


_HOLDERS = (dict, list, tuple)


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
