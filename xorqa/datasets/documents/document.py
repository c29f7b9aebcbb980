"""A document: a title, and sections that a reference names within it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Document:
    """A title, empty if unknown, and the sections, which may be read while they are iterated."""

    title: str
    sections: Iterator[Section] = field(default_factory=lambda: iter(()))


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
