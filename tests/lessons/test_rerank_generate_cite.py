"""Lesson 11: how hand-written replies are read, its tables, and verdicts on typical answers."""

import pytest
from lessons import rerank_generate_cite as lesson
from lessons import rerank_generate_cite_exercises as exercises
from lessons import rerank_generate_cite_replies as replies
from lessons import rerank_generate_cite_world as world
from lessons.bundled import gold_docid
from lessons.rerank_generate_cite_world import Answered

from xorqa.io.files import read_jsonl

MADE_UP = [
    Answered("a", "x", 0.9, 0.0, True),
    Answered("b", "x", 0.8, 1.0, False),
    Answered("c", "x", 0.3, 0.5, True),
    Answered("d", "x", 0.1, 1.0, False),
]


@pytest.fixture
def made_up(monkeypatch):
    """Four answers that nothing was read for."""
    for module in (lesson, exercises):
        monkeypatch.setattr(module, "answers", lambda: MADE_UP)
    monkeypatch.setattr(lesson, "threshold", lambda: 0.8)


def test_wherever_a_reply_is_shown_it_says_that_no_model_made_it():
    label = "written by hand for lesson 11, not by a model"
    assert lesson.origin() == lesson.reader().black_box == label
    assert label in repr(lesson.reply_table()) and label in repr(lesson.verdict_table())
    assert "wrong" not in repr(lesson.reply_table()).replace("wrong number", "")
    assert label in repr(lesson.quotation_table("injected"))
    rows = [row for _, row in read_jsonl(replies._recording())]
    assert {row["origin"] for row in rows} == {label}


def test_every_reply_is_replayed():
    for name in lesson.cases():
        result = lesson.generate(name)
        assert "not recorded" not in result.failure
        assert bool(result.failure) == (name == "no JSON")
    assert [name for name in lesson.cases() if not lesson.generate(name).text] == [
        "not in the passages",
        "no JSON",
    ]


@pytest.mark.parametrize(
    ("name", "quotations"),
    [
        ("right", (1, 1)),
        ("other quotation marks", (1, 1)),
        ("one of two", (1, 2)),
        ("paraphrase", (0, 1)),
        ("wrong number", (0, 1)),
        ("injected", (1, 1)),
        ("from memory", (0, 1)),
    ],
)
def test_quotations(name, quotations):
    assert lesson.generate(name).quotations == quotations


def test_an_answer_in_english_is_asked_for_again():
    first = lesson.generate("in English")
    again = lesson.generate("in English", ask_again=True)
    assert (first.candidate.lang, first.is_right) == ("en", False)
    assert (again.candidate.lang, again.is_right) == ("fi", True)
    assert again.candidate.generated.asked_again


def test_the_pool_and_its_questions():
    assert len({passage.lang for passage in lesson.pool()}) == 8
    halves = [question.answered_in for question in lesson.questions()]
    assert halves.count("en") == halves.count("target") == 84


def test_gains_and_losses_are_counted_against_the_retriever(monkeypatch):
    from xorqa.core.types import Hit

    two = lesson.questions()[:2]
    golds = [lesson.pool()[gold_docid(example)] for example in two]
    one_right = [[Hit(golds[0], 1.0)], [Hit(golds[0], 1.0)]]
    orders = {"dense": one_right, "reader": [[Hit(golds[1], 1.0)], [Hit(golds[1], 1.0)]]}
    monkeypatch.setattr(world, "questions", lambda: two)
    monkeypatch.setattr(world, "rankings", lambda: orders)
    half = two[0].answered_in
    assert two[1].answered_in == half and golds[0] != golds[1]
    assert lesson.found("dense", half, 1) == [True, False]
    assert lesson.changes("reader", half, 1) == (1, 1)
    assert lesson.changes("dense", half, 1) == (0, 0)


def by_turns(hits):
    return exercises.balanced(hits)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda hits: [docid for docid, _ in hits], "in which they came"),
        (lambda hits: [docid for docid, _ in hits[:1]], "once"),
        (lambda hits: by_turns(hits)[::-1], "first hit stays first"),
        (lambda hits: sorted(by_turns(hits)), ""),
    ],
)
def test_wrong_turns_get_a_hint(answer, hint):
    verdict = lesson.check_1(answer)
    assert not verdict and hint in verdict.reason
    assert lesson.check_1(by_turns)


def test_supported_and_wrong():
    assert lesson.check_2({"beside the point", "injected", "in English"})
    assert "are missing" in lesson.check_2({"injected"}).reason
    assert "supported" in lesson.check_2({"injected", "paraphrase"}).reason
    right = {"injected", "in English", "beside the point", "right"}
    assert "are right" in lesson.check_2(right).reason
    assert "set of names" in lesson.check_2("injected").reason
    assert "Look for" in lesson.check_2(set()).reason


def test_a_point_of_the_curve():
    point = exercises.coverage_and_risk
    assert lesson.check_3(point)
    assert "coverage first" in lesson.check_3(lambda *given: point(*given)[::-1]).reason


def test_mistakes_at_a_point_of_the_curve():
    point = exercises.coverage_and_risk

    def of_all(confidences, errors, least):
        return point(confidences, errors, least)[0], sum(errors) / len(errors)

    def above(confidences, errors, least):
        above = [error for c, error in zip(confidences, errors, strict=True) if c > least]
        return len(above) / len(errors), sum(above) / max(len(above), 1)

    def counted(confidences, errors, least):
        return len(errors) * point(confidences, errors, least)[0], 0.5

    assert "mean error of the answered" in lesson.check_3(of_all).reason
    assert "at the threshold itself" in lesson.check_3(above).reason
    assert "a share, not a number" in lesson.check_3(counted).reason
    assert "share of all questions" in lesson.check_3(lambda c, e, t: (2.0, 2.0)).reason


def rates(answered, answerable):
    pairs = list(zip(answered, answerable, strict=True))
    without = [given for given, can in pairs if not can]
    silent = [not given for given, can in pairs if can]
    return sum(without) / len(without), sum(silent) / len(silent)


def test_two_rates():
    assert lesson.check_4(rates)
    assert "first" in lesson.check_4(lambda *given: rates(*given)[::-1]).reason
    in_percent = lesson.check_4(lambda *given: [100 * rate for rate in rates(*given)])
    assert "not in percent" in in_percent.reason
    assert "not of all" in lesson.check_4(lambda a, b: (3 / 9, 0)).reason
    assert "Not of the answers" in lesson.check_4(lambda a, b: (3 / sum(a), 0)).reason
    of_answers = lesson.check_4(lambda *given: (rates(*given)[0], 1 - rates(*given)[1]))
    assert not of_answers and "error is silence" in of_answers.reason
    both = lesson.check_4(lambda *given: [1 - rate for rate in rates(*given)])
    assert not both and "hallucination rate is" in both.reason
    assert "error rate is" in lesson.check_4(lambda *given: (rates(*given)[0], 2)).reason
    assert "hallucination rate is" in lesson.check_4(lambda a, b: (3, 3)).reason


HALVES = [  # confidence, answerable: the first of each row chooses, the second is reported
    ((0.9, True), (0.95, False)),
    ((0.6, False), (0.7, True)),
    ((0.5, True), (0.4, True)),
    ((0.2, False), (0.1, False)),
]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ((50, 100), "Right. 0 of 2 are answered and 1 of 2 are not on the questions that chose"),
        ((0, 50), "Not yet. These questions chose the threshold"),
        ((100, 50), "Not yet. Give the hallucination rate first"),
        ((0.5, 1.0), "Not yet. Almost"),
        ((0, 100), "Not yet. All questions chose this threshold"),
        ((10, 50), "Not yet. Try the confidence of each question"),
        ((-1, 50), "Not yet. Percentages are from 0 to 100"),
        (66, "Not yet. This is not the kind of answer"),
        ((..., ...), "Not yet. "),
    ],
)
def test_a_threshold_that_other_questions_chose(answer, text, monkeypatch):
    rows = [
        Answered(str(at), "x", confidence, 0.0, can)
        for at, (confidence, can) in enumerate(one for row in HALVES for one in row)
    ]
    monkeypatch.setattr(exercises, "answers", lambda: rows)
    assert repr(lesson.check_5(answer)).startswith(text)


def test_the_curve_of_made_up_answers(made_up):
    curve, constant, perfect = lesson.areas()
    assert perfect < curve < constant == sum(row.loss for row in MADE_UP) / 4
    axes = lesson.curve_picture().axes[0]
    assert [line.get_label() for line in axes.lines] == [
        "all questions",
        "answerable questions",
        "all, at the reader's threshold",
        "all, without a confidence",
    ]
    circle = axes.lines[2]
    assert (*circle.get_xdata(), *circle.get_ydata()) == (0.5, 0.5)


def test_an_answer_is_read_from_the_first_passages_that_are_left(monkeypatch):
    """The best candidate whose passage is beyond the first five does not count."""
    from tests.candidates import candidate
    from xorqa.core.types import Hit, Passage

    example = lesson.questions()[0]
    read = [candidate(f"{at}", "en", docid=f"d{at}", passage_score=-1.0 / at) for at in range(1, 8)]
    hits = [Hit(Passage(f"d{at}", ""), 0.0) for at in range(1, 8)]
    assert world._answered(example, example, hits, read).text == "5"
    assert world._answered(example, example, hits[2:], read).text == "7"
