"""Lesson 14: runs, qrels and pools, and verdicts on typical answers."""

import math

import numpy as np
import pytest
from lessons import rankings_judged as lesson

from xorqa.metrics.ranking import score_ranking


def reciprocal(ranking, grades, cutoff, *, start=1, judged=False):
    for rank, docid in enumerate(ranking[:cutoff], start):
        if docid in grades if judged else grades.get(docid, 0) > 0:
            return 1 / rank
    return 0


def all_of_them(ranking, grades, cutoff):
    found = [1 / rank for rank, one in enumerate(ranking[:cutoff], 1) if grades.get(one, 0) > 0]
    return np.mean(found) if found else 0


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (reciprocal, "Right."),
        (lambda r, g, k: reciprocal(r, g, k, judged=True), "Not yet. b is in the qrels with"),
        (lambda r, g, k: reciprocal(r, g, k, start=0), "Not yet. Ranks begin at 1"),
        (lambda r, g, k: 1 / (reciprocal(r, g, k) or 1), "Not yet. This is the rank"),
        (all_of_them, "Not yet. Only the first right hit counts"),
        (lambda r, g, k: reciprocal(r, g, 10), "Not yet. With a cutoff of 3"),
        (lambda r, g, k: reciprocal(r, g, k) or (k == 10), "Not yet. Without a right hit"),
        (lambda r, g, k: 1, "Not yet. The first right hit of"),
        (lambda r, g, k: ..., "Not yet. Replace"),
    ],
)
def test_reciprocal_rank(answer, text):
    assert repr(lesson.check_1(answer)).startswith(text)


def dcg(gains, power=False):
    gains = [2**gain - 1 if power else gain for gain in gains]
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def gains(ranking, grades, k):
    return [grades.get(docid, 0) for docid in ranking[:k]]


def best(grades, k):
    return sorted(grades.values(), reverse=True)[:k]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda r, g, k: dcg(gains(r, g, k)) / dcg(best(g, k)), "Right."),
        (lambda r, g, k: dcg(gains(r, g, k)), "Not yet. This is DCG"),
        (
            lambda r, g, k: dcg(gains(r, g, k)) / dcg(sorted(gains(r, g, k), reverse=True)),
            "Not yet. Your ideal order has retrieved docids only",
        ),
        (
            lambda r, g, k: dcg(gains(r, g, k), True) / dcg(best(g, k), True),
            "Not yet. Your gain is 2^grade - 1",
        ),
        (lambda r, g, k: sum(gains(r, g, k)) / sum(best(g, k)), "Not yet. Where do ranks act?"),
        (lambda r, g, k: dcg(gains(r, g, 9)) / dcg(best(g, 9)), "Not yet. At 2 nothing right"),
        (
            lambda r, g, k: dcg(gains(r, g, k)) / dcg(best(g, 9)),
            "Not yet. a is the best first hit",
        ),
        (lambda r, g, k: 1.0, "Not yet. Sum grade / log2(rank + 1)"),
    ],
)
def test_ndcg(answer, text):
    assert repr(lesson.check_2(answer)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda runs, k: {one for run in runs for one in run[:k]}, "Right."),
        (lambda runs, k: set.intersection(*(set(r[:k]) for r in runs)), "Not yet. Take what *any*"),
        (lambda runs, k: runs[0][:k], "Not yet. Only the first run"),
        (
            lambda runs, k: {one for run in runs for one in run},
            "Not yet. Where does the depth act?",
        ),
        (lambda runs, k: {"a", "c"}, "Not yet. The depth is per run"),
        (
            lambda runs, k: [one for run in runs for one in run[:k]],
            "Not yet. Nobody wants to judge a document twice",
        ),
        (lambda runs, k: {run[k - 1] for run in runs if len(run) >= k}, "Not yet. "),
    ],
)
def test_a_pool(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (lambda ranking, grades: [one for one in ranking if one in grades], "Right."),
        (
            lambda ranking, grades: [one for one in ranking if grades.get(one)],
            "Not yet. b was judged, and is wrong",
        ),
        (
            lambda ranking, grades: [one for one in ranking if one not in grades],
            "Not yet. These are the unjudged ones",
        ),
        (lambda ranking, grades: ranking, "Not yet. d and x have no judgement"),
        (
            lambda ranking, grades: sorted(set(ranking) & set(grades)),
            "Not yet. Keep the order of the ranking",
        ),
        (lambda ranking, grades: sorted(grades), "Not yet. Only what the ranking has"),
        (lambda ranking, grades: [], "Not yet. Of d, b, x, a, c, b, a and c were judged"),
    ],
)
def test_condensed_lists(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


def test_qrels_and_their_grades():
    assert len(lesson.qrels()) == 192
    assert lesson.qrels()["15.ko"] == {
        f"{lang}-15": 1 for lang in ("ar", "bn", "en", "fi", "ja", "ko", "ru", "te")
    }
    assert lesson.graded()["15.ko"]["ko-15"] == 3
    assert set(lesson.graded()["15.ko"].values()) == {1, 3}
    assert lesson.in_own_language_only() == 0.5


def test_a_pool_knows_what_its_systems_have_among_their_first():
    judged = lesson.pooled([lesson.WORDS], 2)
    for qid, grades in judged.items():
        assert set(grades) == set(lesson.ranking(lesson.WORDS, qid)[:2])
        assert grades == {docid: int(docid in lesson.qrels()[qid]) for docid in grades}


def test_scores_are_those_of_trec_eval_but_for_ties():
    theirs = lesson.reference(lesson.WORDS, lesson.graded())["ndcg_cut_10"]
    ours = lesson.values(lesson.WORDS, lesson.graded(), "nDCG@10")
    assert np.sum(~np.isclose(ours, theirs)) == 2
    alike = score_ranking(
        lesson.run(lesson.WORDS), lesson.graded(), measures=["nDCG@10"], as_trec_eval=True
    )
    assert [score.values["nDCG@10"] for score in alike.scores] == pytest.approx(theirs)


def test_without_pairs_an_interval_is_wider():
    pairs = lesson.languages(lesson.WORDS, "AP", "fi", "te")
    apart = lesson.unpaired(lesson.WORDS, "AP", "fi", "te")
    assert pairs.mean == pytest.approx(apart.mean)
    assert pairs.n == apart.n == 24
