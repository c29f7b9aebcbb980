"""The checks of lesson 2b accept right answers, however written, and reject the usual mistakes."""

import numpy as np
import pytest
from lessons import bundled, dense_search_exercises
from lessons import dense_search as lesson

from xorqa import Hit, Passage


def verdict(check, answer):
    return repr(check(answer))


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda rows, real: unit(rows[real].mean(axis=0)), "Right."),
        (lambda rows, real: unit(real @ rows), "Right."),
        (lambda rows, real: unit(rows.mean(axis=0)), "Not yet. Vectors of padding are in"),
        (lambda rows, real: rows[real].mean(axis=0), "Not yet. This is the mean; its length is"),
        (lambda rows, real: rows[real].sum(axis=0), "Not yet. The direction is right"),
        (lambda rows, real: rows[real].mean(axis=1), "Not yet. Five vectors of 4 numbers become"),
        (lambda rows, real: unit(rows[0]), "Not yet. This is not the mean"),
        (lambda rows, real: unit(rows[real].max(axis=0)), "Not yet. This is not the mean"),
        (lambda rows, real: ..., "Not yet. Replace"),
    ],
)
def test_pooling(answer, text):
    assert verdict(lesson.check_1, answer).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda constant: constant + 1, "Right. "),
        (
            lambda constant: max(
                rank for rank in range(1, 200) if 2 / (constant + rank) > 1 / (constant + 1)
            ),
            "Right. ",
        ),
        (lambda constant: constant + 2, "That is a tie: not before."),
        (lambda constant: 2 * constant + 2, "That is too far down."),
        (lambda constant: 61, "Yours holds for 60 only"),
        (lambda constant: constant, "A rank further down still comes before it"),
        (lambda constant: 1, "solve for the rank"),
        (lambda constant: ..., "Replace the `...`"),
    ],
)
def test_what_the_constant_does(answer, text):
    refused = verdict(lesson.check_2, answer)
    assert "Rank 61" not in refused  # a hint does not give the answer away
    assert text in refused and refused.startswith("Right. " if text == "Right. " else "Not yet. ")


def scaled(scores):
    low, high = min(scores.values(), default=0), max(scores.values(), default=0)
    return {one: (x - low) / (high - low) if high > low else 1 for one, x in scores.items()}


def added(*parts):
    docids = dict.fromkeys(docid for part in parts for docid in part)
    return sorted(docids, key=lambda docid: -sum(part.get(docid, 0) for part in parts))


@pytest.fixture
def two_rankings(monkeypatch):
    """In place of an index: by words alone the gold passage is first, by vectors it is second."""
    golds = [bundled.gold_docid(one) for one in bundled.crossing()]
    other = Hit(Passage("zz", "text"), 0.9)
    words = [[Hit(Passage(gold, "text"), 7.0)] for gold in golds]
    vectors = [[other, Hit(Passage(gold, "text"), 0.8)] for gold in golds]
    monkeypatch.setattr(dense_search_exercises, "_rankings", lambda: (words, vectors))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda words, vectors: added(scaled(words), scaled(vectors)), "Right. "),
        (added, "you give BM25's order. Scale both."),
        (
            lambda words, vectors: added(
                *({d: x / max(p.values()) for d, x in p.items()} for p in (words, vectors))
            ),
            "you give BM25's order. Scale both.",
        ),
        (
            lambda words, vectors: added({} if len(words) == 1 else scaled(words), scaled(vectors)),
            "A single hit gets 1.",
        ),
        (
            lambda words, vectors: [one for one in added(words, vectors) if one in vectors],
            "you give BM25's order",
        ),
        (lambda words, vectors: [*words], "once; yours are"),
        (
            lambda words, vectors: added(scaled(words), scaled(vectors))[::-1],
            "the right order backwards",
        ),
        (lambda words, vectors: scaled(vectors), "Return the docids in a list"),
        (lambda words, vectors: added({}, {min(words): 1 / 0}), "raises ZeroDivisionError"),
        (lambda words, vectors: ..., "Replace the `...`"),
    ],
)
def test_a_fusion_by_scores(answer, text, two_rankings):
    refused = verdict(lesson.check_3, answer)
    assert text in refused and refused.startswith("Right. " if text == "Right. " else "Not yet. ")


def in_a_row(tokens, answer):
    wanted = lesson.nltk_tokens(answer)
    return any(tokens[at : at + len(wanted)] == wanted for at in range(len(tokens)))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (in_a_row, "Right. Without searching, "),
        (
            lambda tokens, answer: (
                f" {' '.join(lesson.nltk_tokens(answer))} " in f" {' '.join(tokens)} "
            ),
            "Right.",
        ),
        (lambda tokens, answer: answer in " ".join(tokens), "Not yet. '193' is not a token"),
        (lambda tokens, answer: answer in tokens, "Not yet. 'Marie Curie' is two tokens"),
        (
            lambda tokens, answer: set(lesson.nltk_tokens(answer)) <= set(tokens),
            "Not yet. The order of tokens matters",
        ),
        (
            lambda tokens, answer: in_a_row(tokens[:-1], answer),
            "Not yet. The answer may be at the very end",
        ),
        (lambda tokens, answer: ..., "Not yet. Replace"),
    ],
)
def test_whole_tokens(answer, text):
    assert verdict(lesson.check_4, answer).startswith(text)


def test_scores_of_a_run_become_a_matrix():
    hits = [Hit(Passage("a", "text"), 2.0), Hit(Passage("c", "text"), 1.0)]
    assert lesson.score_matrix([hits, []], ["a", "b", "c"]).tolist() == [[2, 0, 1], [0, 0, 0]]


def test_variance_lies_between_groups_or_within():
    points = np.array([[0.0, 0], [2, 0], [0, 4], [2, 4]])
    assert lesson.variance_between(points, "aabb") == pytest.approx(0.8)
    assert lesson.variance_between(points, "abab") == pytest.approx(0.2)
    assert lesson.variance_between(points, "abcd") == pytest.approx(1)


def test_r_at_kt_is_the_library_s():
    answers = [[reference.answers[0]] for reference in lesson.references()]
    assert all(score.values == {"R@1kt": 1, "R@2kt": 1} for score in lesson.r_at_kt(answers))
    assert not any(score.values["R@1kt"] for score in lesson.r_at_kt([["nothing"]] * len(answers)))


def test_two_systems_are_compared_question_by_question():
    golds = [[Hit(bundled.english()[bundled.gold_docid(one)], 1.0)] for one in bundled.crossing()]
    assert lesson.ranked_first([*golds[:3], *([] for _ in golds[3:])]).sum() == 3
    one, other = [[], *golds[1:]], [golds[0], *([] for _ in golds[1:5]), *golds[5:]]
    wins, losses, points, p = lesson.head_to_head(one, other)
    assert (wins, losses, p) == (4, 1, "0.38")
    assert points.startswith("+3.6 [-1.2, +")
    assert lesson.head_to_head(one, one) == (0, 0, "+0.0 [+0.0, +0.0]", "1")


def test_the_pictures_are_drawn():
    pytest.importorskip("matplotlib")
    crossing = bundled.crossing()
    runs = [[Hit(bundled.english()[bundled.gold_docid(one)], 1.0)] for one in crossing]
    bars = lesson.draw_bars({"dense, as asked": runs})
    assert {bar.get_height() for bar in bars.axes[1].patches} == {100}
    matrix = np.eye(2)
    words, cosines = lesson.draw_matrices(
        {"words": (matrix, "{:.0f}"), "cosines": (matrix + 1, "{:.1f}")}, crossing[:2]
    ).axes
    assert [text.get_text() for text in words.texts] == ["1", "1"]
    assert len(cosines.texts) == 4
    points = np.zeros((len(crossing), 2))
    assert len(lesson.draw_plane(points, points, points).axes[0].collections) == 9
    (lines,) = lesson.draw_budgets({"hybrid": {75: 10.0, 1000: 90.0}}).axes
    assert [label.get_text() for label in lines.get_xticklabels()] == ["75", "1,000"]
