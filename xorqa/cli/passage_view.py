"""Show a passage around its span."""

from collections.abc import Iterable

from rich.cells import cell_len

from ..core.types import Span

LINES = 3
"""Of context on either side of the span, in a long passage."""

_ELLIPSIS = "…"


def around(text: str, span: Span, *, width: int) -> tuple[str, str, str]:
    """The text before the span, the span, and the text after it, on lines of `width` columns.

    A passage of more lines than the context and two for the span is shown in part, with ellipses.
    """
    before, within, after = text[: span.start], text[span.start : span.end], text[span.end :]
    if _fitting(text, width, 2 * LINES + 2) == len(text):
        return before, within, after
    return _end(before, width), within, _start(after, width)


def _end(text: str, width: int) -> str:
    """The last lines of a text, from the beginning of a word."""
    start = len(text) - _fitting(reversed(text), width, LINES)
    if not start:
        return text
    words = text[start:].split(maxsplit=1) if _in_word(text, start) else []
    kept = words[1] if len(words) > 1 and len(words[0]) < width else text[start:]
    return f"{_ELLIPSIS} {kept.lstrip()}"


def _start(text: str, width: int) -> str:
    """The first lines of a text, to the end of a word."""
    end = _fitting(text, width, LINES)
    if end == len(text):
        return text
    words = text[:end].rsplit(maxsplit=1) if _in_word(text, end) else []
    kept = text[:end]
    if len(words) > 1 and len(words[1]) < width:
        kept = kept[: -len(words[1])]
    return f"{kept.rstrip()} {_ELLIPSIS}"


def _in_word(text: str, at: int) -> bool:
    """Whether there is no white space on either side of a position inside the text."""
    return not any(map(str.isspace, text[max(at - 1, 0) : at + 1]))


def _fitting(chars: Iterable[str], width: int, lines: int) -> int:
    """The number of characters that fit into lines; wide ones take two columns."""
    columns = count = 0
    for char in chars:
        columns += width - columns % width if char == "\n" else cell_len(char)
        if columns > lines * width:
            break
        count += 1
    return count
