"""The reader by itself, given the passage that answers: MLQA's and XQuAD's task."""

from __future__ import annotations

from collections.abc import Sequence

from ..caching.store import Cache
from ..core.progress import Progress, silent
from ..core.types import Span
from ..io.squad_xor import SquadQuestion
from .decode import ScoredSpan
from .pairs import Reading
from .span import SpanReader


def read_pairs(
    reader: SpanReader,
    pairs: Sequence[tuple[str, str]],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[Reading]:
    """What the reader finds in each passage alone, for pairs of question and passage.

    What was read before comes from the cache, so a killed reading goes on where it was.
    """
    return cache.through(
        reader,
        pairs,
        reader.pairs.read,
        key=lambda pair: ("one passage", *pair),
        dump=lambda reading: [
            reading.passage_score,
            [(s.span.start, s.span.end, s.score) for s in reading.spans],
        ],
        load=lambda stored, _: Reading(
            stored[0], [ScoredSpan(Span(start, end), score) for start, end, score in stored[1]]
        ),
        progress=progress,
    )


def read_given(
    reader: SpanReader,
    questions: Sequence[SquadQuestion],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[str]:
    """The best span of each question's own context, or nothing where there is none."""
    pairs = [(question.question, question.context) for question in questions]
    spans = [reading.best for reading in read_pairs(reader, pairs, cache=cache, progress=progress)]
    return [
        question.context[span.start : span.end] if span else ""
        for question, span in zip(questions, spans, strict=True)
    ]
