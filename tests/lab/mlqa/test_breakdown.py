from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.mlqa.breakdown import (
    ANSWER_LENGTHS,
    ANSWER_TYPES,
    DIFFICULTIES,
    QUESTION_WORDS,
    answer_length,
    answer_type,
    break_down,
    difficulties,
    mean_lengths,
    question_word,
)
from xorqa.metrics.report import Score


def row(question: str, answer: str = "x", qid: str = "1", context: str = "") -> SquadQuestion:
    return SquadQuestion(qid, question, "", context, (answer, "another"), Span(0, len(answer)))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What's the name?", "what"),
        ("In which year did it end, and who won?", "which"),
        ("By whom was it built?", "who"),
        ("WHOSE idea was it?", "who"),
        ("How far is it?", "how"),
        ("How many were there?", "how many/much"),
        ("About how much does it cost?", "how many/much"),
        ("Whatever the weather, name a river.", "other"),
        ("Is this somewhere?", "other"),
        ("", "other"),
    ],
)
def test_the_first_question_word_counts(question: str, word: str) -> None:
    assert question_word(question) == word


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("Who won in 1990?", "Super Bowl 50", "date or number"),
        ("When did it begin?", "early March", "date or number"),
        ("How many?", "Twenty-five", "date or number"),
        ("How much?", "½ a pint", "date or number"),
        ("How many?", "seventeen or eighteen", "date or number"),
        ("When did it begin?", "in spring, it may be said", "other"),
        ("What remains?", "freight and weighty bones", "other"),
        ("Who won?", "Denver", "person"),
        ("Whose place is it?", "Turing's", "person"),
        ("Where is it?", "on the moon", "place"),
        ("In what cities was it shown?", "Oulu", "place"),
        ("Warsaw lies in which county?", "Masovia", "place"),
        ("What is the capital?", "Oulu", "other"),
        ("Which statement is true?", "none", "other"),
    ],
)
def test_answer_types(question: str, answer: str, kind: str) -> None:
    assert answer_type(row(question, answer)) == kind


@pytest.mark.parametrize(
    ("answer", "length"),
    [
        ("Oulu", "1 word"),
        ("23 June", "2 words"),
        ("on 23 June", "3 words"),
        ("w " * 4, "4 or 5"),
        ("w " * 5, "4 or 5"),
        ("w " * 6, "6 to 10"),
        ("w " * 10, "6 to 10"),
        ("w " * 11, "over 10 words"),
    ],
)
def test_answer_lengths(answer: str, length: str) -> None:
    assert answer_length(row("What?", answer)) == length


@given(st.text(), st.text(), st.floats(0, 1))
def test_everything_has_a_group(question: str, answer: str, f1: float) -> None:
    assert question_word(question) in QUESTION_WORDS
    assert answer_type(row(question, answer)) in ANSWER_TYPES
    assert answer_length(row(question, answer)) in ANSWER_LENGTHS
    assert {*difficulties(f1)} <= {*DIFFICULTIES}


def score(qid: str, lang: str, f1: float) -> Score:
    return Score(qid, lang, {"f1": f1, "em": float(f1 == 1)})


def test_other_languages_are_grouped_by_the_english_question() -> None:
    english = {
        "1": row("Who wrote it?", "Austen"),
        "2": row("Who sang it?", "Callas"),
        "3": row("Where is it?", "Oulu"),
    }
    scores = [
        score("1", "en", 1),
        score("2", "en", 0.5),
        score("3", "en", 0),
        score("1", "fi", 0.5),
        score("2", "fi", 0),
        score("3", "fi", 1),
        score("9", "fi", 1),
    ]
    breakdowns = break_down("mlqa", scores, english)
    means = {
        name: {
            group: {lang: m["f1"] for lang, m in r.per_lang.items()} for group, r in groups.items()
        }
        for name, groups in breakdowns.items()
    }
    assert means == {
        "question word": {"where": {"en": 0, "fi": 100}, "who": {"en": 75, "fi": 25}},
        "answer type": {"person": {"en": 75, "fi": 25}, "place": {"en": 0, "fi": 100}},
        "answer length": {"1 word": {"en": 50, "fi": 50}},
        "English answer": {
            "F1 = 1": {"en": 100, "fi": 50},
            "0 < F1 < 1": {"en": 50, "fi": 0},
            "F1 > 0": {"en": 75, "fi": 25},
            "F1 = 0": {"en": 0, "fi": 100},
        },
    }
    assert breakdowns["question word"]["who"].n == {"en": 2, "fi": 2}


def test_how_many_is_how_too() -> None:
    english = {"1": row("How many were there?", "two"), "2": row("How is it?", "good")}
    scores = [score("1", "en", 1), score("2", "en", 0)]
    groups = break_down("mlqa", scores, english)["question word"]
    assert {name: report.n["en"] for name, report in groups.items()} == {
        "how": 2,
        "how many/much": 1,
    }


def test_an_answer_with_several_entity_types_is_in_several_groups() -> None:
    english = {"1": row("Who?", "Austen"), "2": row("When?", "in 1813")}
    scores = [score("1", "en", 1), score("2", "en", 0), score("2", "fi", 0.5)]
    entities = {"1": {"any entity", "PERSON"}, "2": {"any entity", "PERSON", "DATE", "temporal"}}
    groups = break_down("mlqa", scores, english, entities)["entity type"]
    assert {
        group: {lang: means["f1"] for lang, means in report.per_lang.items()}
        for group, report in groups.items()
    } == {
        "any entity": {"en": 50, "fi": 50},
        "temporal": {"en": 0, "fi": 50},
        "PERSON": {"en": 50, "fi": 50},
        "DATE": {"en": 0, "fi": 50},
    }
    assert groups["PERSON"].n == {"en": 2, "fi": 1}


def test_lengths_in_characters_words_and_tokens() -> None:
    def tokenizer(texts: list[str], **_: Any) -> dict[str, list[list[str]]]:
        return {"input_ids": [text.split("o") for text in texts]}

    rows = [row("Who?", "me", context="a b c"), row("Why so?", "no no", context="a b c d")]
    assert mean_lengths(rows, tokenizer, lang="en") == {
        "characters": {"context": 6, "question": 5.5, "answer": 3.5},
        "words": {"context": 3.5, "question": 1.5, "answer": 1.5},
        "tokens": {"context": 1, "question": 2, "answer": 2},
    }
