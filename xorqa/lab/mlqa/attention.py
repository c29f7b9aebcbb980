"""Word alignment by a translator's cross-attention (Lewis et al. 2020, section 4, Equation 1).

The paper does not say which heads and layers: the mean of all is taken, of the position that
predicts a token of the translation. The weight between two words is the sum over their tokens, so
that sums over spans are the paper's.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from ...core.text.words import overlapping
from ...core.types import Span
from ...io.files import digest
from ...translation.seq2seq import CrossAttention, Seq2SeqTranslator
from .alignment import Links, SegmentedText

UNKNOWN = "\N{REPLACEMENT CHARACTER}"

_MARKS = ("▁", "</w>", "@@")


class AttentionAligner:
    """Aligns the words of texts in `lang` with those of given translations into `to`."""

    version = 1

    def __init__(self, translator: Seq2SeqTranslator, *, lang: str, to: str) -> None:
        self.translator, self.lang, self.to = translator, lang, to

    def fingerprint(self) -> str:
        """A hash of the translator and the languages."""
        return digest("attention", self.translator.fingerprint(), self.lang, self.to)

    def links(self, pairs: Sequence[tuple[SegmentedText, SegmentedText]]) -> list[Links]:
        """The attention between the words of each pair of a text and its translation, in order."""
        if not pairs:
            return []
        texts = [(source.text, target.text) for source, target in pairs]
        attention = self.translator.cross_attention(texts, lang=self.lang, to=self.to)
        return [word_weights(*pair, row) for pair, row in zip(pairs, attention, strict=True)]


def word_weights(source: SegmentedText, target: SegmentedText, attention: CrossAttention) -> Links:
    """Token weights, summed by words; a token counts for each word that it overlaps."""
    columns = _words(source, attention.source)
    weights: defaultdict[tuple[int, int], float] = defaultdict(float)
    for row, targets in zip(attention.weights, _words(target, attention.target), strict=True):
        for value, sources in zip(row if targets else (), columns, strict=False):
            for i in sources:
                for j in targets:
                    weights[i, j] += float(value)
    return dict(weights)


def token_spans(tokens: Sequence[str], text: str) -> list[Span | None]:
    """Where tokens of a vocabulary stand in the text, whose tokenizer keeps no offsets.

    Characters are compared without case, blanks and differences of compatibility; unknown tokens
    cover what is left between the others. None for tokens that are not of the text.
    """
    of_tokens = [(char, at) for at, token in enumerate(tokens) for char in _characters(token)]
    of_text = [(char, at) for at, raw in enumerate(text) for char in _folded(raw)]
    a, b = ([char for char, _ in chars] for chars in (of_tokens, of_text))
    spans: list[Span | None] = [None] * len(tokens)
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag not in ("equal", "replace"):
            continue
        for i in range(i1, i2):
            first, last = (j1 + i - i1, j1 + i - i1) if tag == "equal" else (j1, j2 - 1)
            token, start, end = of_tokens[i][1], of_text[first][1], of_text[last][1] + 1
            known = spans[token] or Span(start, end)
            spans[token] = Span(min(known.start, start), max(known.end, end))
    return spans


def _words(side: SegmentedText, tokens: Sequence[str]) -> list[list[int]]:
    """The words that each token overlaps."""
    spans = token_spans(tokens, side.text)
    return [overlapping(side.words, span) if span else [] for span in spans]


def _characters(token: str) -> Iterator[str]:
    if token in ("<unk>", "[UNK]"):
        return iter(UNKNOWN)
    for mark in _MARKS:
        token = token.replace(mark, "")
    return _folded(token)


def _folded(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return (char for char in folded if not char.isspace())
