"""What speaks for an answer."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.candidates import candidate
from xorqa.answering.choosing.features import FEATURES, answer_type, features
from xorqa.core.types import Answer, Question

QUESTION = Question("q", "?", "ko")


def answer(
    text: str,
    lang: str = "ko",
    docid: str = "d",
    said: str | None = None,
    method: str = "",
    **more: Any,
) -> Answer:
    """An answer found in `lang`; `said` is what a rule made of it in Korean."""
    given: dict[str, Any] = {
        "span_score": -0.5,
        "passage_score": math.log(0.5),
        "margin": 1.0,
        "retrieval_score": 1.0,
        "rank": 0,
    }
    route = "target" if lang == "ko" else "eng"
    source = candidate(text, lang, docid=docid, route=route, **(given | more))
    if said is not None:
        return Answer(said, "ko", source.score, method or "rule:number", source)
    return Answer(text, lang, source.score, "span" if lang == "ko" else "copied", source)


def row(answers: list[Answer], position: int = 0) -> dict[str, float]:
    return dict(zip(FEATURES, features(QUESTION, answers)[position], strict=True))


def test_one_answer_alone() -> None:
    values = row([answer("베르디")])
    assert values == pytest.approx(
        {
            "relevance": 0,
            "span": -0.5,
            "margin": 1,
            "retrieval": 1,
            "rank": 0,
            "lead": 0,
            "same language": 0,
            "other language": 0,
            "sounds": 0,
            "in target language": 1,
            "target relevance": 0,
            "rule": 0,
            "copied": 0,
            "date": 0,
            "number": 0,
            "name": 0,
        }
    )
    assert features(QUESTION, []).shape == (0, len(FEATURES))


def test_where_it_was_found_and_how_it_was_made() -> None:
    copied, ruled = row([answer("Verdi", "en")]), row([answer("1896", "en", said="1896")])
    names = ("in target language", "copied", "rule", "date", "name")
    assert [copied[name] for name in names] == [0, 1, 0, 0, 1]
    assert [ruled[name] for name in names] == [0, 0, 1, 1, 0]


def test_retrieval_is_placed_within_the_route() -> None:
    answers = [
        answer("a", docid="1", retrieval_score=30.0),
        answer("b", docid="2", retrieval_score=20.0, rank=1),
        answer("c", docid="3", retrieval_score=10.0, rank=2),
        answer("d", "en", docid="4", retrieval_score=0.9),
    ]
    assert features(QUESTION, answers)[:, FEATURES.index("retrieval")].tolist() == [1, 0.5, 0, 1]
    assert row(answers, 1)["rank"] == pytest.approx(math.log(2))


def test_scores_without_end_are_cut() -> None:
    values = row([answer("a", span_score=-math.inf, passage_score=-math.inf, margin=math.inf)])
    assert (values["span"], values["relevance"], values["margin"]) == (-10, -10, 10)
    assert row([answer("a", passage_score=0.0, margin=None)])["relevance"] == 10


def test_lead_is_over_the_other_language() -> None:
    own, english = answer("a", passage_score=-0.1), answer("b", "en", passage_score=-2.0)
    assert row([own, english])["lead"] == -row([own, english], 1)["lead"] > 0
    assert row([own, answer("c", passage_score=-9.0)])["lead"] == 0


def test_the_same_words_from_another_passage_support() -> None:
    p = math.exp(answer("x").source.scores.joint)
    answers = [answer("베르디", docid="1"), answer("베르디", docid="2"), answer("헨델", docid="3")]
    assert row(answers)["same language"] == pytest.approx(p)
    assert row(answers, 2)["same language"] == 0
    more = [*answers, answer("베르디", docid="4")]
    assert row(more)["same language"] == pytest.approx(1 - (1 - p) ** 2)
    in_part = [answer("주세페 베르디", docid="1"), answer("베르디", docid="2")]
    assert row(in_part)["same language"] == pytest.approx(p * 2 / 3)


def test_the_same_passage_does_not_support() -> None:
    assert row([answer("베르디"), answer("베르디")])["same language"] == 0
    twice = [answer("베르디", docid="1"), answer("베르디", docid="2"), answer("베르디", docid="2")]
    assert row(twice)["same language"] == row(twice[:2])["same language"]


def test_agreement_counts_across_languages() -> None:
    dates = [
        answer("1980년 5월 8일"),
        answer("8 May 1980", "en", "e", "1980년 5월 8일", "rule:date"),
    ]
    for position in (0, 1):
        assert row(dates, position)["other language"] > 0.2
        assert row(dates, position)["same language"] == row(dates, position)["sounds"] == 0
    names = [
        answer("주세페 베르디"),
        answer("Giuseppe Verdi", "en", "e"),
        answer("헨델", docid="f"),
    ]
    assert row(names)["sounds"] == row(names, 1)["sounds"] > 0.2
    assert row(names, 2)["sounds"] == 0


def test_digits_of_any_script_are_the_same() -> None:
    question = Question("q", "?", "ar")
    arabic = candidate("١٨٩٦", "ar", docid="1", route="target", passage_score=-1.0)
    english = candidate("1896", docid="2", route="eng", passage_score=-1.0)
    rows = features(
        question,
        [Answer("١٨٩٦", "ar", -1, "span", arabic), Answer("1896", "en", -1, "copied", english)],
    )
    assert (rows[:, FEATURES.index("other language")] > 0).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1896년", "date"),
        ("8 May 1980", "date"),
        ("٢٠٠٤", "date"),
        ("6650 km", "number"),
        ("12,5", "number"),
        ("Giuseppe Verdi", "name"),
        ("the river", "other"),
        ("나일강", "other"),
        ("", "other"),
    ],
)
def test_kinds(text: str, expected: str) -> None:
    assert answer_type(answer(text)) == expected


def test_an_answer_without_source_has_its_score() -> None:
    rows = features(QUESTION, [Answer("a", "ko", math.log(0.8), "translated")])
    assert rows[0, 0] == pytest.approx(math.log(4))


TEXTS = st.sampled_from(["베르디", "Verdi", "1896", "주세페 베르디", "", "the Nile"])
SCORES = st.floats(-20, 0)
ANSWERS = st.lists(
    st.builds(
        answer,
        TEXTS,
        st.sampled_from(["ko", "en", "sv"]),
        st.sampled_from("abc"),
        passage_score=SCORES,
        span_score=SCORES,
        margin=st.none() | st.floats(0, 30),
        retrieval_score=st.floats(-5, 50),
        rank=st.integers(0, 99),
    ),
    max_size=6,
)


@given(ANSWERS, st.randoms(use_true_random=False))
def test_a_row_is_finite_and_the_same_in_any_order(
    answers: list[Answer], rng: random.Random
) -> None:
    order = rng.sample(range(len(answers)), len(answers))
    rows = features(QUESTION, answers)
    assert np.isfinite(rows).all()
    assert (features(QUESTION, [answers[position] for position in order]) == rows[order]).all()
