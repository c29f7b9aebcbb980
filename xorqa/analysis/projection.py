"""A span of a translation, found in the text that was translated.

Lewis et al. 2020, section 4.2, Equation 1, over texts that were translated sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ..core.types import Span
from ..datasets.segments import join, overlapping, words
from ..datasets.sentences import breaks
from ..models.alignment import Links, SegmentedText

Pair = tuple[SegmentedText, SegmentedText]
"""A sentence and its translation."""


def best_span(links: Links, answer: Container[int]) -> Span | None:
    """The source words that say the target words `answer`: Equation 1 of Lewis et al. 2020.

    Recall is the share of the answer's links (by weight) that lead into the span, precision the
    share of the span's links that lead to the answer; the span of the highest F1 wins (ties: the
    shortest, then the first). None if nothing is linked to `answer`. All spans are compared, but
    only those tried that begin and end at words linked to the answer, as a best one does.
    """
    size = 1 + max((source for source, _ in links), default=-1)
    columns, shared = [0.0] * size, [0.0] * size
    for (source, target), weight in links.items():
        columns[source] += weight
        shared[source] += weight if target in answer else 0.0
    mass, hits = [0.0, *accumulate(columns)], [0.0, *accumulate(shared)]
    edges = [at for at in range(size) if shared[at] > 0]

    def f1(span: Span) -> float:  # recall is found / hits[-1], precision found / own
        found, own = hits[span.end] - hits[span.start], mass[span.end] - mass[span.start]
        return 2 * found / (hits[-1] + own)

    spans = (Span(start, end + 1) for start in edges for end in edges if end >= start)
    return max(spans, key=lambda s: (f1(s), s.start - s.end, -s.start), default=None)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A text and its translation, and where the sentences stand in both."""

    source: str
    sources: Sequence[Span]
    target: str
    targets: Sequence[Span]

    def pair(self, at: int) -> Pair:
        """Sentence `at` in both languages."""
        return _worded(self.source, self.sources[at]), _worded(self.target, self.targets[at])


def side_by_side(text: str, translations: Mapping[str, str], *, lang: str, to: str) -> SideBySide:
    """A text in `lang` and the translations of its sentences, put together as `to` does."""
    spans = breaks(text, lang)
    target, places = join([translations[_cut(text, span)] for span in spans], lang=to)
    return SideBySide(text, spans, target, places)


@dataclass(frozen=True, slots=True)
class Projection:
    """A span of a translation, to be found in its source."""

    both: SideBySide
    span: Span

    @property
    def places(self) -> list[int]:
        """The sentences it reaches into."""
        return overlapping(self.both.targets, self.span)

    @property
    def pairs(self) -> list[Pair]:
        """What must be aligned."""
        return [self.both.pair(at) for at in self.places]

    def made(self, links: Mapping[Pair, Links]) -> str:
        """The part of the source that says it; empty if nothing is linked to it."""
        sources: list[Span] = []
        targets: list[Span] = []
        joint: dict[tuple[int, int], float] = {}
        for at, pair in zip(self.places, self.pairs, strict=True):
            first, second = len(sources), len(targets)
            joint |= {(first + i, second + j): weight for (i, j), weight in links[pair].items()}
            sources += _moved(pair[0].words, self.both.sources[at].start)
            targets += _moved(pair[1].words, self.both.targets[at].start)
        best = best_span(joint, {*overlapping(targets, self.span)})
        if best is None:
            return ""
        return self.both.source[sources[best.start].start : sources[best.end - 1].end]


def _cut(text: str, span: Span) -> str:
    return text[span.start : span.end]


def _worded(text: str, span: Span) -> SegmentedText:
    piece = _cut(text, span)
    return SegmentedText(piece, tuple(words(piece)))


def _moved(spans: Iterable[Span], by: int) -> list[Span]:
    return [Span(span.start + by, span.end + by) for span in spans]
