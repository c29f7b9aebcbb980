"""Normal forms for comparing texts, and visible control characters; scorers add their own rules."""

import re
import unicodedata

from .patterns import compiled

_INVISIBLE = re.compile(
    r"\r(?!\n)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def fold(text: str) -> str:
    """The text without differences of case, width, composition and invisible characters.

    Unicode's NFKC, case folded; soft hyphens, joiners and direction marks are dropped.
    """
    visible = compiled(r"\p{Cf}").sub("", unicodedata.normalize("NFKC", text))
    return unicodedata.normalize("NFKC", visible.casefold())


def strip_accents(text: str) -> str:
    """The text decomposed (NFKD), without combining marks."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def ascii_digits(text: str) -> str:
    """The text with ASCII digits for the decimal digits of every script."""
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def readable(name: str) -> str:
    """A file's name with U+FFFD for bytes that are not UTF-8."""
    return name.encode(errors="surrogateescape").decode(errors="replace")


def visible(text: str) -> str:
    r"""Escape control characters, bidi overrides and lone surrogates, as `\u001b`.

    Tabs and line ends stay. The escapes are JSON's, so JSON stays JSON.
    """
    return _INVISIBLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
