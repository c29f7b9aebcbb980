import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.metrics.ranking import MEASURES, average_precision, score_ranking
from xorqa.metrics.report import average

OURS = ("mAP(pool)", "mAP@20")

# Ties, scores that are equal as 32-bit floats only, and docids whose order is not their length's.
docids = st.sampled_from([f"d{number}" for number in range(30)] + ["D", "ä", "日本"])
close = st.sampled_from([0.0, 1.0, 1.0 + 1e-12, 1.0 - 1e-12, -1.0, 1e9, 1e9 + 1e-6])
docs = st.dictionaries(docids, close, min_size=1)
grades = st.dictionaries(docids, st.integers(-1, 3), min_size=1)


def values(run, qrels, *measures):
    """The values of the only query, in the order of the measures."""
    (score,) = score_ranking({"q": run}, {"q": qrels}, measures=measures).scores
    assert list(score.values) == list(dict.fromkeys(measures))
    return [score.values[name] for name in measures]


def best_first(run):
    return sorted(sorted(run), key=lambda docid: run[docid], reverse=True)  # sorted is stable


def reference(name, run, qrels, k=None):
    """Each measure as its definition says, the slow way."""
    relevant = {docid for docid, grade in qrels.items() if grade > 0}
    top = best_first(run)[:k]
    hits = [rank for rank, docid in enumerate(top, 1) if docid in relevant]
    if not relevant:
        return 0.0
    precisions = sum(len(relevant & set(top[:rank])) / rank for rank in hits)
    gains = sorted((grade for grade in qrels.values() if grade > 0), reverse=True)
    return {
        "AP": precisions / len(relevant),
        "mAP": precisions / min(len(relevant), k or len(relevant)),
        "RR": 1 / hits[0] if hits else 0.0,
        "R": len(hits) / len(relevant),
        "Success": float(bool(hits)),
        "nDCG": sum(qrels[top[rank - 1]] / math.log2(rank + 1) for rank in hits)
        / sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], 1)),
    }[name]


@given(docs, grades, st.integers(1, 35))
def test_map_is_the_papers(run, qrels, k):
    expected = [reference("mAP", run, qrels), reference("mAP", run, qrels, 20)]
    assert values(run, qrels, *OURS) == pytest.approx(expected)
    relevant = {docid for docid, grade in qrels.items() if grade > 0}
    ranking = np.array([docid in relevant for docid in best_first(run)])
    found = average_precision(ranking, len(relevant), cutoff=k)
    assert found == pytest.approx(reference("mAP", run, qrels, k))


@given(docs, grades, st.integers(1, 35))
def test_trec_eval_follows_our_tie_rule(run, qrels, k):
    names = [(name, None) for name in ("AP", "RR", "nDCG")]
    names += [(name, k) for name in ("AP", "RR", "nDCG", "R", "Success")]
    asked = [name if cutoff is None else f"{name}@{cutoff}" for name, cutoff in names]
    expected = [reference(name, run, qrels, cutoff) for name, cutoff in names]
    assert values(run, qrels, *asked) == pytest.approx(expected)


def test_grades_below_zero_are_none():
    """trec_eval alone never came back from the first of these."""
    assert values({"d4": 1.0}, {"d0": -1, "d10": -1}, *MEASURES) == [0.0] * len(MEASURES)
    assert values({"a": 2.0, "b": 1.0}, {"a": -1, "b": 1}, "RR", "AP") == [0.5, 0.5]


def test_a_tie_goes_to_the_smaller_docid():
    tie = {"a": 1.0, "b": 1.0}
    assert values(tie, {"a": 1}, "RR", "mAP(pool)", "RR@1") == [1.0, 1.0, 1.0]
    assert values(tie, {"b": 1}, "RR", "mAP(pool)", "RR@1") == [0.5, 0.5, 0.0]


def test_scores_that_32_bits_cannot_distinguish():
    near = {"a": 1.0, "b": 1.0 + 1e-12}
    assert values(near, {"b": 1}, "AP", "mAP@20") == [1.0, 1.0]


def test_more_than_a_thousand_results_count():
    run = {f"d{rank:04}": -float(rank) for rank in range(1, 1501)}
    asked = ("AP", "RR", "R@1000", "R@1200", "Success@1199", "mAP(pool)", "mAP@20")
    expected = [1 / 1200, 1 / 1200, 0, 1, 0, 1 / 1200, 0]
    assert values(run, {"d1200": 1}, *asked) == pytest.approx(expected)


def test_map_at_20_divides_by_20_at_most():
    run = {f"d{rank:02}": -float(rank) for rank in range(40)}
    qrels = dict.fromkeys(run, 1)
    assert values(run, qrels, "mAP@20", "AP@20", "mAP(pool)") == pytest.approx([1.0, 0.5, 1.0])


@given(docs, grades)
def test_recall_and_success_never_fall_as_k_grows(run, qrels):
    for name in ("R", "Success"):
        found = values(run, qrels, *(f"{name}@{k}" for k in range(1, 35)))
        assert found == sorted(found)


@given(grades.filter(lambda qrels: max(qrels.values()) > 0))
def test_a_perfect_ranking_scores_1(qrels):
    found = values({docid: float(grade) for docid, grade in qrels.items()}, qrels, *MEASURES, *OURS)
    assert found == pytest.approx([1.0] * len(found))


@given(
    st.dictionaries(st.sampled_from("abcd"), docs),
    st.dictionaries(st.sampled_from("abc"), grades),
    st.randoms(),
)
def test_the_order_of_the_input_does_not_matter(run, qrels, rng):
    def shuffled(mapping):
        return dict(rng.sample(sorted(mapping.items()), len(mapping)))

    there = score_ranking(run, qrels, measures=[*MEASURES, *OURS])
    back = score_ranking(
        shuffled({qid: shuffled(some) for qid, some in run.items()}),
        shuffled({qid: shuffled(some) for qid, some in qrels.items()}),
        measures=[*MEASURES, *OURS],
    )
    assert sorted(back.scores, key=lambda score: score.qid) == sorted(
        there.scores, key=lambda score: score.qid
    )
    assert {score.qid for score in there.scores} == set(qrels)
    assert set(there.missing) == set(qrels) - set(run)
    assert set(there.extra) == set(run) - set(qrels)
    assert all(0 <= value <= 1 for score in there.scores for value in score.values.values())


def test_missing_queries_score_0_and_extra_ones_are_reported():
    run = {"q1": {"a": 1.0}, "q2": {}, "q9": {"a": 1.0}}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    result = score_ranking(run, qrels, measures=["AP", "mAP@20", "NDCG@5"])
    assert [dict(score.values) for score in result.scores] == [
        {"AP": 1.0, "mAP@20": 1.0, "NDCG@5": 1.0},
        *[{"AP": 0.0, "mAP@20": 0.0, "NDCG@5": 0.0}] * 2,
    ]
    assert result.missing == ("q2", "q3")
    assert result.extra == ("q9",)
    assert score_ranking({}, qrels).missing == tuple(qrels)


def test_languages():
    run, qrels = {"q1": {"a": 1.0}}, {"q1": {"a": 1}, "q2": {"a": 1}}
    assert {score.lang for score in score_ranking(run, qrels).scores} == {"all"}
    ours = score_ranking(run, qrels, langs={"q1": "fi", "q2": "te"})
    report = average(ours.scores, task="ranking", scorer="strict")
    assert {lang: means["AP"] for lang, means in report.per_lang.items()} == {"fi": 100, "te": 0}
    assert report.measures == MEASURES
    with pytest.raises(DataError, match="query 'q2' of the qrels has no language"):
        score_ranking(run, qrels, langs={"q1": "fi"})


@pytest.mark.parametrize(
    "name",
    [
        "",
        "foo",
        "R",
        "R@0",
        "AP@-1",
        "R@True",
        "AP(rel=0)",
        "P(x=1)@5",
        "R@'5'",
        "x y",
        "mAP(pol)",
        "mAP@10",
        "NumRet",
        "alpha_nDCG@10",
    ],
)
def test_unknown_measures(name):
    with pytest.raises(ConfigError, match=r"no measure is called '.*AP, .*, mAP@20, nDCG"):
        score_ranking({}, {}, measures=["AP", name])


def test_a_score_that_is_not_a_number():
    with pytest.raises(DataError, match="docid 'a' cannot be ranked"):
        score_ranking({"q": {"a": math.nan}}, {"q": {"a": 1}})


def test_average_precision_by_hand():
    ranking = np.array([True, False, True, False, True])
    assert average_precision(ranking, 4) == pytest.approx((1 + 2 / 3 + 3 / 5) / 4)
    assert average_precision(ranking, 4, cutoff=3) == pytest.approx((1 + 2 / 3) / 3)
    assert average_precision(ranking[:0], 4) == 0
    assert average_precision(np.array([False]), 0) == 0
