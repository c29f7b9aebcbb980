"""Decode token scores to character spans, which neither cut words nor carry stray punctuation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.text.patterns import compiled
from ..core.text.words import wakati
from ..core.types import Span

CONSIDERED = 20  # likeliest spans; 50 give the same results
MIN_SHARE = 0.5  # of the likeliest span's probability

# Marks, joiners, Thai's and Lao's am (letters to Unicode), vowels and finals of decomposed Hangul.
_JOINS = r"[\p{M}\u200c\u200d\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7ff]"
_BRACKETS = "()[]{}⟨⟩〈〉《》「」『』【】〔〕〖〗（）［］｛｝｢｣"
_CLOSERS = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
_OPENERS = dict(zip(_BRACKETS[1::2], _BRACKETS[::2], strict=True))
_QUOTES = "\"'`´“”„‟‘’‚‛«»‹›＂＇〝〞〟/"  # languages pair them differently: ”so”, „so“, »so«
_HYPHENS = "-\u2010\u2011\u2212\uff0d"
_ENDERS = ".!?…"  # also of abbreviations and of names
_SEPARATORS = f"{_ENDERS}{_HYPHENS},;:·•‒–—―،؛؟۔।॥、。・，．：；！？､｡･"
_WORD = rf"""(?x)(?:
    [[[\p{{Latin}}\p{{Cyrillic}}\p{{Greek}}]&&\p{{L}}]\p{{Nd}}\u00ad\u00b5\u02bb\u02bc]
    {_JOINS}*
    | (?<= \p{{Nd}}) [.,٫٬] (?= \p{{Nd}})
)+"""
_KANA = r"[\p{Hiragana}\p{Katakana}]"
_JAPANESE = r"[\p{Han}\p{Hiragana}\p{Katakana}ー]+"


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

    The best span is the one with the highest expected overlap, not the likeliest: where "Kemi",
    "river Kemi" and "the river Kemi" share the probability, a wrong answer may be likelier than
    each. Probabilities are normalised over all windows of the passage.

    Only spans that neither begin nor end inside a word are considered (`inside_words`); they are
    widened to whole characters (no orphaned vowel signs or joiners) and trimmed of white space
    and stray punctuation. The list is empty for a text without letters, digits and symbols, or
    whose words are all longer than `longest`.
    """
    filled = [window for window in windows if len(window.start)]
    if not filled:
        return []
    total = np.logaddexp.reduce(np.concatenate([window.start for window in filled]))
    total += np.logaddexp.reduce(np.concatenate([window.end for window in filled]))
    inside, (first, last) = inside_words(text), whole_offsets(text)
    legal = ~inside[first], ~inside[last]
    spans = [_token_spans(window, longest, *legal) for window in filled]
    starts, ends, scores = (np.concatenate(column) for column in zip(*spans, strict=True))
    best: list[ScoredSpan] = []
    while len(best) < top and scores.max(initial=-np.inf) > -np.inf:
        index = _highest_expected_f1(starts, ends, scores)
        span = trimmed(text, whole_characters(text, Span(int(starts[index]), int(ends[index]))))
        if span.end > span.start and all(not span.overlaps(other.span) for other in best):
            best.append(ScoredSpan(span, float(scores[index] - total)))
            scores[(starts < span.end) & (ends > span.start)] = -np.inf
        scores[index] = -np.inf
    return best


def whole_characters(text: str, span: Span) -> Span:
    """The span without white space at its ends, widened to whole characters."""
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and start > 0 and joins(text[start]):
        start -= 1
    while end < len(text) and end > start and joins(text[end]):
        end += 1
    return Span(start, end)


def _highest_expected_f1(
    starts: NDArray[np.int32], ends: NDArray[np.int32], scores: NDArray[np.float32]
) -> int:
    """The span with the highest expected F1 of characters over the `CONSIDERED` likeliest.

    Minimum Bayes risk decoding (Kumar and Byrne 2004), restricted to spans with at least
    `MIN_SHARE`; otherwise a span from one answer to another might win. Ties: the earlier.
    """
    likely = np.argsort(-scores, kind="stable")[:CONSIDERED]
    weights = np.exp(scores[likely] - scores.max())
    first, last = starts[likely], ends[likely]
    shared = np.minimum.outer(last, last) - np.maximum.outer(first, first)
    both = np.add.outer(last - first, last - first)
    f1 = 2 * shared.clip(0) / both.clip(1)
    expected = (f1 @ weights).round(6)
    expected[weights < MIN_SHARE] = -np.inf
    return int(likely[np.lexsort((last, first, -expected))[0]])


def _token_spans(
    window: TokenScores, longest: int, begins: NDArray[np.bool_], ends: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """Start, end and score of one window's runs of at most `longest` tokens.

    `begins` and `ends` are, for each offset of the text, whether a span may begin or end there.
    """
    count = len(window.start)
    legal = np.flatnonzero(begins[window.offsets[:, 0]])
    lengths = np.arange(min(longest, count))
    first, more = (axis.ravel() for axis in np.meshgrid(legal, lengths, indexing="ij"))
    last = first + more
    inside = last < count
    inside[inside] = ends[window.offsets[last[inside], 1]]
    first, last = first[inside], last[inside]
    scores = window.start[first] + window.end[last]
    return window.offsets[first, 0], window.offsets[last, 1], scores


def inside_words(text: str) -> NDArray[np.bool_]:
    """For each offset from 0 to `len(text)`, whether it is inside a word.

    A word is a run of Latin, Cyrillic or Greek letters, a number with its separators, or in
    Japanese (text with kana) a word of MeCab's. Elsewhere an answer may be part of a word: Korean
    words have particles, and for Chinese and Thai there is no training data on which to evaluate
    a segmenter.
    """
    inside = np.zeros(len(text) + 1, np.bool_)
    for match in compiled(_WORD).finditer(text):
        inside[match.start() + 1 : match.end()] = True
    if compiled(_KANA).search(text):
        inside |= _inside_japanese_words(text)
    return inside


def _inside_japanese_words(text: str) -> NDArray[np.bool_]:
    """As `inside_words`, for MeCab's words and only between Japanese characters."""
    inside = np.zeros(len(text) + 1, np.bool_)
    for match in compiled(_JAPANESE).finditer(text):
        inside[match.start() + 1 : match.end()] = True
    start = 0
    for word in wakati(text).split():
        start = text.find(word, start)
        if start < 0:  # MeCab reads some characters as others
            return np.zeros_like(inside)
        inside[[start, start + len(word)]] = False
        start += len(word)
    return inside


def whole_offsets(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each offset, the start and the end of the user-perceived character around it."""
    starts = np.arange(len(text) + 1)
    ends = starts.copy()
    for match in compiled(f"{_JOINS}+").finditer(text):
        starts[match.start() : match.end()] = max(match.start() - 1, 0)
        ends[match.start() : match.end()] = match.end()
    return starts, ends


def trimmed(text: str, span: Span) -> Span:
    """The span without white space and stray punctuation at its ends; it may become empty.

    Stray punctuation is a separator, or a bracket or quotation mark whose counterpart is outside
    the span. Punctuation that belongs to a word stays: "-40", ".NET", "D.C.", "Jr." before a
    lower-case letter.
    """
    start, end = span.start, span.end
    while start < end and _is_stray_first(text, start, end):
        start += 1
    while end > start and _is_stray_last(text, start, end):
        end -= 1
    again = Span(start, end)  # trimming may leave its counterpart stray
    return again if again == span else trimmed(text, again)


def joins(char: str) -> bool:
    """Whether a character belongs to the one before it: a mark, a joiner, a part of a syllable."""
    return compiled(_JOINS).match(char) is not None


def _is_stray_first(text: str, start: int, end: int) -> bool:
    """Whether the first character of a span is white space or stray punctuation."""
    char, after = text[start], text[start + 1 : start + 2]
    if after and joins(after):
        return False
    if char in _CLOSERS:
        return not _closes(text[start:end], char, _CLOSERS[char])
    if char in _QUOTES:
        return not any(_is_quote(text, index) for index in range(start + 1, end))
    if char in (*_HYPHENS, "."):
        before = text[start - 1 : start]
        return start + 1 == end or not after.isalnum() or before.isalnum() or before == char
    return char.isspace() or char in _SEPARATORS or char in _OPENERS


def _is_stray_last(text: str, start: int, end: int) -> bool:
    """Whether the last character of a span is white space or stray punctuation."""
    char, before, after = text[end - 1], text[max(start, end - 2) : end - 1], text[end : end + 1]
    if char in _OPENERS:
        return not _closes(text[start:end][::-1], char, _OPENERS[char])
    if char in _QUOTES:
        return not any(_is_quote(text, index) for index in range(start, end - 1))
    if char in _HYPHENS:
        return not before.isalpha() or after.isalnum() or after == char
    if char in _ENDERS and before.isalnum():
        return not _abbreviates(text[start:end], text[end:])
    return char.isspace() or char in _SEPARATORS or char in _CLOSERS


def _abbreviates(span_text: str, rest: str) -> bool:
    """Whether the sentence continues after a final full stop, or its word has another full stop."""
    following = rest.lstrip()[:1]
    inner = span_text.endswith(".") and "." in span_text.rsplit(maxsplit=1)[-1][1:-1]
    return inner or following.islower() or (bool(following) and following in ",;:")


def _closes(span_text: str, bracket: str, counterpart: str) -> bool:
    """Whether the bracket that begins a text is closed in it."""
    depth = 0
    for char in span_text:
        depth += (char == bracket) - (char == counterpart)
        if not depth:
            return True
    return False


def _is_quote(text: str, index: int) -> bool:
    """Whether the character is a quotation mark rather than an apostrophe within a word."""
    around = text[index - 1 : index], text[index + 1 : index + 2]
    return text[index] in _QUOTES and not (index and all(map(str.isalnum, around)))
