"""Answers as rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.candidates import candidate
from xorqa.answering.choosing.features import FEATURES
from xorqa.core.types import Answer, Example, Gold, Question
from xorqa.lab.common.saved_run import open_run
from xorqa.lab.training.chooser.rows import FOLDS, best_f1, collect_rows

GOLDS = (Gold("8 May 1980", "en"), Gold("1980년 5월 8일", "ko"), Gold("1980년", "ko"))
EXAMPLE = Example(Question("q", "?", "ko"), GOLDS)


def answer(found: str, lang: str, shown: str | None = None) -> Answer:
    source = candidate(found, lang, route=lang, span_score=-1.0, passage_score=-1.0)
    return Answer(shown or found, "ko" if shown else lang, -2.0, "", source)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (answer("1980년 5월 8일", "ko"), 1),
        (answer("1980년 5월", "ko"), 0.8),
        (answer("1990년 1월", "ko"), 0),
        (answer("8 May 1980", "en"), 1),  # right, though nobody could say it in Korean
        (answer("the 8 May 1980", "en"), 1),
        (answer("May 1980", "en"), 0.8),
        (answer("1980", "en", "1980년"), 1),
        (answer("8 May 1980", "en", "5월"), 1),
        (answer("1980년", "en"), 1),
        (answer("8 May 1980", "sv"), 0),  # found in neither language
        (Answer("1980년", "ko", -1.0, "translated"), 1),
    ],
)
def test_how_right_an_answer_is(given: Answer, expected: float) -> None:
    assert best_f1(EXAMPLE, given) == pytest.approx(expected)


def test_a_question_with_english_golds_only() -> None:
    example = Example(EXAMPLE.question, GOLDS[:1])
    assert best_f1(example, answer("8 May 1980", "en")) == 1
    assert best_f1(example, answer("1980년 5월 8일", "ko")) == 0


def test_the_answers_of_a_run(saved_mini: Path) -> None:
    run = open_run(saved_mini)
    rows = collect_rows([run, run])
    assert rows.x.shape == (2 * 72 * 6, len(FEATURES))
    assert (
        len(rows.target) == len(rows.weight) == len(rows.question) == len(rows.fold) == len(rows.x)
    )
    assert set(rows.fold.tolist()) == set(range(FOLDS))
    by_split: dict[str, float] = {}
    by_passage: dict[str, set[int]] = {}
    for at, owner in enumerate(rows.question.tolist()):
        example = rows.examples[owner]
        by_split[example.answered_in] = by_split.get(example.answered_in, 0.0) + rows.weight[at]
        by_passage.setdefault(str(example.golds[0].docid or example.golds[-1].docid), set())
        docid = next(gold.docid for gold in example.golds if gold.docid)
        by_passage.setdefault(docid, set()).add(int(rows.fold[at]))
    assert by_split["en"] == pytest.approx(by_split["target"])
    assert all(len(folds) <= 1 for folds in by_passage.values())
    assert np.isclose(rows.weight.mean(), 1)


def test_no_run() -> None:
    assert collect_rows([]).x.shape == (0, len(FEATURES))
