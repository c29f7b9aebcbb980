"""Reading without retrieval, given the gold passage: the task of MLQA and XQuAD."""

from collections.abc import Sequence

from ...core.progress import Progress, silent
from ...core.types import Span
from ...io.cache import Cache
from ...reading.decode import ScoredSpan
from ...reading.pairs import QuestionPassage, Reading
from ...reading.span import SpanReader


def read_pairs(
    reader: SpanReader,
    pairs: Sequence[QuestionPassage],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[Reading]:
    """Read each passage by itself; an interrupted call resumes from the cache."""
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
    pairs: Sequence[QuestionPassage],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[str]:
    """The text of the best span of each passage, empty where there is none."""
    spans = [reading.best for reading in read_pairs(reader, pairs, cache=cache, progress=progress)]
    return [
        pair.passage[span.start : span.end] if span else ""
        for pair, span in zip(pairs, spans, strict=True)
    ]
