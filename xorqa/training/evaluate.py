"""What a reader answers when it is given the gold passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..cache import Cache
from ..formats import SquadQuestion
from ..reading.span import SpanReader


def answer(
    reader: SpanReader,
    questions: Sequence[SquadQuestion],
    *,
    cache: Cache,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, str]:
    """The reader's best span of each question's own passage, by qid; empty if there is none."""
    answers = cache.through(
        reader,
        questions,
        lambda some: _answers(reader, some),
        key=lambda question: ("gold passage", question.question, question.context),
        dump=str,
        load=lambda text, _: str(text),
        progress=progress,
    )
    return {question.qid: text for question, text in zip(questions, answers, strict=True)}


def _answers(reader: SpanReader, questions: Sequence[SquadQuestion]) -> list[str]:
    readings = reader.pairs.read([(question.question, question.context) for question in questions])
    spans = [reading.spans[0].span if reading.spans else None for reading in readings]
    return [
        question.context[span.start : span.end] if span else ""
        for question, span in zip(questions, spans, strict=True)
    ]
