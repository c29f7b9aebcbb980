import dataclasses
import math

import pytest

import xorqa
from xorqa.core import types
from xorqa.core.types import Candidate, Example, Gold, Passage, Question, Span

RECORDS = [cls for cls in vars(types).values() if dataclasses.is_dataclass(cls)]


def test_the_nouns_are_all_there_and_exported():
    names = {
        "Question",
        "Query",
        "Passage",
        "Hit",
        "Span",
        "Candidate",
        "Answer",
        "Gold",
        "Example",
        "Trace",
    }
    assert {cls.__name__ for cls in RECORDS} == names
    assert set(xorqa.__all__) == names | {"XorqaError"}


@pytest.mark.parametrize("cls", RECORDS)
def test_records_are_frozen_and_slotted(cls):
    record = cls(*[None] * len(dataclasses.fields(cls)))
    first = dataclasses.fields(cls)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, first, "x")
    assert not hasattr(record, "__dict__")
    assert record == cls(*[None] * len(dataclasses.fields(cls)))


def test_a_score_is_the_log_of_both_probabilities():
    candidate = Candidate(
        "Oulu",
        "en",
        "en",
        "d1",
        Span(3, 7),
        span_score=math.log(0.5),
        passage_score=math.log(0.2),
        margin=1.0,
        retrieval_score=9.0,
        retrieval_rank=0,
    )
    assert math.exp(candidate.score) == pytest.approx(0.1)


def test_an_index_sees_title_and_text():
    assert Passage("d1", "In Oulu.", "Oulu").titled == "Oulu\nIn Oulu."
    assert Passage("d1", "In Oulu.").titled == "In Oulu."


def test_the_answers_of_one_language_keep_their_order():
    golds = (Gold("b", "fi"), Gold("x", "en"), Gold("a", "fi"))
    example = Example(Question("q", "Missä?", "fi"), golds)
    assert example.answers("fi") == ("b", "a")
    assert example.answers("en") == ("x",)
    assert example.answers("ja") == ()
