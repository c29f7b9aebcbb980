"""Project an answer span from a translation into the original text.

Lewis et al. 2020, section 4, Equation 1, over texts that were translated sentence by sentence.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...core.text.sentences import split_sentences
from ...core.text.words import word_spans
from ...core.types import Span
from ..common.sentences import join_sentences
from ..common.spans import overlapping
from .alignment import Links, SegmentedText

SentencePair = tuple[SegmentedText, SegmentedText]
"""A sentence and its translation."""


def best_span(links: Links, answer: Container[int]) -> Span | None:
    """The source words aligned with the target words `answer`: Equation 1 of Lewis et al. 2020.

    Recall is the weight of the answer's links that lead into the span, precision the weight of
    the span's links that lead to the answer; the span with the highest F1 is returned (ties: the
    shortest, then the first), or None if nothing is linked to `answer`. Only spans that begin and
    end at words linked to the answer are tried, since the best span always does.
    """
    size = 1 + max((source for source, _ in links), default=-1)
    columns, shared = [0.0] * size, [0.0] * size
    for (source, target), weight in links.items():
        columns[source] += weight
        shared[source] += weight if target in answer else 0.0
    all_sums, answer_sums = [0.0, *accumulate(columns)], [0.0, *accumulate(shared)]
    edges = [word for word in range(size) if shared[word] > 0]

    def f1(span: Span) -> float:  # of recall overlap / answer_sums[-1], precision overlap / weight
        overlap = answer_sums[span.end] - answer_sums[span.start]
        weight = all_sums[span.end] - all_sums[span.start]
        return 2 * overlap / (answer_sums[-1] + weight)

    spans = (Span(start, end + 1) for start in edges for end in edges if end >= start)
    return max(spans, key=lambda s: (f1(s), s.start - s.end, -s.start), default=None)


@dataclass(frozen=True, slots=True)
class ParallelText:
    """A text and its translation, with the spans of their sentences."""

    source: str
    source_sentences: Sequence[Span]
    target: str
    target_sentences: Sequence[Span]

    def pair(self, number: int) -> SentencePair:
        """A sentence and its translation."""
        return (
            _segmented(self.source, self.source_sentences[number]),
            _segmented(self.target, self.target_sentences[number]),
        )


def parallel_text(
    text: str, translations: Mapping[str, str], *, lang: str, to: str
) -> ParallelText:
    """A text in `lang`, and its sentences' translations, joined as sentences in `to` are."""
    spans = split_sentences(text, lang)
    target, target_spans = join_sentences(
        [translations[_substring(text, span)] for span in spans], lang=to
    )
    return ParallelText(text, spans, target, target_spans)


def parallel_texts(source: str, target: str, *, lang: str, to: str) -> ParallelText:
    """A text and its given translation; each is one sentence if their numbers differ."""
    spans = [split_sentences(text, code) for text, code in ((source, lang), (target, to))]
    if len(spans[0]) != len(spans[1]):
        spans = [[Span(0, len(source))], [Span(0, len(target))]]
    return ParallelText(source, spans[0], target, spans[1])


@dataclass(frozen=True, slots=True)
class Projection:
    """A span of a translation, to be projected into the original."""

    texts: ParallelText
    span: Span

    @property
    def sentences(self) -> list[int]:
        """The numbers of the sentences that the span overlaps."""
        return overlapping(self.texts.target_sentences, self.span)

    @property
    def pairs(self) -> list[SentencePair]:
        """The sentence pairs to align."""
        return [self.texts.pair(number) for number in self.sentences]

    def project(self, links: Mapping[SentencePair, Links]) -> str:
        """The aligned substring of the original; empty if nothing is linked to the span."""
        source_words: list[Span] = []
        target_words: list[Span] = []
        joint: dict[tuple[int, int], float] = {}
        for number, (source, target) in zip(self.sentences, self.pairs, strict=True):
            i0, j0 = len(source_words), len(target_words)
            weights = links[source, target].items()
            joint |= {(i0 + i, j0 + j): weight for (i, j), weight in weights}
            source_words += _shifted(source.words, self.texts.source_sentences[number].start)
            target_words += _shifted(target.words, self.texts.target_sentences[number].start)
        best = best_span(joint, {*overlapping(target_words, self.span)})
        if best is None:
            return ""
        return self.texts.source[source_words[best.start].start : source_words[best.end - 1].end]


def _substring(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _segmented(text: str, span: Span) -> SegmentedText:
    sentence = _substring(text, span)
    return SegmentedText(sentence, tuple(word_spans(sentence)))


def _shifted(spans: Iterable[Span], offset: int) -> list[Span]:
    return [Span(span.start + offset, span.end + offset) for span in spans]
