import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.bench import first_day_questions
from xorqa.lab.bench.first_day import grid, judge
from xorqa.lab.bench.first_day_questions import LabelledQuestion, first_day


def row(lang: str, number: int) -> SquadQuestion:
    """A question of an article of its own, answered by its paragraph only."""
    answer = f"{lang}{number:04d}x"
    text = f"This paragraph is about {answer}."
    start = text.index(answer)
    span = Span(start, start + len(answer))
    return SquadQuestion(f"{lang}{number}", "What?", f"{lang} {number}", text, (answer,), span)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[SquadQuestion]]:
    rows = {lang: [row(lang, number) for number in range(400)] for lang in ("en", "ja", "ko")}
    monkeypatch.setattr(first_day_questions, "training_rows", lambda folder: rows)
    return rows


def test_questions_are_with_and_without_their_paragraph(
    rows: dict[str, list[SquadQuestion]], tmp_path: Path
) -> None:
    passages, questions = first_day(tmp_path, passages=300, questions=4)
    assert (passages, questions) == first_day(tmp_path, passages=300, questions=4)
    assert len(passages) == 300
    assert len({passage.docid for passage in passages}) == 300
    texts = "\n".join(passage.text for passage in passages)
    assert [question.answerable for question in questions] == [True] * 4 + [False] * 4
    for question in questions:
        assert all((answer in texts) is question.answerable for answer in question.answers)
    assert [question.lang for question in questions[:4]] == ["en", "en", "ja", "ko"]


def test_too_few_questions_is_one_line(
    rows: dict[str, list[SquadQuestion]], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="ask fewer questions"):
        first_day(tmp_path, passages=300, questions=300)


def test_answers_are_judged() -> None:
    questions = [
        LabelledQuestion("Who?", "en", ("Ada Lovelace",), True),
        LabelledQuestion("Who?", "en", ("Ada Lovelace",), True),
        LabelledQuestion("Who?", "en", ("Ada Lovelace",), True),
        LabelledQuestion("Who?", "en", ("Ada Lovelace",), False),
        LabelledQuestion("Who?", "en", ("Ada Lovelace",), False),
    ]
    right: dict[str, Any] = {"answer": {"text": "Lady Ada Lovelace", "original": ""}}
    wrong: dict[str, Any] = {"answer": {"text": "Alan Turing", "original": ""}}
    refused: dict[str, Any] = {"answer": None}
    counts = judge(questions, [right, wrong, refused, refused, wrong])
    assert counts == {"right": 1, "not_found": 1, "refused": 1}
    figures = {
        "cpu": "a processor",
        "passages": 3000,
        "questions": 3,
        "first_output_s": 0.5,
        "first_progress_s": None,
        "first_answer_s": 100.0,
        "between_answers_s": 1.25,
        "interrupt_s": 0.2,
        "encoded_again": 17,
        **counts,
    }
    [cells] = grid(json.loads(json.dumps(figures))).rows
    assert ("first progress bar", "-") in cells
    assert ("right answers", "1 of 3") in cells
