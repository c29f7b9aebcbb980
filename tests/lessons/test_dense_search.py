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


def fused_first(words, vectors):
    scores = weighted([words, vectors], [1, 1])
    return min(scores, key=lambda docid: (-scores[docid], docid))


@pytest.fixture
def two_rankings(monkeypatch):
    """In place of an index: gold passages second by vectors; words know only the first one."""
    golds = [bundled.gold_docid(one) for one in bundled.crossing()]
    vectors = [["en-001", gold] for gold in golds]
    words = [[golds[0]], *([] for _ in golds[1:])]
    monkeypatch.setattr(dense_search_exercises, "_rankings", lambda: [words, vectors])


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (fused_first, "Right. "),
        (lambda words, vectors: words[0], "Not yet. Your function raises IndexError"),
        (lambda words, vectors: vectors[0], "This is dense alone."),
        (
            lambda words, vectors: words[0] if words else vectors[0],
            "BM25's first hit does not decide alone.",
        ),
        (
            lambda words, vectors: next((one for one in vectors if one in words), vectors[-1]),
            "Where BM25 has no hit, the order is that of the vectors.",
        ),
        (lambda words, vectors: weighted([words, vectors], [1, 1]), "Return one docid, not dict."),
        (lambda words, vectors: ..., "Replace the `...`"),
    ],
)
def test_a_hybrid_without_translation(answer, text, two_rankings):
    refused = verdict(lesson.check_2, answer)
    assert text in refused and refused.startswith("Right. " if text == "Right. " else "Not yet. ")


def weighted(rankings, weights, *, constant=60, start=1):
    scores = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, docid in enumerate(ranking, start):
            scores[docid] = scores.get(docid, 0) + weight / (constant + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (weighted, "Right."),
        (lambda rankings, weights: weighted(rankings, [1] * 3), "Not yet. Each ranking counts"),
        (lambda rankings, weights: weighted(rankings, weights, start=0), "Not yet. Your ranks"),
        (lambda rankings, weights: weighted(rankings, weights, constant=10), "Not yet. 'e' is"),
        (
            lambda rankings, weights: dict(reversed(weighted(rankings, weights).items())),
            "Not yet. The scores are right, but their order",
        ),
        (
            lambda rankings, weights: weighted(rankings[:1], weights[:1]),
            "Not yet. Every docid of a ranking needs a score",
        ),
        (lambda rankings, weights: list(weighted(rankings, weights)), "Not yet. This is not"),
        (lambda rankings, weights: ..., "Not yet. Replace"),
    ],
)
def test_weights(answer, text):
    assert verdict(lesson.check_3, answer).startswith(text)


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
