"""Token scores to character spans that can be shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..types import Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A span with log P(start) + log P(end), both over the whole passage."""

    span: Span
    score: float


@dataclass(frozen=True, slots=True)
class TokenScores:
    """One window's context tokens: `offsets` (tokens, 2) characters, `start` and `end` logits."""

    offsets: NDArray[np.int32]
    start: NDArray[np.float32]
    end: NDArray[np.float32]


def best_spans(
    windows: Sequence[TokenScores], text: str, *, top: int = 2, longest: int = 30
) -> list[ScoredSpan]:
    """The `top` best spans of at most `longest` tokens that do not overlap, best first.

    Probabilities are normalised over all windows of the passage. Spans are trimmed of white
    space and widened to whole characters (no orphaned vowel signs or joiners).
    """
    filled = [window for window in windows if len(window.start)]
    if not filled:
        return []
    start_total = np.logaddexp.reduce(np.concatenate([window.start for window in filled]))
    end_total = np.logaddexp.reduce(np.concatenate([window.end for window in filled]))
    found: list[ScoredSpan] = []
    for window in filled:
        for first, last, score in _token_spans(window, longest, 8 * top):
            raw = Span(int(window.offsets[first, 0]), int(window.offsets[last, 1]))
            span = whole_characters(text, raw)
            if span.end > span.start:
                found.append(ScoredSpan(span, float(score - start_total - end_total)))
    found.sort(key=lambda scored: (-scored.score, scored.span.start, scored.span.end))
    kept: list[ScoredSpan] = []
    for scored in found:
        if len(kept) < top and all(not _overlap(scored.span, other.span) for other in kept):
            kept.append(scored)
    return kept


def whole_characters(text: str, span: Span) -> Span:
    """The span without white space at its ends and with every combining mark it began."""
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and start > 0 and _joins(text[start]):
        start -= 1
    while end < len(text) and end > start and _joins(text[end]):
        end += 1
    return Span(start, end)


def _token_spans(window: TokenScores, longest: int, top: int) -> list[tuple[int, int, float]]:
    """The `top` best (first token, last token, score) of one window."""
    count = len(window.start)
    width = min(longest, count)
    last = np.arange(count)[:, None] + np.arange(width)[None, :]  # (first, length - 1)
    scores = np.where(
        last < count, window.start[:, None] + window.end[np.minimum(last, count - 1)], -np.inf
    ).ravel()
    best = np.argpartition(-scores, min(top, scores.size) - 1)[:top]
    return [(int(at // width), int(at // width + at % width), float(scores[at]))
            for at in best if np.isfinite(scores[at])]  # fmt: skip


def _joins(char: str) -> bool:
    return unicodedata.category(char).startswith("M") or char in _JOINERS


def _overlap(a: Span, b: Span) -> bool:
    return a.start < b.end and b.start < a.end
