import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.lareqa.geometry import principal_components, probe_accuracy

RANDOM = np.random.default_rng(5)


def test_most_of_the_variance_is_on_the_first_component() -> None:
    vectors = RANDOM.normal(size=(200, 6)) * [1, 1, 9, 1, 4, 1] + 100
    shown = principal_components(vectors)
    assert shown.shape == (200, 2)
    assert abs(np.corrcoef(shown[:, 0], vectors[:, 2])[0, 1]) > 0.99
    assert abs(np.corrcoef(shown[:, 1], vectors[:, 4])[0, 1]) > 0.97
    np.testing.assert_allclose(shown.mean(axis=0), 0, atol=1e-9)


def test_components_do_not_depend_on_the_order_of_rows() -> None:
    vectors = RANDOM.normal(size=(30, 4))
    order = RANDOM.permutation(30)
    np.testing.assert_allclose(
        principal_components(vectors[order]), principal_components(vectors)[order], atol=1e-9
    )


@given(st.integers(1, 4), st.integers(1, 3))
def test_few_vectors_or_dimensions_still_have_two_coordinates(rows: int, columns: int) -> None:
    shown = principal_components(np.ones((rows, columns), np.float32))
    assert shown.shape == (rows, 2)
    np.testing.assert_allclose(shown, 0)


def pool(*, shift: float) -> tuple[np.ndarray, list[str], list[int]]:
    """Vectors of 3 languages and 12 articles; `shift` moves each language its own way."""
    langs = [lang for lang in ("de", "en", "th") for _ in range(120)]
    articles = [number % 12 for number in range(360)]
    vectors = RANDOM.normal(size=(360, 8))
    vectors[:, :3] += shift * np.eye(3)[[("de", "en", "th").index(lang) for lang in langs]]
    return vectors.astype(np.float32), langs, articles


def test_a_probe_separates_distinct_languages() -> None:
    assert probe_accuracy(*pool(shift=12)) == 1.0


def test_a_probe_is_at_chance_for_identically_distributed_languages() -> None:
    accuracy = probe_accuracy(*pool(shift=0))
    assert accuracy is not None
    assert 0.15 < accuracy < 0.5


def test_the_scale_of_the_vectors_does_not_matter_and_the_seed_does() -> None:
    vectors, langs, articles = pool(shift=1)
    first = probe_accuracy(vectors, langs, articles)
    assert probe_accuracy(vectors, langs, articles) == first
    assert probe_accuracy(vectors * 1024 + 7, langs, articles) == pytest.approx(first, abs=0.02)
    assert len({probe_accuracy(vectors, langs, articles, seed=seed) for seed in range(8)}) > 1


def test_topics_of_held_out_articles_are_not_learned() -> None:
    """Where a vector tells its article alone, and each article has one language, none is known."""
    articles = [number // 4 for number in range(48)]
    langs = ["de" if article % 2 else "en" for article in articles]
    vectors = np.eye(12, dtype=np.float32)[articles]
    accuracy = probe_accuracy(vectors, langs, articles)
    assert accuracy is not None
    assert accuracy <= 0.75


def test_a_probe_needs_two_articles_and_two_languages() -> None:
    vectors = np.zeros((4, 2), np.float32)
    assert probe_accuracy(vectors, ["de", "en"] * 2, [1] * 4) is None
    assert probe_accuracy(vectors, ["de"] * 4, [1, 1, 2, 2]) is None
