import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.types import Span
from xorqa.io.squad_xor import SquadQuestion, read_squad
from xorqa.lab.mlqa.squad_comparison import (
    FIRST_WORDS,
    SQUAD,
    SQUAD_SINGLE,
    first_word,
    first_word_shares,
    single_answer,
    squad_reports,
)

SQUAD_DEV = Path(__file__).parents[3].parent / "shared" / "data" / "squad" / "dev-v1.1.json"


def row(qid: str, question: str, *answers: str) -> SquadQuestion:
    return SquadQuestion(qid, question, "", "", answers, Span(0, 1))


@pytest.mark.parametrize(
    ("answers", "chosen"),
    [
        (("Nile",), "Nile"),
        (("the Nile", "Nile", "Nile"), "Nile"),
        (("Nile", "Nile", "Nile river"), "Nile"),
        (("blue", "the long blue Nile", "the blue Nile"), "the blue Nile"),  # 0.5+0.8 > 0.5+0.4
        (("one two", "one three", "four"), "one two"),  # of equals the first
        (("a b", "a b c", "a b", "a b c"), "a b"),
        (("c d e f", "x", "c d e f", "x", "c d e"), "c d e f"),  # two of each: nearer to the rest
    ],
)
def test_the_majority_answer_or_the_one_nearest_to_the_others(
    answers: tuple[str, ...], chosen: str
) -> None:
    assert single_answer(answers) == chosen


@given(st.lists(st.text("ab ", min_size=1), min_size=1, max_size=5))
def test_the_single_answer_is_one_of_the_most_frequent(answers: list[str]) -> None:
    chosen = single_answer(answers)
    assert answers.count(chosen) == max(map(answers.count, answers))


def test_scores_with_all_answers_and_with_one() -> None:
    squad = {
        "1": row("1", "Which river?", "the Nile", "Nile", "the river"),
        "2": row("2", "Which town?", "Cairo", "Cairo", "Giza"),
    }
    reports = squad_reports("squad", squad, {"1": "river", "2": "Giza"})
    assert {name: report.per_lang["en"] for name, report in reports.items()} == {
        SQUAD: {"f1": 100, "em": 100},
        SQUAD_SINGLE: {"f1": 0, "em": 0},
    }
    assert reports[SQUAD].n == {"en": 2}


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What's the name?", "what"),
        ("  HOW long?", "how"),
        ("Whose idea was it?", "who"),
        ("In which year?", "in"),
        ("The town is what?", "the"),
        ("By whom was it built?", "other"),
        ("Whatever?", "other"),
        ("?", "other"),
    ],
)
def test_questions_by_their_first_word(question: str, word: str) -> None:
    assert first_word(question) == word


def test_shares_of_first_words() -> None:
    shares = first_word_shares(
        [row("1", "Who?", "x"), row("2", "Why?", "x"), row("3", "Who?", "x")]
    )
    assert tuple(shares) == FIRST_WORDS
    assert shares["who"] == pytest.approx(200 / 3)
    assert shares["what"] == 0
    assert sum(shares.values()) == pytest.approx(100)


@pytest.mark.skipif(not SQUAD_DEV.is_file(), reason="needs ../shared")
def test_squads_questions_begin_as_in_the_papers_figure() -> None:
    shares = first_word_shares(read_squad(SQUAD_DEV))
    order = sorted(FIRST_WORDS[:-1], key=lambda word: -shares[word])
    assert (order[0], set(order[1:3])) == ("what", {"how", "who"})
    assert shares["what"] > 40


@pytest.mark.skipif(not SQUAD_DEV.is_file(), reason="needs ../shared")
def test_annotators_of_squad_agree_about_as_often_as_those_of_mlqa() -> None:
    data = json.loads(SQUAD_DEV.read_text(encoding="utf-8"))["data"]
    answers = [
        [answer["text"] for answer in qa["answers"]]
        for article in data
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]
    agreed = sum(row.count(single_answer(row)) > 1 for row in answers)
    assert agreed / len(answers) == pytest.approx(0.88, abs=0.02)  # MLQA's, section 2.2
