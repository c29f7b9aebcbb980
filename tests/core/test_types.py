import dataclasses
import math

import pytest

import xorqa
from tests.candidates import candidate
from xorqa.core import types
from xorqa.core.types import (
    Answer,
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Question,
    Span,
    Trace,
)

PASSAGE = Passage("d1", "In Oulu.", "Oulu")
RECORDS = [cls for cls in vars(types).values() if dataclasses.is_dataclass(cls)]


def test_all_records_are_exported():
    names = {
        "Question",
        "Query",
        "Passage",
        "Hit",
        "Span",
        "Candidate",
        "CandidateScores",
        "Citation",
        "Generated",
        "Answer",
        "Gold",
        "Example",
        "Trace",
    }
    assert {cls.__name__ for cls in RECORDS} == names | {
        "ReadingFailure",
        "RouteResult",
        "TranslationFailure",
    }
    assert set(xorqa.__all__) >= names | {"XorqaError"}


@pytest.mark.parametrize("cls", RECORDS)
def test_records_are_frozen_and_slotted(cls):
    record = cls(*[None] * len(dataclasses.fields(cls)))
    first = dataclasses.fields(cls)[0].name
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, first, "x")
    assert not hasattr(record, "__dict__")
    assert record == cls(*[None] * len(dataclasses.fields(cls)))


def test_a_candidate_is_ranked_by_the_probability_of_its_passage():
    scores = CandidateScores(span=math.log(0.5), passage=math.log(0.2))
    candidate = Candidate(Hit(PASSAGE, 9.0), 0, Span(3, 7), scores)
    assert math.exp(candidate.score) == pytest.approx(0.2)
    assert math.exp(scores.joint) == pytest.approx(0.1)


def test_a_candidate_is_a_span_of_its_hits_passage():
    candidate = Candidate(Hit(PASSAGE, 9.0), 0, Span(3, 7), CandidateScores(-1.0, -1.0))
    assert (candidate.text, candidate.lang, candidate.docid) == ("Oulu", "en", "d1")


def test_the_evidence_is_the_passage_of_the_answers_source():
    question = Question("q", "Missä?", "fi")
    source = Candidate(Hit(PASSAGE, 9.0), 0, Span(3, 7), CandidateScores(-1.0, -1.0))
    answer = Answer("Oulu", "fi", -2.0, "span", source)
    assert Trace(question, {}, (source,), answer).evidence is PASSAGE
    assert Trace(question, {}, (), None).evidence is None
    assert Trace(question, {}, (), Answer("", "fi", -9.0, "none")).evidence is None


def test_an_index_sees_title_and_text():
    assert Passage("d1", "In Oulu.", "Oulu").titled == "Oulu\nIn Oulu."
    assert Passage("d1", "In Oulu.").titled == "In Oulu."


def test_the_answers_of_one_language_keep_their_order():
    golds = (Gold("b", "fi"), Gold("x", "en"), Gold("a", "fi"))
    example = Example(Question("q", "Missä?", "fi"), golds)
    assert example.answers("fi") == ("b", "a")
    assert example.answers("en") == ("x",)
    assert example.answers("ja") == ()


@pytest.mark.parametrize(
    ("text", "source", "original", "shown"),
    [
        ("에두아르 발라뒤르", "Édouard Balladur", "Édouard Balladur", None),
        ("1896", "1896", None, "1896"),
        ("Nokia", None, None, "Nokia"),
    ],
)
def test_an_answer_knows_its_original(
    text: str, source: str | None, original: str | None, shown: str | None
) -> None:
    answer = Answer(text, "ko", -1.0, "transliterated", candidate(source) if source else None)
    assert answer.original == original
    assert answer.with_original == (shown or "에두아르 발라뒤르 (Édouard Balladur)")
    assert answer.text == text  # what is scored
