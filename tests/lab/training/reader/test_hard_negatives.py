import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.progress import Log, silent
from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.training.reader.samples import mine_hard_negatives, retriever_maker
from xorqa.metrics.tasks.squad import normalize
from xorqa.reading.pairs import QuestionPassage


def mine(
    selected: list[SquadQuestion],
    questions: list[SquadQuestion],
    folder: Path,
    *,
    per_question: float = 1.0,
    miner: Any = "bm25",
    report: Log = silent,
) -> list[QuestionPassage]:
    return mine_hard_negatives(
        selected,
        questions,
        per_question=per_question,
        make_retriever=retriever_maker(miner),
        rng=random.Random(1),
        folder=folder,
        report=report,
    )


@pytest.fixture
def questions(file: Path) -> list[SquadQuestion]:
    """How long each river is and which town it has, at two places; no two are asked the same."""
    return [
        replace(q, question=f"{q.qid}?")
        for q in read_squad(file)
        if q.question.startswith(("long", "town"))
    ]


def test_the_best_ranked_passages_that_do_not_answer(
    questions: list[SquadQuestion], tmp_path: Path
) -> None:
    pairs = mine(questions, questions, tmp_path)
    assert [question for question, _ in pairs] == [q.question for q in questions]
    others = {(q.title, q.context) for q in questions}
    for question, (_, passage) in zip(questions, pairs, strict=True):
        assert (question.title, passage) in others  # the river's other place
        assert normalize(question.answers[0]) not in normalize(passage)


def test_an_answer_is_found_however_it_is_written(tmp_path: Path) -> None:
    texts = ("The Volga is long.", "It is the volga; long, very long.", "A long, long road.")
    question, *rest = [
        SquadQuestion(str(at), "How long?", "", text, ("the Volga",), Span(0, 9))
        for at, text in enumerate(texts)
    ]
    found = mine([question], [question, *rest], tmp_path, per_question=3.0)
    assert found == [("How long?", texts[2])]


def test_who_asks_the_same_elsewhere_may_be_answered_there(tmp_path: Path) -> None:
    asked = [
        SquadQuestion(answer, "How long?", "", f"It is {answer} long.", (answer,), Span(6, 10))
        for answer in ("1 km", "2 km")
    ]
    other = SquadQuestion("", "How far?", "", "It is long, long ago.", ("ago",), Span(17, 20))
    found = mine(asked, [*asked, other], tmp_path, per_question=2.0)
    assert found == [("How long?", other.context)] * 2


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.25, 8), (1.0, 32), (2.5, 80)])
def test_as_many_as_wanted(
    questions: list[SquadQuestion], tmp_path: Path, share: float, number: int
) -> None:
    miner = {"use": "bm25", "k1": 1.2}
    pairs = mine(questions, questions, tmp_path, per_question=share, miner=miner)
    assert len(set(pairs)) == len(pairs) == number
    assert (tmp_path / "negatives.jsonl").exists() is (number > 0)


def test_a_question_drawn_twice_gets_two(questions: list[SquadQuestion], tmp_path: Path) -> None:
    one = questions[0]
    pairs = mine([one, one], questions, tmp_path)
    assert len(set(pairs)) == 2


def test_mining_is_done_once(
    questions: list[SquadQuestion],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    first = mine(questions, questions, tmp_path, report=told.append)
    assert told[-1] == "hard negatives: 0 of 32 questions"

    def fail(role: str, table: Mapping[str, Any], **given: Any) -> Any:
        raise AssertionError(role)

    monkeypatch.setattr("xorqa.lab.training.reader.samples.build", fail)
    assert mine(questions, questions, tmp_path) == first


def test_an_unknown_miner_lists_those_there_are(
    questions: list[SquadQuestion], tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'; valid: bm25"):
        mine(questions, questions, tmp_path, miner="bm26")
