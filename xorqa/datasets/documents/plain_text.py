"""Plain text; the file's name is the title."""

from pathlib import Path

from .document import Document, Section, paragraphs
from .encoding import decode


def read(data: bytes, path: Path) -> Document:
    """A section with all paragraphs, which blank lines separate.

    Raises:
        DataError: if it is not text.
    """
    text = decode(data, path)
    return Document("", iter([Section("", paragraphs(text))]))
