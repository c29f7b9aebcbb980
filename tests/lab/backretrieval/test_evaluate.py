import numpy as np
import pytest

from xorqa.lab.backretrieval.evaluate import best_first, evaluate, to_json
from xorqa.lab.backretrieval.sampling import Sampler

N = 60
IDS = [f"x{number}" for number in range(N)]


@pytest.fixture(scope="module")
def topics():
    """Things in five dimensions; an encoder sees them through noise, and so does a camera."""
    return np.random.default_rng(4).normal(size=(N, 5))


def noisy(topics, noise, seed):
    stream = np.random.default_rng(seed)
    return tuple(topics + noise * stream.normal(size=topics.shape) for _ in range(2))


@pytest.fixture(scope="module")
def results(topics):
    encoders = {f"noise {noise}": noisy(topics, noise, 1) for noise in (0.1, 0.7, 2, 9)}
    return evaluate(encoders, noisy(topics, 0.3, 2), Sampler(IDS, IDS, None), seeds=6, k=3)


def test_better_encoders_have_better_values(results):
    assert results.n == results.matching == 30
    for name in ("BkR", "CORR", "XLR"):
        means = [row[name].mean() for row in results.values.values()]
        assert means == sorted(means, reverse=True), name
    assert best_first(results)[0] == "noise 0.1"


def test_bkr_predicts_xlr(results):
    row = results.correlation()["BkR"]
    assert row["pearson"] > 0.8 and row["spearman"] > 0.8
    assert 0 < row["pearson error"] < 0.2
    assert set(results.p_values()) == {"pearson", "spearman"}
    assert all(0 < p <= 1 for p in results.p_values().values())


def test_json(results):
    values = to_json(results, "en", "ja")
    assert (values["source"], values["target"], values["n"], values["k"]) == ("en", "ja", 30, 3)
    row = values["encoders"]["noise 0.1"]
    assert 0 <= row["BkR"] <= 1 and 0 < row["BkR error"] < 0.2 and row["CORR pair error"] == 0
    assert set(values["correlation"]) == {"BkR", "CORR", "p"}


def test_without_shared_ids_there_is_no_xlr(topics):
    encoders = {"one": noisy(topics, 0.1, 1)}
    sampler = Sampler(IDS, [f"y{number}" for number in range(N)], 10)
    results = evaluate(encoders, noisy(topics, 0.3, 2), sampler, seeds=2, k=3)
    values = to_json(results, "en", "ja")
    assert values["encoders"]["one"]["XLR"] is None
    assert values["correlation"] == {"p": {}}


def test_two_encoders_are_too_few_for_a_correlation(topics):
    encoders = {name: noisy(topics, noise, 1) for name, noise in (("a", 0.1), ("b", 2))}
    results = evaluate(encoders, noisy(topics, 0.3, 2), Sampler(IDS, IDS, None), seeds=2, k=3)
    assert results.correlation() == {} == results.p_values()
