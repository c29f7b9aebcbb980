import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.lab.common.transforms import fit_transform, save_transform
from xorqa.models import transforms
from xorqa.models.transforms import Transform, mean_difference_directions, open_transform

KEYS = [("fi", "query"), ("fi", "passage"), ("te", "query")]
SEEDS = st.integers(0, 2**32 - 1)


def clouds(seed: int, *, dimensions: int = 6, texts: int = 30) -> dict[tuple[str, str], Any]:
    """Random vectors around another place for each language and side."""
    rng = np.random.default_rng(seed)
    return {
        key: (
            rng.standard_normal((texts, dimensions)) + 3 * rng.standard_normal(dimensions)
        ).astype(np.float32)
        for key in KEYS
    }


def unit(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_centring_subtracts_the_mean_of_the_language_and_side() -> None:
    vectors = clouds(1)
    transform = fit_transform(vectors, "center")
    langs = ["fi", "te", "fi"]
    given = np.concatenate([vectors[lang, "query"][at : at + 1] for at, lang in enumerate(langs)])
    means = np.stack([vectors[lang, "query"].mean(axis=0) for lang in langs])
    moved = transform.apply(given, langs, side="query")
    assert moved.dtype == np.float32
    np.testing.assert_allclose(moved, unit(given - means), atol=1e-5)
    passages = transform.apply(given, ["fi"] * 3, side="passage")
    np.testing.assert_allclose(
        passages, unit(given - vectors["fi", "passage"].mean(axis=0)), atol=1e-5
    )


@given(SEEDS, st.integers(1, 5))
def test_removing_projects_the_first_singular_vectors_out(seed: int, count: int) -> None:
    vectors = clouds(seed, dimensions=12)
    transform = fit_transform(vectors, f"remove:{count}")
    for lang, side in KEYS:
        rows = vectors[lang, side]
        first = np.linalg.svd(rows.astype(np.float64), full_matrices=False)[2][:count]
        wanted = unit(rows - rows @ first.T @ first)
        moved = transform.apply(rows, [lang] * len(rows), side=side)
        np.testing.assert_allclose(moved, wanted, atol=1e-3)
        directions = transform.entries[lang, side][1:]
        np.testing.assert_allclose(directions @ directions.T, np.eye(count), atol=1e-5)


@given(SEEDS)
def test_where_a_language_lies_does_not_matter_once_it_is_centred(seed: int) -> None:
    vectors = clouds(seed)
    far = {key: rows + np.float32(5 * at) for at, (key, rows) in enumerate(vectors.items())}
    for lang, side in KEYS:
        near, moved = (
            fit_transform(some, "center").apply(some[lang, side], [lang] * 30, side=side)
            for some in (vectors, far)
        )
        np.testing.assert_allclose(moved, near, atol=1e-3)


@given(SEEDS)
def test_a_subspace_is_what_the_means_of_languages_differ_in(seed: int) -> None:
    vectors = clouds(seed)
    transform = fit_transform(vectors, "subspace")
    [direction] = mean_difference_directions(
        transform.entries
    )  # one side has two languages, the other one
    apart = vectors["fi", "query"].mean(axis=0) - vectors["te", "query"].mean(axis=0)
    np.testing.assert_allclose(abs(direction @ unit(apart[None])[0]), 1, atol=1e-4)
    for lang, side in KEYS:
        rows = vectors[lang, side]
        wanted = unit(rows - np.outer(rows @ direction, direction))
        for said in ("fi", "te", "qq"):  # no language needs to be known
            moved = transform.apply(rows, [said] * len(rows), side=side)
            np.testing.assert_allclose(moved, wanted, atol=1e-3)


def test_one_language_alone_differs_from_nothing() -> None:
    rows = clouds(2)["fi", "query"]
    transform = fit_transform({("fi", "query"): rows}, "subspace")
    moved = transform.apply(rows, ["fi"] * len(rows), side="query")
    np.testing.assert_allclose(moved, unit(rows), atol=1e-5)


@pytest.mark.parametrize("kind", ["center", "remove:2", "subspace"])
@given(seed=SEEDS)
def test_vectors_come_out_as_units_each_for_itself(kind: str, seed: int) -> None:
    vectors = clouds(seed)
    transform = fit_transform(vectors, kind)
    rows = np.concatenate([vectors["fi", "query"][:4], vectors["te", "query"][:4]])
    before = rows.copy()
    langs = ["fi", "te", "xx", "yy"] * 2
    together = transform.apply(rows, langs, side="query")
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for at, lang in enumerate(langs):
        alone = transform.apply(rows[at : at + 1], [lang], side="query")
        np.testing.assert_allclose(alone[0], together[at], atol=1e-3)
    np.testing.assert_array_equal(rows, before)


@pytest.mark.parametrize("kind", ["center", "remove:1"])
def test_what_has_no_direction_is_zero(kind: str) -> None:
    vectors = clouds(3)
    transform = fit_transform(vectors, kind)
    zero = np.zeros((1, 6), np.float32)
    assert not transform.apply(zero, ["fi"], side="query").any()
    gone = transform.entries["fi", "query"][-1:]  # the mean, or the only direction
    assert not transform.apply(gone, ["fi"], side="query").any()
    assert transform.apply(zero[:0], [], side="query").shape == (0, 6)


def test_an_unknown_language_takes_the_nearest_mean_and_says_so_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    vectors = {
        ("fi", "query"): np.float32([[4, 0], [4, 1]]),
        ("te", "query"): np.float32([[0, 4], [1, 4]]),
    }
    transform = fit_transform(vectors, "center")
    near = np.float32([[5, 1], [1, 5]])
    with caplog.at_level(logging.WARNING):
        moved = transform.apply(near, ["qq", "qq"], side="query")
        transform.apply(near, ["qq", "qq"], side="query")
    np.testing.assert_array_equal(moved, transform.apply(near, ["fi", "te"], side="query"))
    [record] = caplog.records
    assert "not fitted on query vectors in 'qq' (fitted on: fi, te)" in record.getMessage()


def test_a_side_that_is_not_known_is_told() -> None:
    transform = fit_transform({("fi", "query"): np.eye(3, dtype=np.float32)}, "center")
    with pytest.raises(ConfigError, match="on no passage vectors; valid: query"):
        transform.apply(np.eye(3, dtype=np.float32), ["fi"] * 3, side="passage")


@pytest.mark.parametrize("kind", ["middle", "remove", "remove:0", "remove:-1", "center:2", ""])
def test_kinds_that_do_not_exist(kind: str) -> None:
    with pytest.raises(ConfigError, match=f"of kind '{kind}'; valid: center, remove:K"):
        fit_transform({}, kind)


def test_vectors_that_cannot_be_fitted() -> None:
    some = np.eye(3, dtype=np.float32)
    with pytest.raises(ConfigError, match="no side of fi is called 'both'; valid: passage, qu"):
        fit_transform({("fi", "both"): some}, "center")
    for rows, kind in ((some[:0], "center"), (some[:1], "remove:2"), (some, "remove:4")):
        with pytest.raises(DataError, match=r"query vectors .* in 'fi' are too few"):
            fit_transform({("fi", "query"): rows}, kind)
    with pytest.raises(DataError, match="same length"):
        fit_transform({("fi", "query"): some, ("te", "query"): some[:, :2]}, "center")


@pytest.mark.parametrize("kind", ["center", "remove:2", "subspace"])
def test_a_saved_transform_is_the_same(tmp_path: Path, kind: str) -> None:
    fitted = fit_transform(clouds(5), kind)
    transform = Transform(kind, fitted.entries, {"fi.query": {"texts": 30}})
    save_transform(tmp_path / "new" / "a.transform", transform, encoder="e")
    again = open_transform(str(tmp_path / "new" / "a.transform"), encoder="e")
    assert (again.kind, again.card) == (kind, {"fi.query": {"texts": 30}})
    assert again.fingerprint() == transform.fingerprint() == fitted.fingerprint()
    rows = clouds(6)["fi", "query"]
    np.testing.assert_array_equal(
        again.apply(rows, ["fi"] * 30, side="query"), fitted.apply(rows, ["fi"] * 30, side="query")
    )


def test_fingerprints_differ_with_kind_language_and_numbers() -> None:
    rows = clouds(7)["fi", "query"]
    variants = (
        ("fi", rows, "center"),
        ("te", rows, "center"),
        ("fi", rows, "remove:1"),
        ("fi", rows[1:], "center"),
    )
    prints = {
        fit_transform({(lang, "query"): some}, kind).fingerprint() for lang, some, kind in variants
    }
    assert len(prints) == len(variants)


def test_a_transform_is_found_by_name_or_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_transform(tmp_path / "e5.transform", fit_transform(clouds(8), "center"), encoder="one")
    monkeypatch.setattr(transforms, "SHIPPED", tmp_path)
    assert open_transform("e5", encoder="one").kind == "center"
    (tmp_path / "text").write_text("mine")
    save_file({"a": np.zeros(1, np.float32)}, tmp_path / "other")
    for name, encoder, message in (
        ("e5", "two", "was fitted for an encoder with fingerprint one, not two"),
        ("e6", "one", "no transform is called 'e6'; valid: e5"),
        (str(tmp_path / "text"), "one", "text is not a transform file"),
        (str(tmp_path / "other"), "one", "other is not a transform file"),
    ):
        with pytest.raises(WeightsError, match=message) as caught:
            open_transform(name, encoder=encoder)
        assert "\n" not in str(caught.value)
