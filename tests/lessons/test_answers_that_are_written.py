"""Lesson 15: recorded replies and verdicts, their recording, and verdicts on typical answers."""

import json
import statistics

import pytest
from lessons import answers_that_are_written as lesson
from lessons import answers_that_are_written_questions as questions
from lessons import answers_that_are_written_recording as recording

from xorqa.lab.judging.agreement import agreement


def language(asked, detected, *, short=None, wanted=None):
    """Answers that are too short to judge are left out, or count as `short`."""
    flags = [
        short if got is None else got == (wanted or lang)
        for lang, got in zip(asked, detected, strict=True)
        if got is not None or short is not None
    ]
    return sum(flags) / len(flags), len(flags)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (language, "Right."),
        (
            lambda a, d: language(a, d, short=False),
            "Not yet. You count answers that are too short to judge as wrong",
        ),
        (
            lambda a, d: language(a, d, short=True),
            "Not yet. You count answers that are too short to judge as right",
        ),
        (lambda a, d: (language(a, d)[0], len(a)), "Not yet. The share is right"),
        (lambda a, d: language(a, d, wanted="en"), "Not yet. This is the share of English"),
        (lambda a, d: (1 - language(a, d)[0], 5), "Not yet. This is the share in another"),
        (lambda a, d: (100 * language(a, d)[0], 5), "Not yet. A share from 0 to 1"),
        (lambda a, d: (0.0, 5), "Not yet. 5 answers are judged"),
    ],
)
def test_the_right_language(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


def precision(rows):
    flat = [one for row in rows for one in row]
    return sum(flat) / len(flat)


def backed(rows, test=all):
    return sum(bool(row) and test(row) for row in rows)


def means(rows):
    return [sum(row) / len(row) for row in rows if row]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda r: (precision(r), backed(r) / len(r)), "Right."),
        (lambda r: (sum(means(r)) / len(means(r)), 0), "Not yet. You average over replies"),
        (lambda r: (sum(means(r)) / len(r), 0), "Not yet. A reply without a quotation has no"),
        (lambda r: (sum(map(sum, r)) / len(r), 0), "Not yet. Divide by the quotations"),
        (lambda r: (1, 0), "Not yet. 5 of 8 quotations"),
        (lambda r: (precision(r), sum(map(all, r)) / len(r)), "Not yet. all([]) is True"),
        (
            lambda r: (precision(r), backed(r) / sum(map(bool, r))),
            "Not yet. Replies without a quotation count",
        ),
        (lambda r: (precision(r), backed(r, any) / len(r)), "Not yet. One false quotation"),
        (lambda r: (precision(r), 0), "Not yet. 3 of 7 replies quote something"),
    ],
)
def test_supported_quotations(answer, text):
    assert repr(lesson.check_2(answer)).startswith(text)


def equal(said, true):
    return sum(a == b for a, b in zip(said, true, strict=True)) / len(said)


def chance(said, true):
    p, q = sum(said) / len(said), sum(true) / len(true)
    return p * q + (1 - p) * (1 - q)


def correlation(said, true):
    """0 where one judge always says the same."""
    return 0.0 if len(set(said)) == 1 else statistics.correlation(said, true)


def above(said, true, by):
    return (equal(said, true) - by) / (1 - by)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda s, t: above(s, t, chance(s, t)), "Right."),
        (equal, "Not yet. This is the agreement itself"),
        (lambda s, t: above(s, t, 0.5), "Not yet. Chance is 1/2 only for a coin"),
        (lambda s, t: equal(s, t) - chance(s, t), "Not yet. Divide by what is left"),
        (chance, "Not yet. This is the agreement by chance"),
        (
            lambda s, t: above(s, t, sum(s) * sum(t) / len(s) ** 2),
            "Not yet. By chance both may say yes",
        ),
        (
            lambda s, t: agreement(s, t).kappa or 1.0,
            "Not yet. A judge that always says yes has",
        ),
        (correlation, "Not yet. This is a correlation"),
        (
            lambda s, t: above(s, t, chance(s + t, s + t)),
            "Not yet. Each judge has a share of yes of its own",
        ),
        (
            lambda s, t: above(s, t, chance(s, t)) if s[5] else 0.0,
            "Not yet. Agreement a, agreement by chance c",
        ),
        (lambda s, t: 0.9, "Not yet. Agreement a, agreement by chance c"),
    ],
)
def test_kappa(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


def first(pairs):
    return sum((a == "A") + (b == "B") for a, b in pairs) / (2 * len(pairs))


def count(pairs, *values):
    return sum(pair in values for pair in pairs) / len(pairs)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda p: (first(p), count(p, ("A", "A"), ("B", "B"))), "Right."),
        (lambda p: (sum(a == "A" for a, _ in p) / len(p), 0), "Not yet. This is one order only"),
        (
            lambda p: (sum(pair.count("A") for pair in p) / (2 * len(p)), 0),
            "Not yet. This is how often A wins",
        ),
        (lambda p: (count(p, ("A", "B")), 0), "Not yet. You count pairs"),
        (lambda p: (2 * first(p), 0), "Not yet. Each pair has two verdicts"),
        (lambda p: (0.0, 0), "Not yet. The answer shown first wins 11 of 16"),
        (
            lambda p: (first(p), count(p, ("A", "B"), ("B", "A"))),
            "Not yet. These are the pairs in which the winner changes",
        ),
        (lambda p: (first(p), count(p, ("A", "A"))), "Not yet. B may win in both orders"),
        (lambda p: (first(p), 0.9), "Not yet. In 3 of 8 pairs"),
    ],
)
def test_a_place(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


def test_each_question_has_a_passage_that_answers_it_and_one_that_does_not():
    for lang in lesson.LANGS:
        rows = lesson.asked()[lang]
        assert len(rows) == 24
        for row in rows:
            assert row.right != row.wrong
            assert row.golds and row.other not in row.golds
            if row.right.lang == lang:
                assert any(gold in row.right.text for gold in row.golds)


def test_every_request_has_its_reply_in_the_recording():
    replies = lesson._data()["replies"]
    answers = [request.key for request in questions.answer_requests()]
    own = {key: questions.own_answer(replies[key]) for key in answers}
    requests = [*questions.judge_requests(own), *questions.pair_requests(own)]
    assert set(replies) == {*answers, *(request.key for request in requests)}


def test_a_killed_recording_resumes(tmp_path, monkeypatch):
    sent = []

    class Generator:
        def __init__(self, settings, cache, *, where):
            self.options = settings.options

        def generate(self, prompts, check):
            [prompt] = prompts
            sent.append(prompt.question)
            if len(sent) == 3:
                raise KeyboardInterrupt
            schema = self.options["response_format"]["json_schema"]["schema"]
            key = schema["required"][0]
            value = {"answer": "Kemi", "right": True, "better": "first"}[key]
            return [check(json.dumps({key: value}))]

    monkeypatch.setattr(recording, "EndpointGenerator", Generator)
    path = tmp_path / "written.json"
    with pytest.raises(KeyboardInterrupt):
        recording.record(path, "http://localhost:1/v1")
    assert len(json.loads(path.read_text())["replies"]) == 2
    replies = recording.record(path, "http://localhost:1/v1")
    assert len(sent) == len(replies) + 1
    assert json.loads(path.read_text())["replies"] == replies


def test_the_live_question_says_what_to_set(monkeypatch):
    monkeypatch.delenv(lesson.ENDPOINT, raising=False)
    assert lesson.live().startswith(f"Set {lesson.ENDPOINT} to the URL")
