"""Whether a quotation occurs in its passage, and where.

Both are compared after the same normalisation, and nothing else is forgiven: Unicode's NFKC (width
and composition), runs of white space as one blank, one form of each quotation mark, apostrophe and
dash, and no invisible characters. Quotation marks, ellipses and blanks around a quotation are
dropped. Case, accents and punctuation count.
"""

import unicodedata
from collections.abc import Iterator

from ...core.types import Span

_FORMS = {
    **dict.fromkeys("“”„‟«»「」『』《》〈〉＂", '"'),
    **dict.fromkeys("‘’‚‛‹›ʼ`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_AROUND = " \"'.…"


def find_quotation(quote: str, text: str) -> Span | None:
    """The first place of a quotation in a text; None if it does not occur, or is empty."""
    wanted = "".join(part for part, _ in _normalised(quote)).strip(" \"'")
    if wanted.startswith(("...", "…")) or wanted.endswith(("...", "…")):
        wanted = wanted.strip(_AROUND)
    if not any(map(str.isalnum, wanted)):
        return None
    parts = list(_normalised(text))
    joined = "".join(part for part, _ in parts)
    at = joined.find(wanted)
    if at < 0:
        return None
    places = [span for part, span in parts for _ in part]
    return Span(places[at].start, places[at + len(wanted) - 1].end)


def _normalised(text: str) -> Iterator[tuple[str, Span]]:
    """Pieces of the normalised text, each with its place in the text."""
    blank = False
    for span in _clusters(text):
        for char in unicodedata.normalize("NFKC", text[span.start : span.end]):
            if char.isspace():
                if not blank:
                    yield " ", span
                blank = True
            elif unicodedata.category(char) != "Cf":
                blank = False
                yield _FORMS.get(char, char), span


def _clusters(text: str) -> Iterator[Span]:
    """Each character with the combining characters after it, which NFKC may compose."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not _composes(text[at]):
            yield Span(start, at)
            start = at


def _composes(char: str) -> bool:
    """Whether a character may be composed with the one before it: a mark, or a Hangul jamo."""
    return unicodedata.combining(char) != 0 or "\u1160" <= char <= "\u11ff" or char in "ﾞﾟ"
