"""The bundled reader on a finished data set, for lesson 10, and how sure its scores are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xorqa.io.squad_xor import read_squad
from xorqa.lab.lareqa.data import SHIPPED
from xorqa.metrics.report import Reference
from xorqa.metrics.tasks.mlqa import score_mlqa

from .bundled_reader import read
from .show import Page, table

POOL = SHIPPED["mini"]
"""The folder of the bundled pool: 24 questions a language, in files like a data set's."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, its gold answer and the reader's; `f1` and `em` in percent, by MLQA's scorer."""

    question: str
    gold: str
    predicted: str
    f1: float
    em: float


def answer_file(folder: Path | str, lang: str) -> list[Answered]:
    """Read each question of `LANG.json` in its own paragraph, and score the answers."""
    rows = list(read_squad(Path(folder) / f"{lang}.json"))
    readings = read([(row.question, row.context) for row in rows])
    predictions = {}
    for row, reading in zip(rows, readings, strict=True):
        span = reading.best
        predictions[row.qid] = row.context[span.start : span.end] if span else ""
    scores = score_mlqa([Reference(row.qid, lang, row.answers) for row in rows], predictions)
    return [
        Answered(
            row.question,
            row.answers[0],
            predictions[row.qid],
            *(100 * score.values[name] for name in ("f1", "em")),
        )
        for row, score in zip(rows, scores, strict=True)
    ]


def answer_table(title: str, rows: Sequence[Answered]) -> Page:
    """Questions with both answers and the scores."""
    cells = [(r.question, r.gold, r.predicted, f"{r.f1:.0f}", f"{r.em:.0f}") for r in rows]
    return table(title, ("question", "gold", "reader", "F1", "EM"), cells, labels=3)
