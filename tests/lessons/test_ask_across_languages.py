"""Lesson 1: its counts, and what its exercises accept and reject."""

import pytest
from lessons import ask_across_languages as lesson

from xorqa.core.types import Answer, Question, Trace

RIGHT_1 = {
    "XOR-Retrieve": "retrieved",
    "XOR-EnglishSpan": "right span",
    "XOR-Full": "right answer",
}
RIGHT_3 = {
    "asked": "same",
    "retrieved": "same",
    "read": "fewer",
    "right span": "fewer",
    "right answer": "fewer",
}


@pytest.fixture(scope="module", autouse=True)
def few_questions():
    """The lesson with twelve questions only: it reads all of them twice."""
    with pytest.MonkeyPatch.context() as patch:
        chosen = [e for e in lesson.crossing() if e.question.lang in ("fi", "ko")]
        patch.setattr(lesson, "crossing", lambda: chosen)
        lesson.traces.cache_clear()
        yield
    lesson.traces.cache_clear()


def test_the_numbers_only_go_down_and_languages_add_up():
    stops = lesson.through()
    assert len(stops) == len(lesson.STOPS) and stops == sorted(stops, reverse=True)
    by_lang = [lesson.through(lang) for lang in ("fi", "ko")]
    assert [sum(counts) for counts in zip(*by_lang, strict=True)] == stops


def test_the_tasks_and_their_stops():
    assert lesson.check_1(RIGHT_1)
    for task, stop, hint in (
        ("XOR-Retrieve", "read", "nothing of what is done with them"),
        ("XOR-EnglishSpan", "right answer", "before it is put into another language"),
        ("XOR-Full", "right span", "in the language of the question"),
    ):
        reason = lesson.check_1(RIGHT_1 | {task: stop}).reason
        assert f"{task} measures another stop" in reason and hint in reason
    assert "not 'the end'" in lesson.check_1(RIGHT_1 | {"XOR-Full": "the end"}).reason
    assert not lesson.check_1(dict.fromkeys(RIGHT_1, ...))


def share_lost(counts, at):
    return (counts[at - 1] - counts[at]) / counts[at - 1]


def test_the_worst_stop():
    assert lesson.check_2(lambda c: sorted(range(1, len(c)), key=lambda at: -share_lost(c, at))[0])
    verdict = lesson.check_2(lambda c: max(range(1, len(c)), key=lambda at: c[at - 1] - c[at]))
    assert not verdict and "Divide by what arrives" in verdict.reason
    verdict = lesson.check_2(lambda c: max(range(len(c) - 1), key=lambda at: share_lost(c, at + 1)))
    assert not verdict and "Positions count from 0" in verdict.reason
    verdict = lesson.check_2(lambda counts: 2)
    assert not verdict and "your function says 2" in verdict.reason
    assert not lesson.check_2(lambda counts: ...)


def test_one_passage_is_read():
    change = {1: "more", 0: "same", -1: "fewer"}
    pairs = zip(lesson.through(), lesson.through(passages=1), strict=True)
    signs = [change[(one > three) - (one < three)] for three, one in pairs]
    right = dict(zip(lesson.STOPS, signs, strict=True))
    assert right["retrieved"] == "same" and right["read"] == "fewer"
    assert lesson.check_3(right)
    assert "Not at 'retrieved'" in lesson.check_3(right | {"retrieved": "fewer"}).reason
    assert "Not at 'read'" in lesson.check_3(right | {"read": "more"}).reason
    assert "no longer" in lesson.check_3(right | {"read": "same"}).reason
    assert "also fewer gold ones" in lesson.check_3(right | {"right span": "more"}).reason


def test_a_question_of_ones_own():
    asked = lesson.build().ask("Wann wurde die Oper Aida in Kairo uraufgeführt?")
    assert lesson.check_4(asked)
    source = asked.answer.source
    copied = Answer(source.text, "en", -1.0, "copied", source)
    verdict = lesson.check_4(Trace(Question("q", "Wer dirigierte?", "de"), {}, (), copied))
    assert not verdict and "still in English" in verdict.reason
    english = Trace(Question("q", "When?", "en"), {}, (), asked.answer)
    assert "another language than English" in lesson.check_4(english).reason
    bundled = Trace(lesson.crossing()[0].question, {}, (), asked.answer)
    assert "not one of the bundled" in lesson.check_4(bundled).reason
