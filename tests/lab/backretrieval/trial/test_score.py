import json

import numpy as np
import pytest

from xorqa.lab.backretrieval.trial.files import Key
from xorqa.lab.backretrieval.trial.score import outcome_grids, score_trial


def key(queries, shared=()):
    """Item a of each query is by x, b by y; those in `shared` are by both."""
    by = {
        f"{number}{letter}": (name,)
        for number in range(1, queries + 1)
        for letter, name in ("ax", "by")
    }
    return Key("t", ("x", "y"), by | dict.fromkeys(shared, ("x", "y")))


def test_shares_ratio_and_intervals():
    scores = {f"{n}a": 1 if n <= 12 else 4 for n in range(1, 21)}
    scores |= {f"{n}b": 1 if n <= 3 else 2 for n in range(1, 21)}
    outcome = score_trial(key(20), scores)
    x, y = outcome.shares
    assert (x.counts, y.counts) == ((12, 0, 0, 8), (3, 17, 0, 0))
    assert (x.share, y.share) == (0.6, 0.15)
    # the interval of a share of 20 independent queries is that of a binomial
    low, high = np.quantile(
        np.random.default_rng(1).binomial(20, 0.6, 100_000) / 20, (0.025, 0.975)
    )
    assert (x.low, x.high) == pytest.approx((low, high), abs=0.051)
    [ratio] = outcome.ratios
    assert (ratio.encoder, ratio.other, ratio.ratio) == ("x", "y", 4)
    assert ratio.low > 1 and ratio.p < 0.02 and ratio.p_corrected == ratio.p


def test_a_text_that_both_suggest_counts_for_both():
    outcome = score_trial(key(2, shared=["1a"]), {"1a": 1, "1b": 3, "2a": 4})
    assert [row.counts for row in outcome.shares] == [(1, 0, 0, 1), (1, 0, 1, 0)]
    assert (outcome.queries, outcome.missing) == (2, 1)
    assert "1 items have no score." in outcome_grids(outcome)[0].caption


def test_no_very_relevant_suggestion_of_the_other():
    outcome = score_trial(key(3), {"1a": 1, "1b": 2, "2a": 1, "2b": 3, "3a": 2, "3b": 4})
    [ratio] = outcome.ratios
    assert ratio.ratio is None and ratio.high is None
    assert outcome_grids(outcome)[1].rows[0][0][2] == "–"
    json.dumps(outcome.to_json(), allow_nan=False)


def test_the_better_one_comes_first():
    [ratio] = score_trial(key(2), {"1a": 2, "1b": 1, "2a": 4, "2b": 1}).ratios
    assert (ratio.encoder, ratio.other) == ("y", "x")
