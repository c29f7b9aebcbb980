"""Annotators against gold annotations, with each other, and by verdicts."""

import pytest

from xorqa.lab.building.quality import LEAST, qualities, similarity
from xorqa.lab.building.tasks import Annotation, Task

ANSWER = Task("q.answer", "answer", "q", "fi", {}, ("passage", "answer", "impossible"), closed=True)
VERDICT = Task("q.verification", "verification", "q", "en", {}, ("verdict",), not_by=("ann",))
ASKED = Task("u.question", "question", "u", "en", {}, ("question", "answer"))
TASKS = {task.id: task for task in (ANSWER, VERDICT, ASKED)}


def by(annotator: str, task: Task = ANSWER, **values: object) -> Annotation:
    return Annotation(task.id, annotator, **values)  # type: ignore[arg-type]


def test_numbers_of_each_annotator() -> None:
    annotations = [
        by("ann", answer="the Nile"),
        by("bea", answer="Nile river"),
        by("eve", impossible=True),
        by("bea", VERDICT, verdict="no"),
        by("carl", VERDICT, verdict="yes"),
        by("ann", ASKED, question="Where?", answer="here"),
    ]
    ann, bea, carl, eve = qualities(TASKS, annotations, [by("expert", answer="Nile")])
    assert (ann.annotated, ann.gold, ann.score) == (2, 1, 1.0)  # the question has no gold
    assert (ann.judged, ann.right) == (2, 1)
    assert bea.score == pytest.approx(2 / 3) and bea.passes(LEAST) is False
    assert (eve.score, eve.shared, eve.agreement) == (0.0, 2, 0.0)
    assert ann.agreement == pytest.approx((2 / 3 + 0) / 2)
    assert (bea.shared, bea.agreement) == (3, pytest.approx((2 / 3 + 0 + 0) / 3))
    assert (carl.gold, carl.passes(LEAST)) == (0, None)


def test_the_best_of_several_experts_counts_and_they_are_not_listed() -> None:
    gold = [by("e1", answer="Blue Nile"), by("e2", answer="Nile")]
    [ann] = qualities(TASKS, [by("ann", answer="Nile"), by("e1", answer="Blue Nile")], gold)
    assert (ann.annotator, ann.score, ann.shared) == ("ann", 1.0, 0)


def test_long_answers_are_equal_by_their_passage() -> None:
    long = by("a", passage="p1")
    assert similarity(ANSWER, long, by("b", passage="p1")) == 1
    assert similarity(ANSWER, long, by("b", passage="p2")) == 0
    assert similarity(ANSWER, long, by("b", passage="p1", answer="Nile")) == 0
    assert similarity(ANSWER, by("a", impossible=True), by("b", impossible=True)) == 1
