from functools import partial

import numpy as np
import pytest

from xorqa.lab.backretrieval.evaluate import add_noise, evaluate
from xorqa.lab.backretrieval.limits import (
    degrade,
    limit_table,
    limits_to_json,
    vary_texts,
)
from xorqa.lab.backretrieval.sampling import Sampler

N = 60
IDS = [f"{number}" for number in range(N)]


@pytest.fixture
def world():
    """Things in six groups; encoders of different strength, and images that show the group."""
    stream = np.random.default_rng(3)
    things = np.repeat(np.eye(6), N // 6, axis=0) + 0.3 * stream.normal(size=(N, 6))

    def views(noise):
        return tuple((things + noise * stream.normal(size=things.shape)).astype("f4") for _ in "ab")

    encoders = {f"noise {noise}": views(noise) for noise in (0.1, 0.4, 0.8, 1.5, 4)}
    return encoders, views(0.1)


def test_noise_ends_in_chance(world):
    encoders, images = world
    sampler = Sampler(IDS, IDS, None)
    again = partial(evaluate, encoders, seeds=20, k=5)
    rows = degrade(again, images, sampler, k=5, levels=(0, 0.5, 1))
    qualities = [row.images for row in rows]
    assert qualities[0] > 0.8 > qualities[1] > qualities[2]
    best = [max(scores["BkR"].mean() for scores in row.results.values.values()) for row in rows]
    assert best[0] > best[1] > best[2] == pytest.approx(5 / 30, abs=0.06)
    first, _, last = (row.results.correlation()["BkR"]["pearson"] for row in rows)
    assert first > 0.8
    assert abs(last) < 0.5
    table = limit_table(rows, "noise", "share", "")
    assert table.header[:3] == ("share", "images", "BkR pearson")
    assert [row[0] for row in table.rows[0]] == ["0", "0.5", "1"]
    assert [row["setting"] for row in limits_to_json(rows)] == [0, 0.5, 1]


def test_noise_is_a_share_of_the_squared_length_and_another_in_each_sample():
    stream = np.random.default_rng(1)
    images = stream.normal(size=(9, 400)).astype("f4"), stream.normal(size=(7, 400)).astype("f4")
    assert add_noise(images, 0, seed=1) is images
    for before, after in zip(images, add_noise(images, 0.36, seed=1), strict=True):
        units = before / np.linalg.norm(before, axis=1, keepdims=True)
        np.testing.assert_allclose((units * after).sum(axis=1), 0.8, atol=0.1)
    first, again, other = (add_noise(images, 0.5, seed=seed)[0] for seed in (1, 1, 2))
    assert (first == again).all() and (first != other).any()


def test_more_texts_give_smaller_errors(world):
    encoders, images = world
    again = partial(evaluate, encoders, seeds=20, k=5)
    small, large = vary_texts(again, images, (IDS, IDS), (8, 30))
    assert (small.results.n, large.results.n) == (8, 30)
    errors = [row.results.correlation()["BkR"]["pearson error"] for row in (small, large)]
    assert errors[0] > errors[1]
    assert limit_table([small, large], "texts", "n", "").header[1] == "BkR pearson"
