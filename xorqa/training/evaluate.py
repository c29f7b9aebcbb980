"""How well a reader reads when it is given the gold passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..cache import Cache
from ..formats import SquadQuestion, read_squad
from ..metrics.report import Report, Score, average
from ..metrics.squad import best, exact_match, f1
from ..reading.span import SpanReader


def evaluate_reader(
    reader: SpanReader,
    files: Sequence[Path],
    *,
    cache: Cache,
    progress: Callable[[str, int, int], None] = lambda name, done, total: None,
) -> Report:
    """SQuAD v1.1 F1 and exact match on SQuAD-style files, one row of the report a file.

    XTREME scores XQuAD and TyDi GoldP like this (Hu et al. 2020, section 3). A file is
    named after the last part of its stem: `xquad.ar.json` is "ar".
    """
    scores = []
    for file in files:
        name = file.stem.rsplit(".", 1)[-1]
        questions = list(read_squad(file))
        answers = cache.through(
            reader,
            questions,
            lambda some: _answers(reader, some),
            key=lambda question: ("gold passage", question.question, question.context),
            dump=str,
            load=lambda text, _: str(text),
            progress=lambda done, total, name=name: progress(name, done, total),  # type: ignore[misc]
        )
        for question, answer in zip(questions, answers, strict=True):
            values = {
                "f1": best(f1, answer, question.answers),
                "em": best(exact_match, answer, question.answers),
            }
            scores.append(Score(question.qid, name, values))
    return average(scores, task="reader", scorer="squad-v1.1")


def _answers(reader: SpanReader, questions: Sequence[SquadQuestion]) -> list[str]:
    readings = reader.pairs.read([(question.question, question.context) for question in questions])
    spans = [reading.spans[0].span if reading.spans else None for reading in readings]
    return [
        question.context[span.start : span.end] if span else ""
        for question, span in zip(questions, spans, strict=True)
    ]
