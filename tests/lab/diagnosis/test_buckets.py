"""Buckets: quantiles, edges, categories, missing values; they partition the questions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.diagnosis.buckets import MAX_CATEGORIES, MISSING, make_buckets


def counts(values, **options):
    buckets = make_buckets(values, feature="f", **options)
    of = np.bincount(buckets.of, minlength=len(buckets.buckets))
    return {b.name: int(n) for b, n in zip(buckets.buckets, of, strict=True)}


def test_quantiles_of_whole_numbers():
    buckets = make_buckets([1, 2, 3, 4, 5, 6, 7, 8], feature="f")
    assert buckets.rule == "4 quantiles"
    assert [b.name for b in buckets.buckets] == ["1", "2–3", "4–5", "6–8"]
    assert [(b.low, b.high) for b in buckets.buckets] == [(1, 2), (2, 4), (4, 6), (6, 8)]
    assert counts([1, 1, 1, 1, 1, 1, 2, 9]) == {"1": 6, "2–9": 2}
    assert counts([5, 5, 5]) == {"5": 3}


def test_edges_include_their_lower_bound():
    assert counts([1, 2, 3, 5, 40], edges=(2, 6)) == {"≤ 1": 1, "2–5": 3, "≥ 6": 1}
    assert counts([0.1, 0.25, 0.7], edges=(0.25, 0.5)) == {
        "< 0.25": 1,
        "0.25–0.5": 1,
        "≥ 0.5": 1,
    }
    with pytest.raises(ConfigError, match="must increase"):
        make_buckets([1], feature="f", edges=(2, 2))
    with pytest.raises(ConfigError, match="no edges"):
        make_buckets(["a"], feature="f", edges=(2,))


def test_categories_are_ordered_and_rare_ones_share_a_bucket():
    assert list(counts(["b", "a", "b", None])) == ["b", "a", MISSING]
    assert list(counts(["b", "a", "b"], order=("a", "b"))) == ["a", "b"]
    many = counts([f"{number:03}" for number in range(MAX_CATEGORIES + 9)])
    assert len(many) == MAX_CATEGORIES and many["10 rarer values"] == 10


def test_missing_values_have_a_bucket():
    assert counts([1, None, float("nan")]) == {"1": 1, MISSING: 2}
    assert counts([None, None]) == {MISSING: 2}
    assert counts(["missing", "a"]) == {"a": 1, MISSING: 1}


def test_mixed_and_infinite_values_are_rejected():
    with pytest.raises(DataError, match="one kind"):
        make_buckets([1, "a"], feature="f")
    with pytest.raises(DataError, match="infinite"):
        make_buckets([float("inf")], feature="f")


def test_names_have_as_many_digits_as_it_takes():
    buckets = make_buckets([2, 2.00390625], feature="f", quantiles=2)
    assert [bucket.name for bucket in buckets.buckets] == ["2–2.004", "2.004"]


@given(
    st.lists(st.none() | st.floats(-50, 50) | st.integers(-5, 5), min_size=1),
    st.integers(1, 6),
)
def test_every_value_is_in_the_bucket_that_holds_it(values, quantiles):
    buckets = make_buckets(values, feature="f", quantiles=quantiles)
    assert len({b.name for b in buckets.buckets}) == len(buckets.buckets)
    assert sum(counts(values, quantiles=quantiles).values()) == len(values)
    last = max((b.high for b in buckets.buckets if b.high is not None), default=None)
    for value, number in zip(values, buckets.of, strict=True):
        bucket = buckets.buckets[number]
        assert (value is None) == (bucket.name == MISSING)
        if value is not None:
            assert bucket.low <= value < bucket.high or value == bucket.high == last
