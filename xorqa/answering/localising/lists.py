"""Lists of answers, "Angola, Benin and Ghana": read in English, joined as other languages do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...core.lang import locale

_MOST_ITEMS = 10
_LAST = re.compile(r",? and ")
_COMMAS = {"ar": "، "}  # its list pattern in the CLDR has no comma
_BARE_NUMBER = re.compile(r"[\d.,]+")


class EnglishList(NamedTuple):
    """The items of a list, and whether the last one follows "and"."""

    items: tuple[str, ...]
    conjunction: bool

    @property
    def joins_two_words(self) -> bool:
        """Whether it is "A and B", which may also be one name (Simon and Garfunkel)."""
        return self.conjunction and len(self.items) == 2 and not any(" " in i for i in self.items)


def read_english_list(text: str) -> EnglishList | None:
    """Read "A, B", "A and B" or "A, B, and C".

    A number beside words is no item: it lacks its unit ("10 and 20 percent").
    """
    first, conjunction, last = _split_last(text)
    items = tuple(item.strip() for item in [*first.split(", "), *([last] if conjunction else [])])
    if not 2 <= len(items) <= _MOST_ITEMS or not all(items):
        return None
    if len({_BARE_NUMBER.fullmatch(item) is None for item in items}) > 1:
        return None
    return EnglishList(items, bool(conjunction))


def write_list(items: Sequence[str], lang: str, *, conjunction: bool) -> str | None:
    """Join items as the CLDR's list patterns of a language do; None if it has none."""
    from babel.lists import format_list

    to = locale(lang)
    if to is None:
        return None
    if conjunction:
        return str(format_list(list(items), style="standard", locale=to))
    comma = str(to.list_patterns["standard"]["middle"]).replace("{0}", "").replace("{1}", "")
    return _COMMAS.get(lang, comma).join(items)


def _split_last(text: str) -> tuple[str, str, str]:
    """The text before the only "and", the "and", and the text after it."""
    found = list(_LAST.finditer(text))
    if len(found) != 1:
        return text, "", ""
    [match] = found
    return text[: match.start()], match[0], text[match.end() :]
