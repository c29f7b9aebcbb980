"""Divide a document at its headings."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .document import Section

_SLUG = 40  # characters of a heading in a reference


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, or a heading of a level from 1."""

    text: str
    level: int = 0


def sections(blocks: Iterable[Block]) -> Iterator[Section]:
    """The text below each heading; a heading without any text below it is its own text."""
    used: set[str] = set()
    path: list[Block] = []
    below: list[str] = []
    for block in blocks:
        if not block.level:
            below.append(block.text)
            continue
        yield from _section(path, below, used, following=block.level)
        path = [*(heading for heading in path if heading.level < block.level), block]
        below = []
    yield from _section(path, below, used, following=0)


def _section(
    path: list[Block], below: list[str], used: set[str], *, following: int
) -> Iterator[Section]:
    if path and not below and following <= path[-1].level:
        below = [path[-1].text]
    if below:
        ref = _unused(slug(path[-1].text), used) if path else ""
        yield Section(ref, tuple(below), " / ".join(heading.text for heading in path))


def only_top_heading(blocks: Iterable[Block]) -> str:
    """The heading above all others: the document's title; "" if there are several."""
    headings = [block for block in blocks if block.level]
    top = min((heading.level for heading in headings), default=0)
    texts = [heading.text for heading in headings if heading.level == top]
    return texts[0] if len(texts) == 1 else ""


def slug(heading: str) -> str:
    """A heading as a reference: lower-case letters and digits, with hyphens between words."""
    kept = (char if unicodedata.category(char)[0] in "LMN" else " " for char in heading.lower())
    return "-".join("".join(kept).split())[:_SLUG].strip("-") or "section"


def _unused(ref: str, used: set[str]) -> str:
    """The reference, with a number if it was used before."""
    name, number = ref, 1
    while name in used:
        number += 1
        name = f"{ref}-{number}"
    used.add(name)
    return name
