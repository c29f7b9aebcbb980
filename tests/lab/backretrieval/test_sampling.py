import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.backretrieval.sampling import Sampler, mean_and_error

SOURCE = [f"s{number}" for number in range(9)]


def stream(seed=1):
    return np.random.default_rng(seed)


def test_a_matching_sample_has_the_same_ids_in_the_same_order():
    target = SOURCE[::-1]
    sample = Sampler(SOURCE, target, 3).draw_matching(stream())
    assert len(sample) == 3
    assert [SOURCE[row] for row in sample.source] == [target[row] for row in sample.target]


@pytest.mark.parametrize(
    "target", [SOURCE, [*SOURCE[3:], "t1", "t2"], [f"t{row}" for row in range(9)]]
)
@pytest.mark.parametrize("seed", range(5))
def test_a_non_matching_sample_shares_no_id(target, seed):
    sampler = Sampler(SOURCE, target, None)
    sample = sampler.draw_non_matching(stream(seed))
    drawn = {SOURCE[row] for row in sample.source}, {target[row] for row in sample.target}
    assert not drawn[0] & drawn[1]
    assert len(drawn[0]) == len(drawn[1]) == sampler.n


def test_texts_are_as_many_as_there_are():
    assert Sampler(SOURCE, SOURCE, None).n == 4
    sampler = Sampler(SOURCE, ["t1", "t2", "t3"], None)
    assert (sampler.n, sampler.matching) == (3, 0)


def test_seeds_give_different_samples():
    sampler = Sampler(SOURCE, SOURCE, 4)
    assert sampler.draw_matching(stream(1)).source.tolist() != (
        sampler.draw_matching(stream(2)).source.tolist()
    )


def test_too_few_texts():
    with pytest.raises(ConfigError, match="--texts 5 is too large: the data has 4 texts a side"):
        Sampler(SOURCE, SOURCE, 5)
    with pytest.raises(DataError, match="at least two texts"):
        Sampler(["a"], ["a"], None)


def test_the_standard_error_of_a_mean():
    assert mean_and_error([1, 2, 3]) == (2, pytest.approx(1 / 3**0.5))
    assert mean_and_error([1]) == (1, None)
