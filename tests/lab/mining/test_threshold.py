from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.mining.threshold import choose_threshold, read_sample

SCORES = {("a", "x"): 1.5, ("b", "y"): 1.3, ("c", "z"): 1.2, ("d", "w"): 1.2, ("e", "v"): 1.0}
SAMPLE = {("a", "x"): True, ("b", "y"): False, ("c", "z"): True, ("d", "w"): True, ("q", "q"): True}


@pytest.mark.parametrize(("precision", "threshold"), [(0.75, 1.2), (0.8, 1.5), (1, 1.5), (0, 1.2)])
def test_the_lowest_score_of_the_precision(precision: float, threshold: float) -> None:
    assert choose_threshold(SCORES, SAMPLE, precision) == (threshold, 4)


def test_pairs_of_equal_score_stay_together() -> None:
    sample = {("c", "z"): True, ("d", "w"): False}
    with pytest.raises(DataError, match=r"no threshold reaches a precision of 0.9 on the 2 labell"):
        choose_threshold(SCORES, sample, 0.9)


def test_a_sample_of_other_pairs() -> None:
    with pytest.raises(DataError, match="no pair of the sample was mined"):
        choose_threshold(SCORES, {("q", "q"): True}, 0.5)


def test_samples_with_and_without_scores(tmp_path: Path) -> None:
    path = tmp_path / "sample.tsv"
    path.write_text("1\ta\tx\n0\t1.3\tb\ty\n")
    assert read_sample(path) == {("a", "x"): True, ("b", "y"): False}
    for text in ("yes\ta\tx\n", "1\ta\n", "1\ta\t\n"):
        path.write_text(text)
        with pytest.raises(DataError, match=r"sample\.tsv, line 1: needs 1 or 0 and two texts"):
            read_sample(path)
    path.write_text("")
    with pytest.raises(DataError, match="has no labelled pair"):
        read_sample(path)
