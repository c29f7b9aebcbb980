"""A reader's no-answer threshold: fitted on held-out articles, kept beside the weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from xorqa.answering.choosing.rule import RuleChooser
from xorqa.core.errors import DataError, WeightsError
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.recipe import SquadSource
from xorqa.lab.training.common.training_data import is_held_out, stream
from xorqa.lab.training.reader.no_answer import (
    best_threshold,
    fit_no_answer,
    highest_relevance,
    retrieved_negatives,
)
from xorqa.models.adapters import card_path, no_answer_threshold, open_adapter
from xorqa.reading.pairs import QuestionPassage, Reading


class WordReader:
    """Finds a passage relevant with the probability that its last word is."""

    def read(self, pairs: list[QuestionPassage]) -> list[Reading]:
        return [Reading(float(np.log(float(text.split()[-1]))), []) for _, text, *_ in pairs]


@pytest.fixture
def weights(tiny_adapter: Path, tmp_path: Path) -> Path:
    """A random reader with a name of its own."""
    return Path(shutil.copy(tiny_adapter, tmp_path / "mine.safetensors"))


def source(file: Path, held_out: float = 0.5) -> SquadSource:
    return SquadSource((str(file),), held_out=held_out, first_offsets=True)


def test_the_threshold_is_where_most_questions_are_judged_right() -> None:
    present, absent = np.array([0.9, 0.8, 0.7, 0.2]), np.array([0.1, 0.3, 0.4, 0.75])
    assert best_threshold(present, absent) == pytest.approx((0.4 + 0.7) / 2)
    assert best_threshold(np.array([0.5]), np.array([0.5])) == 0.0


def test_the_gold_passage_takes_the_place_of_the_last(file: Path) -> None:
    [question, *_] = read_squad(file)
    gold = question.__class__(
        question.qid, question.question, "t", "gold 0.5", question.answers, question.span
    )
    for texts, wanted in (
        (["a 0.1", "b 0.9"], (0.5, 0.9)),
        (["a 0.7", "b 0.2"], (0.7, 0.7)),
        (["a 0.6"], (0.5, 0.6)),
    ):
        present, absent = highest_relevance(WordReader(), [gold], {gold.question: texts})  # type: ignore[arg-type]
        assert (present[0], absent[0]) == pytest.approx(wanted)


def test_negatives_lack_the_answer_and_fill_the_list(file: Path) -> None:
    questions = [q for q in read_squad(file) if q.question.startswith("town")]
    found = retrieved_negatives(questions, questions, passages=3, rng=stream(1, "no answer"))
    assert set(found) == {q.question for q in questions}
    for question in questions:
        texts = found[question.question]
        assert len(set(texts)) == 3
        assert not any(question.answers[0] in text for text in texts)
    many = retrieved_negatives(questions, questions, passages=99, rng=stream(1, "no answer"))
    assert many == {}


def test_a_fit_is_kept_beside_the_weights_with_how_it_was_made(file: Path, weights: Path) -> None:
    with pytest.raises(WeightsError, match="xorqa train no-answer"):
        no_answer_threshold(str(weights))
    path = fit_no_answer(str(weights), source(file), questions=6, passages=2)
    assert path == card_path(weights) == weights.with_name("mine.card.json")
    made = json.loads(path.read_text())["no_answer"]
    assert made["files"] == ["train.json"] and made["seed"] == 1 and made["passages"] == 2
    assert 0 < made["questions"] <= 6
    assert 0 <= made["answered"] <= 1 and 0 <= made["refused"] <= 1
    assert made["answered"] + made["refused"] >= 1  # as good as no threshold, or better
    assert no_answer_threshold(str(weights)) == made["threshold"]
    assert open_adapter(str(weights)).card == {"steps": 0, "no_answer": made}
    assert RuleChooser(prefer="target", no_answer=str(weights)).threshold == made["threshold"]
    first = path.read_bytes()
    assert fit_no_answer(str(weights), source(file), questions=6, passages=2).read_bytes() == first


def test_only_held_out_articles_are_used(
    file: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(
        "xorqa.lab.training.reader.no_answer.retrieved_negatives",
        lambda sample, questions, **_: seen.extend([*sample, *questions]) or {},
    )
    with pytest.raises(DataError, match="no held-out question has 5 passages"):
        fit_no_answer(str(weights), source(file, 0.5))
    assert seen
    assert all(is_held_out(question, 0.5) for question in seen)


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ("[1]", "has no table 'no_answer'"),
        ("{}", "has no table 'no_answer'"),
        ('{"no_answer": {"threshold": 0.5}}', "does not hold a no-answer threshold"),
    ],
)
def test_a_damaged_card(weights: Path, card: str, message: str) -> None:
    card_path(weights).write_text(card)
    with pytest.raises(WeightsError, match=message):
        no_answer_threshold(str(weights))


def test_a_threshold_of_other_weights_or_out_of_range_is_refused(file: Path, weights: Path) -> None:
    path = fit_no_answer(str(weights), source(file), questions=4, passages=2)
    made = json.loads(path.read_text())
    for change, message in (
        ({"adapter_sha": "0" * 16}, "was fitted to other weights"),
        ({"threshold": 1.5}, "must be from 0 to 1"),
    ):
        path.write_text(json.dumps({"no_answer": made["no_answer"] | change}))
        with pytest.raises(WeightsError, match=message):
            no_answer_threshold(str(weights))


@pytest.mark.parametrize("name", ["reader-multi", "reader-questions"])
def test_the_shipped_readers_were_fitted_on_training_data(name: str) -> None:
    made = open_adapter(name, task="reader").card["no_answer"]
    assert made["files"] == ["squad/train-v1.1.json"]
    assert made["held_out"] == 0.05
    assert made["questions"] >= 100
    assert made["answered"] + made["refused"] > 1.4
