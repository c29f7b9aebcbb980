from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.training.distant.occurrences import occurrences
from xorqa.metrics.tasks.squad import normalize

WORDS = st.sampled_from(
    ["Nile", "the", "a", "long,", "(Rhine)", "6,650", "km.", "–", "Oulu", "U.S."]
)
TEXTS = st.lists(WORDS, max_size=12).map(" ".join)


def said(text: str, answer: str, question: str = "") -> list[str]:
    return [text[span.start : span.end] for span in occurrences(text, answer, question)]


@pytest.mark.parametrize(
    ("text", "answer", "wanted"),
    [
        ("It is 6,650 km long.", "6650 km", ["6,650 km"]),
        ("By the Nile, in Egypt", "nile", ["Nile"]),
        ("The Lord of the Rings.", "The lord of the rings", ["Lord of the Rings"]),
        ("from (1907), on", "1907", ["1907"]),
        ("the U.S. and US", "U.S.", ["U.S.", "US"]),
        ("In 1907-08", "1907", []),
        ("Niles and Nil", "Nile", []),
        ("Nile", "the", []),
        ("", "Nile", []),
    ],
)
def test_whole_words_are_found_with_their_characters(
    text: str, answer: str, wanted: list[str]
) -> None:
    assert said(text, answer) == wanted


def test_the_place_nearest_to_the_question_comes_first() -> None:
    text = "Ten days passed in May. Later, in May, the Nile floods the fields of Egypt."
    spans = occurrences(text, "May", "When does the Nile flood fields?")
    assert [span.start for span in spans] == [text.rindex("May"), text.index("May")]
    assert [span.start for span in occurrences(text, "May", "Who is it?")] == [
        text.index("May"),
        text.rindex("May"),
    ]


@given(TEXTS, TEXTS, TEXTS)
def test_what_is_found_is_the_answer_to_a_scorer(text: str, answer: str, question: str) -> None:
    found = said(text, answer, question)
    assert all(normalize(one) == normalize(answer) for one in found)
    wanted = f" {normalize(answer)} "
    assert bool(found) == (bool(wanted.strip()) and wanted in f" {normalize(text)} ")
