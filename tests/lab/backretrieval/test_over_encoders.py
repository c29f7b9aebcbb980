import numpy as np
import pytest

from xorqa.lab.backretrieval.distances import pearson, spearman
from xorqa.lab.backretrieval.evaluate import Results, to_json
from xorqa.lab.backretrieval.over_encoders import RESAMPLES, interval, resampled_correlations
from xorqa.lab.backretrieval.tables import result_tables


def results(bkr, xlr):
    """Results of three seeds with a little noise; a row of values per encoder."""
    noise = np.random.default_rng(5).normal(scale=0.002, size=(3, 3, len(bkr)))
    values = {
        f"encoder {at}": {
            "BkR": bkr[at] + noise[0, :, at],
            "CORR": noise[1, :, at],
            "XLR": xlr[at] + noise[2, :, at],
        }
        for at in range(len(bkr))
    }
    return Results(100, 10, 100, values, dict.fromkeys(values, 0.0))


def test_a_resample_is_a_correlation_of_the_drawn_encoders():
    stream = np.random.default_rng(3)
    values, xlr = stream.random((2, 4, 6)).round(1)  # with ties
    drawn = np.random.default_rng([1, *b"encoders"]).integers(6, size=(RESAMPLES, 6))
    kept = [row for row in drawn if len(set(row)) >= 3]
    resampled = resampled_correlations(values, xlr)
    for kind, function in (("pearson", pearson), ("spearman", spearman)):
        assert len(resampled[kind]) == len(kept)
        for at in range(0, 100, 7):
            pairs = zip(values[:, kept[at]], xlr[:, kept[at]], strict=True)
            expected = np.mean([function(*pair) for pair in pairs])
            assert resampled[kind][at] == pytest.approx(expected)


def test_two_clusters_prove_little_of_the_order_within_them():
    """Pearson is 0.99 in both; only the interval shows that one rests on two encoders."""
    line = np.linspace(0, 1, 7)
    clusters = np.array([0.02, 0.05, 0.03, 0.04, 0.01, 0.03, 1.0])
    others = np.array([0.03, 0.02, 0.05, 0.01, 0.04, 0.02, 1.0])
    sure, unsure = (results(*pair) for pair in ((line, line), (clusters, others)))
    for each in (sure, unsure):
        row = each.correlation()["BkR"]
        assert row["pearson"] > 0.98 and row["pearson error"] < 0.01
    assert sure.intervals()["BkR"]["pearson"][0] > 0.98
    assert unsure.intervals()["BkR"]["pearson"][0] < 0


def test_an_interval_has_95_percent():
    assert interval(np.arange(1001.0)) == pytest.approx((25, 975))


def test_the_difference_is_paired_and_in_table_and_json():
    line = np.linspace(0.1, 0.9, 8)
    measured = results(line, line)
    low, high = measured.intervals()["BkR - CORR"]["pearson"]
    assert 0 < low < high
    _, table = result_tables(measured, "en", "ja")
    assert table.header[:4] == ("measure", "pearson", "pearson SE", "95 %")
    assert table.rows[0][0][3] == "1.00 to 1.00"
    assert (
        f"BkR less CORR over the encoders, 95 %: pearson {low:.2f} to {high:.2f}" in table.caption
    )
    row = to_json(measured, "en", "ja")["correlation"]
    assert row["BkR"]["pearson interval"] == pytest.approx(measured.intervals()["BkR"]["pearson"])
    assert row["BkR - CORR"]["pearson interval"] == pytest.approx((low, high))


def test_four_encoders_have_a_correlation_and_no_interval():
    few = results(np.arange(4) / 4, np.arange(4) / 4)
    assert few.correlation() and few.intervals() == {}
    assert result_tables(few, "en", "ja")[1].rows[0][0][3] == "–"
