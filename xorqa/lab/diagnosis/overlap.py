"""How much of a text's wording another text shares: BLEU without brevity penalty, and words."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import exp, log

from ...core.text.search_tokens import tokens
from ...core.text.words import word_spans

MAX_ORDER = 4
_CACHED = 4096  # consecutive questions share a passage


def bleu_precision(text: str, reference: str) -> float | None:
    """BLEU (0 to 100) of a text against a reference, without brevity penalty; None if one is empty.

    The geometric mean of the precisions of 1- to 4-grams, or of as many orders as the text has
    words, smoothed as by sacreBLEU (`exp`). A brevity penalty would compare the lengths of texts
    that differ by nature, such as an answer and its question. Words are those of `word_spans`,
    lower-cased.
    """
    words, counts = _words(text), _ngrams(reference)
    if not words or not counts[0]:
        return None
    logs, smooth = [], 1.0
    for order in range(1, min(MAX_ORDER, len(words)) + 1):
        grams = Counter(_grams(words, order))
        shared = (grams & counts[order - 1]).total()
        if order == 1 and not shared:
            return 0.0
        if not shared:
            smooth *= 2
        logs.append(log((shared or 1 / smooth) / grams.total()))
    return 100 * exp(sum(logs) / len(logs))


def word_overlap(text: str, lang: str, reference: str, reference_lang: str) -> float | None:
    """The share (0 to 1) of a text's distinct search tokens in a reference; None without tokens."""
    distinct = frozenset(tokens(text, lang))
    if not distinct or not reference:
        return None
    return len(distinct & _token_set(reference, reference_lang)) / len(distinct)


def _words(text: str) -> list[str]:
    return [text[span.start : span.end].lower() for span in word_spans(text)]


def _grams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + order]) for start in range(len(words) - order + 1)]


@lru_cache(maxsize=_CACHED)
def _ngrams(text: str) -> list[Counter[tuple[str, ...]]]:
    words = _words(text)
    return [Counter(_grams(words, order)) for order in range(1, MAX_ORDER + 1)]


@lru_cache(maxsize=_CACHED)
def _token_set(text: str, lang: str) -> frozenset[str]:
    return frozenset(tokens(text, lang))
