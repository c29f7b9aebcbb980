"""Features against values worked out by hand, in five languages."""

from dataclasses import replace

import pytest

from tests.lab.diagnosis.made_up import questions
from xorqa.lab.diagnosis.answer_types import answer_type
from xorqa.lab.diagnosis.facts import Outcome, QuestionFacts
from xorqa.lab.diagnosis.features import FEATURES

BY_HAND = {  # in the order of made_up.QUESTIONS: two each of en, ar, th, zh, ja
    "language": ["en", "en", "ar", "ar", "th", "th", "zh", "zh", "ja", "ja"],
    "script": ["Latn"] * 2 + ["Arab"] * 2 + ["Thai"] * 2 + ["Hans"] * 2 + ["Jpan"] * 2,
    "aLen": [2, 2, 1, 1, 1, 4, 2, 2, 2, 3],
    "qLen": [5, 5, 3, 3, 14, 12, 11, 7, 13, 11],
    "cLen": [9, 8, 4, 4, 13, 13, 8, 8, 13, 12],
    "BLEU-AQ": [0, 0, 0, 0, 0, 18.9959, 0, 0, 0, 0],
    "BLEU-QC": [
        *(19.3049, 50.8133, 31.9472, 31.9472, 59.5641),
        *(71.0299, 14.9911, 61.4788, 52.0552, 38.1634),
    ],
    "qType": ["how", "who", "when", "where", "when", "who", "when", "who", "when", "who"],
    "answer-type": [
        *("number", "person", "date", "place", "date"),
        *("person", "date", "person", "date", "person"),
    ],
    "answer-position": [12 / 41, 0, 14 / 19, 13 / 17, 15 / 19, 0, 5 / 11, 0, 2 / 16, 2 / 12],
    "overlap": [1, 1, 2 / 3, 2 / 3, 9 / 16, 9 / 12, 2 / 9, 4 / 5, 7 / 11, 4 / 9],
    "passage-language": ["the question's language"] * 10,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_values_are_those_worked_out_by_hand(name):
    of_question = FEATURES[name].of_question
    values = [of_question(question) for question in questions()]
    if isinstance(BY_HAND[name][0], str):
        assert values == BY_HAND[name]
    else:
        assert values == pytest.approx(BY_HAND[name], abs=1e-4)


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("What year was the bridge built?", "in the spring after the flood of 1901", "date"),
        ("What was destroyed?", "18 bridges", "number"),
        ("What began?", "June 3, 1901", "date"),
        ("What ended?", "the early 1990s", "date"),
        ("What followed?", "the 12th century", "date"),
        ("What did it cost?", "$1999", "number"),
        ("How many people live there?", "1901", "number"),
        ("When did the war end?", "after the siege", "date"),
        ("Whose bridge is it?", "Anna's", "person"),
        ("Which city has a bridge?", "Turku", "place"),
        ("Why was it built?", "for trade", "other"),
    ],
)
def test_types_of_english_answers(question, answer, kind):
    assert answer_type(QuestionFacts("q", "en", question, (answer,), "en")) == kind


@pytest.mark.parametrize(
    ("lang", "answer", "kind"),
    [
        ("fi", "3. tammikuuta 1901", "date"),
        ("ar", "١٩٠١", "date"),
        ("ko", "1901년", "date"),
        ("th", "๑๒ คน", "number"),
        ("fi", "Turku", None),
    ],
)
def test_without_english_only_dates_and_numbers_are_known(lang, answer, kind):
    assert answer_type(QuestionFacts("q", lang, "?", (answer,), lang)) == kind


def test_unknown_values_are_none():
    bare = QuestionFacts("q", "xx", "", (), "")
    known = {name for name, row in FEATURES.items() if row.of_question and row.of_question(bare)}
    assert known == {"language"}


def test_features_of_systems():
    [rank, chrf] = FEATURES["gold-rank"].of_outcome, FEATURES["chrF"].of_outcome
    question = questions()[2]
    assert rank(question, Outcome(None, gold_rank=7)) == 7
    assert rank(question, Outcome(None)) is None
    assert chrf(question, Outcome(None, translation=question.english)) == 100
    assert chrf(question, Outcome(None, translation="bridge")) < 50
    assert chrf(question, Outcome(None)) is None
    machine = replace(question, translation=question.english)
    assert chrf(machine, Outcome(None)) == 100


def test_where_a_question_is_answered():
    value = FEATURES["answered-in"].of_question
    question = questions()[2]
    values = [
        value(replace(question, answered_in=corpus)) for corpus in ("target", "en", "nowhere", None)
    ]
    assert values == ["in-language", "cross-lingual", None, None]
