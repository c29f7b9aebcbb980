"""Lesson 1: its counts, and what its exercises accept and reject."""

import pytest
from lessons import ask_across_languages as lesson

from xorqa.core.types import Answer, Question, Trace

RIGHT_1 = {
    "XOR-Retrieve": "retrieved",
    "XOR-EnglishSpan": "right span",
    "XOR-Full": "right answer",
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


def test_right_answers():
    assert lesson.check_1(RIGHT_1)
    assert lesson.check_2(lambda c: sorted(range(1, len(c)), key=lambda at: -share_lost(c, at))[0])
    assert not lesson.check_1(dict.fromkeys(RIGHT_1, ...))
    assert not lesson.check_2(lambda counts: ...)


@pytest.mark.parametrize(
    ("task", "stop", "hint"),
    [
        ("XOR-Retrieve", "read", "nothing of what is done with them"),
        ("XOR-EnglishSpan", "right answer", "before it is put into another language"),
        ("XOR-Full", "right span", "in the language of the question"),
        ("XOR-Full", "the end", "not 'the end'"),
    ],
)
def test_the_stop_of_a_task(task, stop, hint):
    verdict = lesson.check_1(RIGHT_1 | {task: stop})
    assert not verdict and hint in verdict.reason


def share_lost(counts, at):
    return (counts[at - 1] - counts[at]) / counts[at - 1]


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda c: max(range(1, len(c)), key=lambda at: c[at - 1] - c[at]), "what arrives: stop 4"),
        (
            lambda c: max(range(len(c) - 1), key=lambda at: share_lost(c, at + 1)),
            "Positions count from 0",
        ),
        (lambda c: c.index(min(c)), "the worst is stop 1, and your function says 4"),
    ],
)
def test_the_worst_stop(answer, hint):
    verdict = lesson.check_2(answer)
    assert not verdict and hint in verdict.reason


@pytest.mark.parametrize(
    ("stop", "change", "hint"),
    [
        ("asked", "fewer", "Nobody asks more or less"),
        ("retrieved", "fewer", "The search comes before the reader"),
        ("read", "more", "Not at 'read'"),
        ("read", "same", "no longer"),
        ("right span", "more", "also fewer gold ones"),
        ("right span", "less", "not 'less'"),
    ],
)
def test_one_passage_is_read(stop, change, hint):
    changes = {1: "more", 0: "same", -1: "fewer"}
    pairs = zip(lesson.through(), lesson.through(passages=1), strict=True)
    signs = [changes[(one > three) - (one < three)] for three, one in pairs]
    right = dict(zip(lesson.STOPS, signs, strict=True))
    assert right["retrieved"] == "same" and right["read"] == "fewer"
    assert lesson.check_3(right)
    verdict = lesson.check_3(right | {stop: change})
    assert not verdict and hint in verdict.reason


def test_a_question_of_ones_own():
    asked = lesson.build().ask("Wann wurde die Oper Aida in Kairo uraufgeführt?")
    assert lesson.check_4(asked)
    source = asked.answer.source
    copied = Answer(source.text, "en", -1.0, "copied", source)

    def trace(text, lang, answer):
        return Trace(Question("q", text, lang), {}, (), answer)

    bundled = lesson.crossing()[0].question
    assert "still in English" in lesson.check_4(trace("Wer dirigierte?", "de", copied)).reason
    assert "another language than English" in lesson.check_4(trace("When?", "en", copied)).reason
    assert "not one of the bundled" in lesson.check_4(Trace(bundled, {}, (), asked.answer)).reason
    assert "No passage has an answer" in lesson.check_4(trace("Wer?", "de", None)).reason
