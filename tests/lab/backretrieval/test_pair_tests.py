from itertools import permutations, product

import numpy as np
import pytest

from xorqa.lab.backretrieval.all_pairs import pairs_to_json
from xorqa.lab.backretrieval.evaluate import Results
from xorqa.lab.backretrieval.pair_tables import pair_tables
from xorqa.lab.backretrieval.pair_tests import pair_tests

PAIRS = list(permutations(("ar", "en", "es"), 2))


def results(**encoders):
    """BkR of each encoder by pair; each value is the mean of two samples."""
    return {
        pair: Results(
            1000,
            10,
            0,
            {
                name: {"BkR": np.array([by_pair[at] - 0.001, by_pair[at] + 0.001])}
                | {"CORR": np.zeros(2)}
                for name, by_pair in encoders.items()
            },
            dict.fromkeys(encoders, 0.0),
        )
        for at, pair in enumerate(PAIRS[: len(next(iter(encoders.values())))])
    }


LABSE = (0.005, 0.006, 0.004, 0.005, 0.007, 0.004)
TRIPLET = (0.009, 0.012, 0.003, 0.010, 0.014, 0.008)


def exact_p(first, second):
    """Two-sided p of all 64 ways to swap the two encoders' values of a pair."""
    differences = np.array(first) - second
    means = [np.mean(differences * signs) for signs in product((1, -1), repeat=len(differences))]
    return np.mean(np.abs(means) >= abs(differences.mean()) - 1e-12)


def test_p_is_that_of_all_ways_to_swap_the_values():
    [test] = pair_tests(results(labse=LABSE, triplet=TRIPLET))
    assert (test.encoder, test.other, test.ahead) == ("triplet", "labse", 5)
    assert test.difference == pytest.approx(np.mean(TRIPLET) - np.mean(LABSE))
    assert test.p == pytest.approx(exact_p(LABSE, TRIPLET), abs=0.01)
    assert test.p == test.p_corrected


def test_each_two_encoders_are_compared_and_p_is_corrected():
    xl = tuple(value + 0.001 for value in TRIPLET)
    tests = pair_tests(results(labse=LABSE, triplet=TRIPLET, xl=xl))
    assert [(test.encoder, test.other) for test in tests] == [
        ("xl", "triplet"),
        ("xl", "labse"),
        ("triplet", "labse"),
    ]
    assert all(test.p_corrected >= test.p for test in tests)
    assert tests[0].p_corrected > tests[0].p


def test_tables_and_json():
    measured = results(labse=LABSE, triplet=TRIPLET)
    grid = pair_tables(measured)[-1]
    assert grid.title == "Differences over pairs"
    assert grid.rows[0][0][:4] == ("triplet", "labse", "4.2", "5/6")
    [row] = pairs_to_json(measured)["differences"]
    assert row["difference"] == pytest.approx(0.00416667, abs=1e-6) and row["ahead"] == 5


def test_nothing_to_compare():
    assert pair_tests(results(labse=LABSE)) == []
    assert pair_tests(results(labse=LABSE[:1], triplet=TRIPLET[:1])) == []
