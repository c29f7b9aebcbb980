"""A document: a title, and sections that a reference names within it, divided at its headings."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import Path
from typing import Protocol

_SURROGATES = re.compile("[\ud800-\udfff]")
_CJK = r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]"
_CJK_SPACE = re.compile(rf"(?<={_CJK})\n(?={_CJK})")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010]\n(?=[^\W\d_A-Z])")
_SHORT = 0.6  # of the longest line: a shorter one ends its paragraph


@dataclass(frozen=True, slots=True)
class Section:
    """Paragraphs without line ends; `ref` is a page, heading or row: `p12`, `install`, `row3`.

    `title` is its path of headings, "History / Middle Ages"; `lang` is a language if it is known.
    """

    ref: str
    paragraphs: tuple[str, ...]
    title: str = ""
    lang: str = ""


class Skipped(dict[str, tuple[int, int]]):
    """What a reader skipped: the number and the characters of each kind, by its name."""

    def add(self, kind: str, text: str = "", *, count: int = 1) -> None:
        """Count something; if it has `text`, only visible text counts."""
        self.update_by({kind: (count, len(text) - text.count(" "))})

    def update_by(self, others: Mapping[str, Sequence[int]]) -> None:
        """Add the counts of others."""
        for kind, (count, characters) in others.items():
            before = self.get(kind, (0, 0))
            self[kind] = before[0] + count, before[1] + characters

    def __str__(self) -> str:
        """The kinds in one line, the most characters first."""
        kinds = sorted(self.items(), key=lambda item: (-item[1][1], -item[1][0], item[0]))
        return ", ".join(
            f"{count:,} × {kind}" + (f" ({characters:,} characters)" if characters else "")
            for kind, (count, characters) in kinds
        )


@dataclass(frozen=True, slots=True)
class Document:
    """A title, empty if unknown, and the sections, which may be read while they are iterated.

    What was skipped is complete after the last section.
    """

    title: str
    sections: Iterator[Section] = field(default_factory=lambda: iter(()))
    skipped: Skipped = field(default_factory=Skipped)


class DocumentReader(Protocol):
    """Reads a document from a file's bytes."""

    def __call__(self, data: bytes, path: Path) -> Document:
        """Return the document; `path` is for errors.

        Raises:
            DataError: if it cannot be read.
        """
        ...


def paragraphs(text: str, *, hyphenated: bool = False) -> tuple[str, ...]:
    """The paragraphs of lines: they end at a blank line or after a short one.

    If `hyphenated`, a word divided by a hyphen at a line's end is joined.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    least = _SHORT * max(map(len, lines), default=0)
    joined = "\n".join(line if len(line) >= least else f"{line}\n" for line in lines)
    texts = re.split(r"\n\s*\n", joined)
    if hyphenated:
        texts = [_HYPHEN.sub("", text) for text in texts]
    return tuple(filter(None, map(one_line, texts)))


def one_line(text: str) -> str:
    """The text with white space normalised, and U+FFFD for lone surrogates and NUL."""
    text = _SURROGATES.sub("\ufffd", text.replace("\0", "\ufffd"))
    return " ".join(_CJK_SPACE.sub("", text).split())


def infix(signs: Sequence[str], operands: Sequence[str]) -> str:
    """Operands of a formula with signs between them, the last one repeated: `(a+b)/2`, `x_i^2`."""
    grouped = [text if len(text) < 2 or text.isalnum() else f"({text})" for text in operands]
    between = [*signs, *repeat(signs[-1], len(grouped))]
    return "".join(chain.from_iterable(zip(["", *between], grouped, strict=False)))


_RAISED = re.compile(r"[-+−]?\d+[-+−]?", re.ASCII)
_SUPERSCRIPTS = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def raised(text: str) -> str:
    """A raised number in superscript digits, for 10⁶ is not 106; other text as it is."""
    return text.translate(_SUPERSCRIPTS) if _RAISED.fullmatch(text.strip()) else text


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
