"""From probabilities to the share of right answers that was observed."""

import pytest

from xorqa.answering.choosing.learned import Bin, LearnedChooser, observed_share, read_bins
from xorqa.core.errors import WeightsError


def test_without_a_table_the_probability_stands() -> None:
    assert observed_share(0.7, ()) == 0.7
    assert read_bins({}) == ()


def test_shares_are_interpolated_and_end_with_the_last_bin() -> None:
    bins = [Bin(0.5, 0.2, 0.1), Bin(0.5, 0.8, 0.7)]
    shares = [observed_share(p, bins) for p in (0.0, 0.1, 0.5, 0.8, 0.99)]
    assert shares == pytest.approx([0.0, 0.05, 0.4, 0.7, 0.7])


def test_bins_out_of_order_are_pooled_by_their_shares() -> None:
    bins = [Bin(0.1, 0.2, 0.1), Bin(0.3, 0.4, 0.5), Bin(0.1, 0.6, 0.3)]
    assert observed_share(0.45, bins) == pytest.approx(0.45)  # p and right of the pooled two
    assert observed_share(1.0, bins) == pytest.approx(0.45)


def test_the_shipped_card_never_promises_more_than_was_observed() -> None:
    bins = LearnedChooser().bins
    assert observed_share(1.0, bins) == max(each.right for each in bins) < 0.9
    shares = [observed_share(percent / 100, bins) for percent in range(101)]
    assert shares == sorted(shares)
    gaps = [each.share * abs(observed_share(each.p, bins) - each.right) for each in bins]
    assert sum(gaps) < 0.002  # the expected calibration error of 0.013 before


@pytest.mark.parametrize(
    "table", [3, [3], [{"p": 1}], [{"p": "x", "share": 1, "right": 1}], "bins"]
)
def test_a_damaged_table_is_refused(table: object) -> None:
    with pytest.raises(WeightsError, match="damaged table 'reliability'"):
        read_bins({"calibration": {"reliability": table}})
