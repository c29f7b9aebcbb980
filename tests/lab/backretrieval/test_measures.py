import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from tests.lab.backretrieval import brute_force
from xorqa.lab.backretrieval import measures
from xorqa.lab.backretrieval.distances import DistanceCorrelation, pearson, spearman
from xorqa.lab.backretrieval.measures import (
    back_ranks,
    cosine,
    cross_lingual_ranks,
    csls,
    recall,
)

STREAM = np.random.default_rng(1)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Samples of the tests have several blocks."""
    monkeypatch.setattr(measures, "_BLOCK", 3)


@st.composite
def samples(draw):
    """Source and target texts, source and target images: small integers, so ties are frequent."""
    n = draw(st.integers(1, 8))
    return [draw(arrays(np.int64, (n, 2), elements=st.integers(-2, 2))) for _ in range(4)]


@given(samples(), st.integers(1, 3))
def test_the_measures_equal_a_brute_force_with_ties(sample, k):
    source, target, source_images, target_images = sample
    texts, images = cosine(source, target), cosine(target_images, source_images)
    n = len(source)
    assert recall(cross_lingual_ranks(texts, n), k) == brute_force.xlr(source, target, k)
    assert recall(back_ranks(texts, images, n), k) == brute_force.bkr(*sample, k)
    correlation, error = DistanceCorrelation(images, n, STREAM)(texts)
    assert (correlation, error) == (pytest.approx(brute_force.corr(*sample), abs=1e-6), 0)


@given(samples())
def test_with_identity_as_image_similarity_bkr_at_1_is_xlr_at_1(sample):
    source, target, *_ = sample
    n, texts = len(source), cosine(source, target)
    back = back_ranks(texts, lambda rows, columns: np.eye(n)[rows, columns], n)
    assert recall(back, 1) == recall(cross_lingual_ranks(texts, n), 1)


def test_with_random_image_similarity_bkr_is_k_of_n():
    stream = np.random.default_rng(5)
    n, k, trials = 50, 10, 40
    texts = cosine(stream.normal(size=(n, 8)), stream.normal(size=(n, 8)))
    shares = []
    for _ in range(trials):
        random = stream.random((n, n)).astype(np.float32)
        shares.append(
            recall(back_ranks(texts, lambda rows, columns, m=random: m[rows, columns], n), k)
        )
    error = np.sqrt(k / n * (1 - k / n) / (n * trials))
    assert abs(np.mean(shares) - k / n) < 4 * error


def test_equal_texts_are_ties_despite_rounding():
    stream = np.random.default_rng(3)
    texts = np.repeat(stream.normal(size=(1, 384)), 7, axis=0)
    assert cross_lingual_ranks(cosine(texts, texts), 7).tolist() == [7] * 7


@given(st.lists(st.integers(-9, 9).map(float) | st.floats(-1e9, 1e9), min_size=2))
def test_spearman_is_that_of_scipy(values):
    others = np.arange(len(values)) ** 2.0
    expected = spearmanr(np.round(values, 6), others).statistic if len({*values}) > 1 else 0
    assert spearman(np.array(values), others) == pytest.approx(np.nan_to_num(expected), abs=1e-9)


def test_a_constant_side_has_no_correlation():
    same, different = np.ones(4), np.arange(4.0)
    assert pearson(same, different) == spearman(different, same) == 0


def test_sampled_pairs_give_the_exact_correlation_within_their_error():
    stream = np.random.default_rng(2)
    n = 60
    texts = stream.normal(size=(2, n, 4))
    noisy = texts + stream.normal(size=texts.shape)
    similarity, images = cosine(*texts), cosine(*noisy[::-1])
    exact, nothing = DistanceCorrelation(images, n, stream)(similarity)
    sampled, error = DistanceCorrelation(images, n, stream, exact=10, pairs=20_000)(similarity)
    assert exact > 0.2 and nothing == 0
    assert 0 < error < 0.02
    assert abs(sampled - exact) < 4 * error


def test_csls_is_that_of_its_definition_and_demotes_a_hub():
    rows, columns = STREAM.normal(size=(7, 4)), STREAM.normal(size=(5, 4))
    cosines = cosine(rows, columns)(slice(None), slice(None))
    means = [np.sort(similarities, axis=1)[:, -2:].mean(1) for similarities in (cosines, cosines.T)]
    expected = 2 * cosines - means[0][:, None] - means[1]
    scores = csls(rows, columns, neighbours=2)
    np.testing.assert_allclose(scores(slice(None), slice(None)), expected, atol=1e-5)
    np.testing.assert_allclose(scores(slice(2, 5), slice(1, 3)), expected[2:5, 1:3], atol=1e-5)
    texts = np.eye(3)
    hub = np.array([[1, 0, 0], [0, 1, 0], [0.9, 0.9, 0.9]])
    nearest = [
        measure(texts, hub)(slice(None), slice(None)).argmax(1)[2] for measure in (cosine, csls)
    ]
    assert nearest[0] == 2
    many = np.array([[1, 0, 0.9], [0, 1, 0.9], [0.3, 0.3, 1]])
    demoted = csls(many, hub, neighbours=3)(slice(None), slice(None)).argmax(1).tolist()
    plain = cosine(many, hub)(slice(None), slice(None)).argmax(1).tolist()
    assert plain == [2, 2, 2] and demoted == [0, 1, 2]
