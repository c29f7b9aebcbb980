import numpy as np
import pytest

from xorqa.lab.backretrieval.sampling import Sampler
from xorqa.lab.backretrieval.text_proxies import mutual_share, text_proxies

N = 200
IDS = [f"{number}" for number in range(N)], [f"{number}" for number in range(N)]
SAMPLER = Sampler(*IDS, None)


def test_mutual_neighbours():
    assert mutual_share(np.eye(3), np.eye(3)[::-1]) == 1
    hub = np.array([[1, 0], [1, 0.1], [1, 0.2]])
    assert mutual_share(hub, np.array([[1, 0.0], [-1, 0], [-1, 0.1]])) == pytest.approx(1 / 3)


def test_language_in_the_vectors_lowers_all_proxies():
    stream = np.random.default_rng(1)
    things = stream.normal(size=(N, 8)).astype("f4")
    noise = 0.5 * stream.normal(size=(N, 8)).astype("f4")
    language = np.zeros(8, np.float32)
    language[:2] = 4
    neutral = text_proxies((things, things + noise), IDS, SAMPLER, seeds=4)
    apart = text_proxies((things + language, things + noise - language), IDS, SAMPLER, seeds=4)
    assert neutral["PROBE"] > 0.3
    assert apart["PROBE"] < 0.1
    assert neutral["MUTUAL"] > apart["MUTUAL"]
    assert apart["GAIN"] < -0.1 < neutral["GAIN"]
