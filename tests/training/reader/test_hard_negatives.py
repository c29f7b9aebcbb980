from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.metrics.official.squad import normalize
from xorqa.training.reader.hard_negatives import hard_negatives
from xorqa.training.reader.recipe import ReaderRecipe


@pytest.fixture
def questions(file: Path) -> list[SquadQuestion]:
    """How long each river is and which town it has, at two places; no two are asked the same."""
    return [
        replace(q, question=f"{q.qid}?")
        for q in read_squad(file)
        if q.question.startswith(("long", "town"))
    ]


def test_the_best_ranked_passages_that_do_not_answer(
    recipe: ReaderRecipe, questions: list[SquadQuestion], tmp_path: Path
) -> None:
    recipe = replace(recipe, hard_negatives=1.0)
    pairs = hard_negatives(questions, questions, recipe, tmp_path)
    assert [question for question, _ in pairs] == [q.question for q in questions]
    others = {(q.title, q.context) for q in questions}
    for question, (_, passage) in zip(questions, pairs, strict=True):
        assert (question.title, passage) in others  # the river's other place
        assert normalize(question.answers[0]) not in normalize(passage)


def test_an_answer_is_found_however_it_is_written(recipe: ReaderRecipe, tmp_path: Path) -> None:
    texts = ("The Volga is long.", "It is the volga; long, very long.", "A long, long road.")
    question, *rest = [
        SquadQuestion(str(at), "How long?", "", text, ("the Volga",), 0)
        for at, text in enumerate(texts)
    ]
    recipe = replace(recipe, hard_negatives=3.0)
    assert hard_negatives([question], [question, *rest], recipe, tmp_path) == [
        ("How long?", texts[2])
    ]


def test_who_asks_the_same_elsewhere_may_be_answered_there(
    recipe: ReaderRecipe, tmp_path: Path
) -> None:
    asked = [
        SquadQuestion(answer, "How long?", "", f"It is {answer} long.", (answer,), 6)
        for answer in ("1 km", "2 km")
    ]
    other = SquadQuestion("", "How far?", "", "It is long, long ago.", ("ago",), 0)
    recipe = replace(recipe, hard_negatives=2.0)
    assert (
        hard_negatives(asked, [*asked, other], recipe, tmp_path)
        == [("How long?", other.context)] * 2
    )


@pytest.mark.parametrize(("share", "number"), [(0.0, 0), (0.25, 8), (1.0, 32), (2.5, 80)])
def test_as_many_as_wanted(
    recipe: ReaderRecipe, questions: list[SquadQuestion], tmp_path: Path, share: float, number: int
) -> None:
    recipe = replace(recipe, hard_negatives=share, miner={"use": "bm25", "k1": 1.2})
    pairs = hard_negatives(questions, questions, recipe, tmp_path)
    assert len(set(pairs)) == len(pairs) == number
    assert (tmp_path / "negatives.jsonl").exists() is (number > 0)


def test_a_question_drawn_twice_gets_two(
    recipe: ReaderRecipe, questions: list[SquadQuestion], tmp_path: Path
) -> None:
    one = questions[0]
    recipe = replace(recipe, hard_negatives=1.0)
    pairs = hard_negatives([one, one], questions, recipe, tmp_path)
    assert len(set(pairs)) == 2


def test_mining_is_done_once(
    recipe: ReaderRecipe,
    questions: list[SquadQuestion],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = replace(recipe, hard_negatives=1.0)
    told: list[str] = []
    first = hard_negatives(questions, questions, recipe, tmp_path, report=told.append)
    assert told[-1] == "hard negatives: 0 of 32 questions"

    def fail(role: str, table: Mapping[str, Any], **given: Any) -> Any:
        raise AssertionError(role)

    monkeypatch.setattr("xorqa.training.reader.hard_negatives.build", fail)
    assert hard_negatives(questions, questions, recipe, tmp_path) == first


def test_an_unknown_miner_lists_those_there_are(
    recipe: ReaderRecipe, questions: list[SquadQuestion], tmp_path: Path
) -> None:
    recipe = replace(recipe, hard_negatives=1.0, miner="bm26")
    with pytest.raises(ConfigError, match="no retriever is called 'bm26'; there are: bm25"):
        hard_negatives(questions, questions, recipe, tmp_path)
