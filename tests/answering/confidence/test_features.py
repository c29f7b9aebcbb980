"""The evidence for an answer, as numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.candidates import candidate
from xorqa.answering.confidence.model import FEATURES, features
from xorqa.core.types import Answer, Candidate, Hit, Passage, Query, Question, RouteResult, Trace

QUESTION = Question("q", "When?", "en")


def answer(source: Candidate) -> Answer:
    return Answer(source.text, source.lang, source.score, "span", source)


def trace(*sources: Candidate, scores: tuple[float, ...] = (9.0, 5.0, 4.0)) -> Trace:
    """A trace that chose the first source's answer."""
    hits = [Hit(Passage(str(position), "text"), score) for position, score in enumerate(scores)]
    answers = tuple(map(answer, sources))
    by_route = {"r": RouteResult(Query(QUESTION, "When?", "en"), hits)}
    return Trace(QUESTION, by_route, sources, answers[0] if answers else None, {}, answers)


def column(name: str, of: Trace) -> list[float]:
    return [float(value) for value in features(of)[:, FEATURES.index(name)]]


def test_a_row_does_not_depend_on_the_order_of_answers() -> None:
    sources = [
        candidate("1871", docid="a", passage_score=-0.1, span_score=-0.2, retrieval_score=9),
        candidate("1872", docid="b", passage_score=-3.0, span_score=-0.1, retrieval_score=4),
    ]
    rows = features(trace(*sources))
    assert rows.shape == (2, len(FEATURES))
    assert np.array_equal(rows, features(trace(*reversed(sources)))[::-1])


def test_without_answers_there_are_no_rows() -> None:
    assert features(trace()).shape == (0, len(FEATURES))


def test_passages_of_any_language_agree() -> None:
    first = candidate("1871", docid="a", passage_score=-0.1)
    [alone] = column("agreement", trace(first))
    same = candidate("1871", docid="b", passage_score=np.log(0.5))
    foreign = candidate("1871", "fi", docid="c", passage_score=np.log(0.5))
    assert alone == 0
    assert round(column("agreement", trace(first, same))[0], 6) == 0.5
    assert round(column("agreement", trace(first, same, foreign))[0], 6) == 0.75


def test_the_lead_in_retrieval_does_not_depend_on_the_scale_of_scores() -> None:
    one = candidate("1871")
    [lead] = column("lead in retrieval", trace(one))
    [scaled] = column("lead in retrieval", trace(one, scores=(900.0, 500.0, 400.0)))
    assert lead > 1 and round(lead, 6) == round(scaled, 6)
    assert column("lead in retrieval", trace(one, scores=(5.0,))) == [0.0]
    assert column("lead in retrieval", trace(one, scores=(5.0, 5.0))) == [0.0]


def test_an_answer_of_another_route_has_no_lead() -> None:
    other = trace(candidate("1871", route="another"))
    assert column("lead in retrieval", other) == [0.0]
    without = replace(other, answers=(replace(other.answers[0], source=None),))
    assert column("lead in retrieval", without) == [0.0]
