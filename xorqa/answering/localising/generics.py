"""Names with a generic word, such as "Lake Victoria": the word is translated, the name spelled."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ...core.config import read_toml
from ..transliteration.name_table import BUNDLED, key, read_titles
from ..transliteration.transliterate import is_name


class Generic(NamedTuple):
    """The name in a text, and the pattern around it in each language."""

    name: str
    patterns: Mapping[str, str]


def read_english_generic(text: str) -> Generic | None:
    """Read "Lake Victoria", "the Congo River" or "Pope Paul IV"; None for other texts."""
    plain = re.sub(r"^[Tt]he ", "", text)
    for english, patterns in _generics():
        match = english.fullmatch(plain)
        if match and _fits(match[1], patterns):
            return Generic(match[1], patterns)
    return None


def _fits(name: str, patterns: Mapping[str, Any]) -> bool:
    """Whether a text is a name, or has a generic word too, that meets the pattern's conditions."""
    if not (is_name(name) or read_english_generic(name)):
        return False
    if patterns.get("surname") and _is_given_name(name):
        return False
    return not patterns.get("one_word" if " " in name else "full_name")


@cache
def _generics() -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    """English patterns, the longest first, with those of other languages and their conditions."""
    tables: Mapping[str, Any] = read_toml(Path(__file__).with_suffix(".toml"))
    ordered = sorted(tables.items(), key=lambda item: (-len(item[0]), item[0]))
    return tuple((_compiled(english), patterns) for english, patterns in ordered)


def _compiled(english: str) -> re.Pattern[str]:
    """A pattern whose generic words may begin with a small letter."""
    words = (
        "(.+)" if word == "{}" else f"[{word[0].upper()}{word[0].lower()}]{re.escape(word[1:])}"
        for word in english.split()
    )
    return re.compile(" ".join(words))


def _is_given_name(name: str) -> bool:
    return ("ja", key(name)) in read_titles(BUNDLED)
