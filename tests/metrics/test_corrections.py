import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.metrics.corrections import CORRECTIONS, benjamini_hochberg, bonferroni, holm

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
