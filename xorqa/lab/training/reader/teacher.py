"""The teacher of a reader's distillation: what it says of English questions, stored once.

Hinton et al. 2015 ("Distilling the Knowledge in a Neural Network", section 2) match the softened
distributions of a teacher; here teacher and student read the same passage, and only the question
is in another language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.progress import Progress, silent
from ....core.types import Span
from ....io.squad_xor import SquadQuestion
from ....reading.features import Window, make_windows
from ....reading.pairs import QuestionPassage
from ..common.chunks import Arrays, compute_in_chunks
from .translated_questions import TranslatedQuestion
from .validation import ValidationReader
from .windows import TOKENIZED_TOGETHER, LabeledWindow, TeacherScores

CHUNK = 512  # pairs read between two files


@dataclass(frozen=True, slots=True)
class TeacherReading:
    """The teacher's scores in its best window of a passage, the window's tokens, and the span."""

    scores: TeacherScores
    ids: NDArray[np.int32]
    answer: Span | None


class Teacher(ValidationReader):
    """A reader whose logits are stored."""

    def read_all(
        self, pairs: Sequence[QuestionPassage], folder: Path, *, progress: Progress = silent
    ) -> dict[QuestionPassage, TeacherReading]:
        """Read each pair once; float16 logits stay in `folder`."""
        unique = sorted(set(pairs))
        settings = self.settings
        chunks = compute_in_chunks(
            unique,
            self._compute,
            folder=folder,
            depends_on={"teacher": self.adapter.sha, "max_tokens": settings.max_tokens},
            size=CHUNK,
            progress=progress,
        )
        readings = (reading for chunk in chunks for reading in _unpack(chunk))
        return dict(zip(unique, readings, strict=True))

    def _compute(self, pairs: Sequence[QuestionPassage]) -> Arrays:
        """The window of highest relevance of each pair."""
        rows = []
        for scored, (_, passage) in zip(self.score_windows(pairs), pairs, strict=True):
            window, logits = max(scored, key=lambda one: float(one[1][0, 2]))
            span = self._reading([(window, logits)], passage).best or Span(0, 0)
            inside = slice(window.context.start, window.context.end)
            rows.append((window.ids[inside], logits[inside, :2], logits[0, 2], span))
        ids, spans, relevance, answers = zip(*rows, strict=True)
        return {
            "tokens": np.array([len(row) for row in ids], np.int32),
            "ids": np.concatenate(ids).astype(np.int32),
            "spans": np.concatenate(spans).astype(np.float16),
            "relevance": np.array(relevance, np.float16),
            "answers": np.array([(span.start, span.end) for span in answers], np.int32),
        }


def _unpack(chunk: Arrays) -> list[TeacherReading]:
    ends = np.cumsum(chunk["tokens"])[:-1]
    columns = (
        np.split(chunk["ids"], ends),
        np.split(chunk["spans"], ends),
        chunk["relevance"],
        chunk["answers"],
    )
    return [
        TeacherReading(
            TeacherScores(spans, float(relevance)),
            ids,
            Span(int(answer[0]), int(answer[1])) if answer[1] else None,
        )
        for ids, spans, relevance, answer in zip(*columns, strict=True)
    ]


def distilled_windows(
    questions: Sequence[TranslatedQuestion],
    readings: Mapping[QuestionPassage, TeacherReading],
    tokenizer: Any,
    max_tokens: int,
) -> list[LabeledWindow]:
    """Each question before the tokens of its passage that the teacher read, with their scores."""
    windows = []
    for at in range(0, len(questions), TOKENIZED_TOGETHER):
        chunk = questions[at : at + TOKENIZED_TOGETHER]
        texts = [question.text for question in chunk]
        heads = make_windows(tokenizer, texts, [""] * len(texts), max_tokens=max_tokens)
        for question, head in zip(chunk, heads, strict=True):
            windows.append(_window(head.ids, readings[question.of_teacher], max_tokens))
    return windows


def _window(question: list[int], reading: TeacherReading, max_tokens: int) -> LabeledWindow:
    """The window of a question's ids, `<s> question </s> </s> </s>`, and the teacher's tokens.

    A question longer than its translation may leave no room for all of them; the teacher's best
    start stays.
    """
    *head, last = question
    spans = reading.scores.spans
    room = max(1, max_tokens - len(question))
    best = int(spans[:, 0].argmax())
    first = max(0, min(best - room // 2, len(spans) - room)) if best >= room else 0
    kept = slice(first, first + room)
    ids = [*head, *reading.ids[kept].tolist(), last]
    context = Span(len(head), len(ids) - 1)
    window = Window(0, ids, np.zeros((len(ids), 2), np.int32), context)
    return LabeledWindow(window, None, TeacherScores(spans[kept], reading.scores.relevance))


def agreement_questions(
    questions: Sequence[TranslatedQuestion],
    readings: Mapping[QuestionPassage, TeacherReading],
) -> list[SquadQuestion]:
    """Held-out questions with the teacher's best span as the answer, if it finds one likely."""
    answered = []
    for at, question in enumerate(questions):
        reading = readings[question.of_teacher]
        if reading.answer and reading.scores.relevance > 0:
            text = question.passage[reading.answer.start : reading.answer.end]
            answered.append(
                SquadQuestion(
                    f"{question.lang}-{at}",
                    question.text,
                    "",
                    question.passage,
                    (text,),
                    reading.answer,
                    lang=question.lang,
                )
            )
    return answered
