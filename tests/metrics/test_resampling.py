from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.metrics.resampling import (
    CORRECTIONS,
    benjamini_hochberg,
    bonferroni,
    bootstrap,
    holm,
    p_bootstrap,
    p_randomisation,
    randomise,
)


def column(values):
    return np.array(values, dtype=float)[:, None]


def drawn(test, values, samples=2000, seed=1):
    return test({"fi": column(values)}, samples=samples, seed=seed)["fi"][:, 0]


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_randomisation_approaches_all_swaps(tenths):
    """In whole numbers the exact test has no rounding; tenths must not make a difference."""
    swaps = [abs(np.dot(signs, tenths)) for signs in product((-1, 1), repeat=len(tenths))]
    exact = np.mean(np.array(swaps) >= abs(sum(tenths)))
    values = [0.1 * value for value in tenths]
    approximate = p_randomisation(drawn(randomise, values), float(np.mean(values)))
    assert approximate == pytest.approx(exact, abs=0.06)  # five standard errors and more


@pytest.fixture(scope="module")
def differences():
    return np.random.default_rng(3).normal(1.0, 8.0, size=150)


def test_randomisation_as_scipy_has_it(differences):
    stats = pytest.importorskip("scipy.stats")
    peer = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=10_000,
        vectorized=True,
        rng=np.random.default_rng(7),
    ).pvalue
    ours = p_randomisation(drawn(randomise, differences, 10_000), differences.mean())
    assert 0.05 < peer < 0.2
    assert ours == pytest.approx(peer, abs=0.02)


def test_bootstrap_as_scipy_has_it(differences):
    stats = pytest.importorskip("scipy.stats")
    peer = stats.bootstrap(
        (differences,),
        np.mean,
        n_resamples=10_000,
        method="percentile",
        rng=np.random.default_rng(7),
    )
    means = drawn(bootstrap, differences, 10_000)
    close = peer.standard_error / 5
    assert means.std() == pytest.approx(peer.standard_error, rel=0.05)
    assert np.quantile(means, [0.025, 0.975]) == pytest.approx(
        tuple(peer.confidence_interval), abs=close
    )


def test_p_counts_the_observed_scores_as_a_sample():
    means = np.array([-3.0, -1.0, 2.0, 4.0])
    assert p_randomisation(means, 3.0) == 3 / 5
    assert p_randomisation(means, -5.0) == 1 / 5
    assert p_bootstrap(means) == 1.0
    assert p_bootstrap(np.array([1.0] * 98 + [-1.0])) == 2 * 2 / 100
    assert p_bootstrap(np.zeros(9)) == 1.0


def test_p_of_bootstrap_and_percentile_interval_agree(differences):
    means = drawn(bootstrap, differences, 10_000)
    for shift in np.linspace(-2, 2, 41):
        low, high = np.quantile(means + shift, [0.025, 0.975])
        p = p_bootstrap(means + shift)
        assert (low > 0 or high < 0) == (p < 0.05) or p == pytest.approx(0.05, abs=0.001)


@pytest.mark.parametrize("test", [bootstrap, randomise])
def test_a_language_has_a_stream_of_its_own(test):
    fi, te = column([1, 0, 0, 2, 5]), column([1, 0, 0, 2, 5])
    alone = test({"fi": fi}, samples=50, seed=1)["fi"]
    both = test({"ar": te, "fi": fi, "te": te}, samples=50, seed=1)
    assert (both["fi"] == alone).all()
    assert (both["te"] != alone).any()
    assert (test({"fi": fi}, samples=50, seed=2)["fi"] != alone).any()
    wide = test({"fi": np.hstack([fi, -fi])}, samples=50, seed=1)["fi"]
    assert wide == pytest.approx(np.hstack([alone, -alone]))


@pytest.mark.parametrize("test", [bootstrap, randomise])
def test_many_questions_are_drawn_in_parts(test):
    values = np.random.default_rng(1).normal(size=30_000)
    means = drawn(test, values, samples=201)
    assert means.shape == (201,)
    assert len(set(means)) == 201
    assert means.std() == pytest.approx(values.std() / 30_000**0.5, rel=0.25)


PAPER = np.array(
    [  # the example of Benjamini & Hochberg 1995
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
)
SOME = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


def test_four_tests():
    ps = np.array([0.01, 0.04, 0.03, 0.005])
    assert holm(ps) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert bonferroni(ps) == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert benjamini_hochberg(ps) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert CORRECTIONS["none"](ps).tolist() == ps.tolist()


@pytest.mark.parametrize(("name", "rejected"), [("bonferroni", 3), ("holm", 3), ("bh", 4)])
def test_the_example_of_the_paper(name, rejected):
    assert (CORRECTIONS[name](PAPER) <= 0.05).tolist() == [True] * rejected + [False] * (
        len(PAPER) - rejected
    )


@given(SOME)
def test_false_discoveries_as_scipy_has_them(ps):
    stats = pytest.importorskip("scipy.stats")
    assert benjamini_hochberg(ps) == pytest.approx(stats.false_discovery_control(ps))


@given(SOME)
def test_corrections_keep_the_order_and_only_raise(ps):
    order = np.argsort(ps)
    for correct in CORRECTIONS.values():
        corrected = correct(ps)
        assert (np.diff(corrected[order]) >= 0).all()
        assert (corrected >= ps * (1 - 1e-12)).all()
        assert (corrected <= 1).all()
    assert (benjamini_hochberg(ps) <= holm(ps) * (1 + 1e-12)).all()
    assert (holm(ps) <= bonferroni(ps)).all()
