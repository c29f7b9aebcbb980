import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.planning import laws
from xorqa.lab.planning.laws import Measurement, extrapolate
from xorqa.lab.planning.plan import PLANNABLE
from xorqa.retrieval.vectors.kinds import list_count

COUNTS = st.integers(1, 10**9)


@given(start=st.floats(0, 1e3), slope=st.floats(1e-3, 1e3), count=COUNTS)
def test_a_line_is_continued(start: float, slope: float, count: int) -> None:
    low, high = ((n, start + slope * n) for n in (100, 400))
    assert extrapolate(low, high, count) == pytest.approx(start + slope * count, rel=1e-6)


@given(low=st.floats(0, 1e3), high=st.floats(1e-3, 1e3), count=COUNTS)
def test_noise_never_makes_a_figure_negative(low: float, high: float, count: int) -> None:
    assert extrapolate((100, low), (400, high), count) > 0


@pytest.mark.parametrize("kind", PLANNABLE)
@given(few=st.integers(2000, 10**8), more=st.integers(1, 10**8))
def test_more_passages_never_cost_less(kind: str, few: int, more: int) -> None:
    assert laws.build_cost(kind, few + more) >= laws.build_cost(kind, few)
    if not kind.startswith("ivf"):  # its number of lists is whole, so its search has steps
        assert laws.search_cost(kind, few + more, 8) >= laws.search_cost(kind, few, 8)
    assert laws.growth_law(kind)


def test_searching_lists_grows_as_the_root_and_a_graph_as_the_logarithm() -> None:
    scanned = [laws.search_cost("ivf-sq8", count, 16) for count in (1_000_000, 100_000_000)]
    assert scanned[1] / scanned[0] == pytest.approx(10, rel=0.01)
    assert laws.search_cost("ivf-sq8", 6400, 1000) == 100 + 6400  # at most all lists
    walked = [laws.search_cost("hnsw-sq8", count, 64) for count in (10**4, 10**8)]
    assert walked[1] / walked[0] == pytest.approx(2, rel=0.01)
    assert laws.search_cost("flat", 300, 0) == 300


def test_bytes_of_lists_are_counted_apart() -> None:
    def one(n: int) -> Measurement:
        return Measurement(n, 1000 + 72 * n + 4 * 64 * list_count("ivf-sq8", n), 1.0, 1.0, 8)

    predicted = laws.index_bytes("ivf-sq8", one(5000), one(20_000), 18_000_000, width=64)
    assert predicted == pytest.approx(one(18_000_000).disk)


def test_words_grow_by_heaps_law() -> None:
    assert laws.vocabulary_size((1000, 1414), (50, 100), 10_000) == pytest.approx(14_140, rel=0.01)
    assert laws.vocabulary_size((1000, 1000), (50, 100), 100) == 1000
