"""The reader by itself, given the passage that answers: MLQA's and XQuAD's task."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..cache import Cache
from ..formats import SquadQuestion
from .span import SpanReader


def read_given(
    reader: SpanReader,
    questions: Sequence[SquadQuestion],
    *,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[str]:
    """The best span of each question's own context, or nothing where there is none.

    What was read before comes from the cache, so a killed reading goes on where it was.
    """
    return cache.through(
        reader,
        questions,
        lambda some: _spans(reader, some),
        key=lambda question: ("gold passage", question.question, question.context),
        dump=str,
        load=lambda text, _: str(text),
        progress=progress,
    )


def _spans(reader: SpanReader, questions: Sequence[SquadQuestion]) -> list[str]:
    readings = reader.pairs.read([(question.question, question.context) for question in questions])
    spans = [reading.spans[0].span if reading.spans else None for reading in readings]
    return [
        question.context[span.start : span.end] if span else ""
        for question, span in zip(questions, spans, strict=True)
    ]
