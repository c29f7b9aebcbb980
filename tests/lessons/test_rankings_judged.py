"""Lesson 14: runs, qrels and pools, and verdicts on typical answers."""

import math

import numpy as np
import pytest
from lessons import rankings_judged as lesson

from xorqa.metrics.ranking import score_ranking

EARLY = ["r1", "w1", "w2", "w3", "w4", "r2", "r3"]
LATE = ["w1", "r1", "r2", "r3", "w2", "w3", "w4"]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (EARLY, LATE, "Right."),
        (["r2", "w1", "w2", "w3", "r1", "w4", "r3"], LATE, "Right."),
        (LATE, EARLY, "Not yet. RR 0.50 and 1.00, nDCG@5 0.73 and 0.47: the other way round"),
        (EARLY, ["r1", "r2", "r3", *LATE[:1], *LATE[4:]], "Not yet. RR 1.00 and 1.00, nDCG@5 0.47"),
        (["r1", "r2", "r3", *LATE[:1], *LATE[4:]], LATE, "Not yet. RR 1.00 and 0.50, nDCG@5 1.00"),
        (LATE, ["r1", "r2", "r3", *LATE[:1], *LATE[4:]], "Not yet. RR 0.50 and 1.00, nDCG@5 0.73"),
        (EARLY[:3], LATE, "Not yet. RR prefers: each of the seven documents once"),
        (EARLY, ["r1"] * 7, "Not yet. nDCG@5 prefers: each of the seven documents once"),
    ],
)
def test_measures_that_disagree(first, second, text):
    answer = {"RR prefers": first, "nDCG@5 prefers": second}
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


def limits(ranking, grades, k, *, over=None):
    known = [docid for docid in ranking[:k] if docid in grades]
    found = sum(grades[docid] > 0 for docid in known)
    return found / (over or k), (found + k - len(known)) / (over or k)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (limits, "Right."),
        (lambda r, g, k: limits(r, g, k)[::-1], "Not yet. The lowest comes first"),
        (lambda r, g, k: limits(r, g, k, over=len(set(r[:k]) & set(g))), "Not yet. You divide by"),
        (lambda r, g, k: limits(r, g, k)[:1] * 2, "Not yet. The highest: what if"),
        (lambda r, g, k: (len(set(r[:k]) & set(g)) / k, 1), "Not yet. Grade 0 is judged"),
        (lambda r, g, k: (limits(r, g, k)[0], 1), "Not yet. What was judged wrong stays wrong"),
        (
            lambda r, g, k: (sum(g.get(x, 0) for x in r[:k]) / k, limits(r, g, k)[1]),
            "Not yet. A grade of 3 is one right",
        ),
        (lambda r, g, k: (0, 1), "Not yet. At 5 it is 0.40 to 0.80"),
        (lambda r, g, k: ..., "Not yet. Replace"),
    ],
)
def test_what_a_pool_leaves_open(answer, text):
    assert repr(lesson.check_3(answer)).startswith(text)


def bpref(ranking, grades, *, cap=True, unjudged=False, over=None):
    n = sum(grade > 0 for grade in grades.values())
    above, total, found = 0, 0, 0
    for docid in ranking:
        if grades.get(docid, 0) > 0:
            found += 1
            total += 1 - (
                (min(above, n) if cap else above) / min(n, len(grades) - n) if above else 0
            )
        elif docid in grades or unjudged:
            above += 1
    return total / {None: n, "found": found, "sum": 1}[over]


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (bpref, "Right."),
        (lambda r, g: bpref(r, g, unjudged=True), "Not yet. Unjudged hits are ignored"),
        (lambda r, g: bpref(r, dict.fromkeys(r, 0) | g), "Not yet. Unjudged hits are ignored"),
        (lambda r, g: bpref(r, g, over="found"), "Not yet. Divide by all right documents"),
        (lambda r, g: bpref(r, g, over="sum"), "Not yet. This is the sum"),
        (lambda r, g: bpref(r, g, cap=False), "Not yet. More than R wrong ones"),
        (lambda r, g: 1.0, "Not yet. This is recall"),
        (lambda r, g: 0.123, "Not yet. For x, a, w"),
    ],
)
def test_bpref(answer, text):
    assert repr(lesson.check_4(answer)).startswith(text)


def test_the_check_s_bpref_is_the_library_s():
    pool = lesson.pooled([lesson.WORDS], 5)
    old = {qid: grades for qid, grades in pool.items() if any(grades.values())}
    by_hand = [bpref(lesson.ranking(lesson.WORDS, qid), old[qid]) for qid in old]
    assert by_hand == pytest.approx(lesson.values(lesson.WORDS, old, "Bpref"))


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


def test_the_randomisation_test_of_two_languages_and_its_correction():
    pairs = [("fi", "te"), ("en", "te"), ("ar", "bn")]
    ps, corrected = lesson.randomisation(lesson.RAW, "AP", pairs)
    shown = [lesson.languages(lesson.RAW, "AP", *pair).excludes_zero for pair in pairs]
    assert list(ps < 0.05) == shown
    assert all(corrected >= ps)
