"""Find a marked answer in its passage by its text; offsets are only a hint.

Tools count characters differently (JavaScript's offsets shift after an emoji), and editors change
white space, so the quoted text decides.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ...core.types import Span


@dataclass(frozen=True, slots=True)
class Anchored:
    """The span of an answer; `moved`: not where the offset was, `guessed`: one of several."""

    span: Span
    moved: bool = False
    guessed: bool = False


def anchor(text: str, quote: str, start: str, sentence: Sequence[int] = ()) -> Anchored | None:
    """The span of a quoted answer in a text, None if the text does not contain it.

    With an offset (in code points or UTF-16 units), it is the occurrence at it, or else the nearest
    one, which has `moved`. Without, it is the first within the characters of `sentence`, or else
    the first.
    """
    spans = occurrences(text, quote)
    if not spans:
        return None
    if start:
        offset = int(start) if re.fullmatch(r"[0-9]{1,9}", start) else -1
        for exact in (offset, utf16_to_characters(text, offset)):
            if exact_spans := [span for span in spans if span.start == exact]:
                return Anchored(exact_spans[0])
        return Anchored(min(spans, key=lambda span: abs(span.start - offset)), moved=True)
    inside = [span for span in spans if within(span, sentence)] or spans
    return Anchored(inside[0], guessed=len(inside) > 1)


def within(span: Span, sentence: Sequence[int]) -> bool:
    """Whether a span is inside a sentence; true without a sentence."""
    return not sentence or (sentence[0] <= span.start and span.end <= sentence[1])


def occurrences(text: str, quote: str) -> list[Span]:
    """The spans of a quote in a text, up to white space and composed characters.

    An occurrence that cuts a number ("7" in "1957") does not count.
    """
    for form in dict.fromkeys([quote, *(unicodedata.normalize(f, quote) for f in ("NFC", "NFD"))]):
        words = form.split()
        if not words:
            return []
        pattern = r"\s+".join(map(re.escape, words))
        before = r"(?<!\d)(?<!\d[.,])" if form[:1].isdigit() else ""
        after = r"(?!\d)(?![.,]\d)" if form[-1:].isdigit() else ""
        if spans := [Span(*m.span()) for m in re.finditer(before + pattern + after, text)]:
            return spans
    return []


def utf16_to_characters(text: str, offset: int) -> int:
    """The offset in characters of an offset in UTF-16 code units, -1 if there is none."""
    if offset < 0 or all(char <= "\uffff" for char in text):
        return offset
    data = text.encode("utf-16-le", errors="surrogatepass")[: 2 * offset]
    try:
        return len(data.decode("utf-16-le"))
    except UnicodeDecodeError:  # within a character
        return -1
