"""The exercises of lesson 3a accept right answers and explain the usual wrong ones."""

from collections import Counter

import numpy as np
import pytest
from lessons import reading_spans as lesson
from lessons import reading_spans_exercises as exercises

from xorqa.metrics.report import Reference
from xorqa.metrics.tasks import squad


def text_of(text, offsets, first, last):
    return text[offsets[first][0] : offsets[last][1]]


def bags(prediction, gold):
    return [Counter(squad.normalize(text).split()) for text in (prediction, gold)]


def f1(prediction, gold):
    predicted, expected = bags(prediction, gold)
    return 2 * (predicted & expected).total() / (predicted.total() + expected.total())


def best_f1(prediction, golds):
    return max(f1(prediction, gold) for gold in golds)


def f1_of_sets(prediction, golds):
    predicted, expected = (set(bag) for bag in bags(prediction, golds[0]))
    return 2 * len(predicted & expected) / (len(predicted) + len(expected))


def f1_of_shared_sets(prediction, golds):
    bags_of = [bags(prediction, gold) for gold in golds]
    return max(2 * len({*p} & {*g}) / (p.total() + g.total()) for p, g in bags_of)


def precision(prediction, golds):
    predicted, expected = bags(prediction, golds[0])
    return (predicted & expected).total() / predicted.total()


def f1_as_written(prediction, golds):
    predicted, expected = (Counter(text.split()) for text in (prediction, golds[0]))
    return 2 * (predicted & expected).total() / (predicted.total() + expected.total())


def covered(start, end, at, longest=30, *, share=True, backwards=False, inside=None):
    inside = inside or (lambda first, last: first <= at <= last)
    weights = {
        (first, last): np.exp(start[first] + end[last])
        for first in range(len(start))
        for last in range(len(end))
        if last - first < longest and (backwards or first <= last)
    }
    total = sum(weights.values()) if share else 1
    return sum(weight for pair, weight in weights.items() if inside(*pair)) / total


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (lesson.check_1, text_of),
        (lesson.check_2, covered),
        (lesson.check_3, best_f1),
        (lesson.check_4, {"a", "c", "d"}),
        (lesson.check_4, "acd"),
    ],
)
def test_a_right_answer_is_accepted(check, answer):
    assert repr(check(answer)).startswith("Right. ")


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        (lesson.check_1, lambda t, o, a, b: t[o[a][0] : o[b][0]], "the last token is missing"),
        (lesson.check_1, lambda t, o, a, b: "".join(t[s:e] for s, e in o[a:b]), "last token is"),
        (lesson.check_1, lambda t, o, a, b: " ".join(t[s:e] for s, e in o[a : b + 1]), "slice"),
        (lesson.check_1, lambda t, o, a, b: t[a : b + 1], "for tokens made from"),
        (lesson.check_1, lambda t, o, a, b: text_of(t, o, a, b).strip(), "begins with a space"),
        (lesson.check_2, lambda *a: covered(*a, share=False), "divide by the sum over all spans"),
        (lesson.check_2, lambda *a: covered(*a, backwards=True), "end before they start"),
        (lesson.check_2, lambda s, e, at, n: covered(s, e, at), "longer than that"),
        (lesson.check_2, lambda s, e, at, n: covered(s, e, at, n + 1), "spans of 3 tokens"),
        (
            lesson.check_2,
            lambda s, e, at, n: covered(s, e, at, n, inside=lambda i, j: at in (i, j)),
            "besides those that start or end at it",
        ),
        (lesson.check_3, f1_of_sets, "a set forgets"),
        (lesson.check_3, f1_of_shared_sets, "twice in both answers"),
        (lesson.check_3, precision, "recall by those of the gold answer"),
        (lesson.check_3, f1_as_written, "Normalise both"),
        (lesson.check_3, lambda text, golds: f1(text, golds[0]), "not the first"),
        (lesson.check_3, lambda text, golds: f1(text, golds[-1]), "not the last"),
        (lesson.check_3, lambda text, golds: f1(text, " ".join(golds)), "The best"),
        (lesson.check_3, lambda prediction, gold: 1 / 0, "ZeroDivisionError"),
        (lesson.check_4, {"a", "d"}, "One is missing"),
        (lesson.check_4, {"a", "b", "c", "d"}, "refuses b"),
        (lesson.check_4, {"a", "c", "d", "e"}, "accepts e too"),
        (lesson.check_4, {"x"}, "valid: a, b"),
    ],
)
def test_a_wrong_answer_gets_a_hint(check, answer, hint):
    verdict = repr(check(answer))
    assert verdict.startswith("Not yet. ") and hint in verdict


@pytest.fixture
def three_japanese_answers(monkeypatch):
    """Exact by the strict scorer alone, with a particle too much, wrong; and one in Finnish."""
    golds = {"q1": "蒼氓", "q2": "2010年6月13日", "q3": "京都", "q4": "Helsinki"}
    references = [
        Reference(qid, "fi" if qid == "q4" else "ja", (gold,)) for qid, gold in golds.items()
    ]
    predictions = {"q1": "「蒼氓」", "q2": "2010年6月13日に", "q3": "大阪", "q4": "in Helsinki"}
    monkeypatch.setattr(exercises, "same_language", lambda: (references, predictions))


@pytest.mark.parametrize(
    ("answer", "verdict", "hint"),
    [
        ((0, 1), "Right. ", "particle"),
        ((1, 0), "Not yet. ", "wrong order"),
        ((1, 1), "Not yet. ", "one word"),
        ((0, 2), "Not yet. ", "they are exact"),
        ((0, 3), "Not yet. ", "best F1 over all gold answers"),
        (1, "Not yet. ", "not the kind of answer"),
    ],
)
def test_partial_scores_are_counted(three_japanese_answers, answer, verdict, hint):
    result = repr(lesson.check_5(answer))
    assert result.startswith(verdict) and hint in result


@pytest.mark.parametrize("number", range(1, 6))
def test_a_stub_is_not_right(number):
    check = getattr(lesson, f"check_{number}")
    assert "Replace the `...`" in repr(check(...))


def test_the_picture_is_described():
    picture = lesson.starts_and_ends("mini-te-11")
    assert "112 tokens" in picture.alt and "at “13” (token 41)" in picture.alt
    assert picture.width > 600


def test_the_library_widens_to_whole_letters():
    assert lesson.widened("cafe\u0301 noir", 0, 4) == "cafe\u0301"
