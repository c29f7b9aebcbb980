from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import DataError
from xorqa.lab.common.transforms import fit_transform
from xorqa.lab.lareqa import similarity
from xorqa.lab.lareqa.pool import Pool
from xorqa.lab.lareqa.similarity import (
    Vectors,
    encode_pool,
    lexical_scores,
    read_vectors,
)
from xorqa.models.checkpoints import DEFAULT
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings, encoder_settings


def test_vectors_are_the_encoders(pool: Pool, tiny: Path, tmp_path: Path) -> None:
    vectors = encode_pool(str(tiny), pool, folder=tmp_path)
    encoder = Encoder(EncoderSettings(str(tiny)))
    questions = encoder.queries([row.text for row in pool.questions])
    candidates = encoder.passages([row.text for row in pool.sentences])
    assert vectors.encoder == encoder.fingerprint()
    np.testing.assert_allclose(vectors.questions, questions, atol=1e-2)
    np.testing.assert_allclose(vectors.candidates, candidates, atol=1e-2)
    np.testing.assert_array_equal(
        vectors.scores(slice(1, 3)), vectors.questions[1:3] @ vectors.candidates.T
    )


def test_with_context_the_candidates_are_others(pool: Pool, tiny: Path, tmp_path: Path) -> None:
    alone = encode_pool(str(tiny), pool, folder=tmp_path)
    placed = encode_pool(str(tiny), pool, context=True, folder=tmp_path)
    np.testing.assert_array_equal(alone.questions, placed.questions)
    assert np.abs(alone.candidates - placed.candidates).max() > 0.05


def test_an_interrupted_run_resumes(
    pool: Pool, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(similarity, "SHARD", 5)
    whole = encode_pool(str(tiny), pool, folder=tmp_path / "whole")
    encode = Encoder._encode
    calls: list[int] = []

    def limited(encoder: Encoder, *args: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return encode(encoder, *args, **options)

    monkeypatch.setattr(Encoder, "_encode", limited)
    with pytest.raises(KeyboardInterrupt):
        encode_pool(str(tiny), pool, folder=tmp_path / "killed")
    reports: list[tuple[str, int, int]] = []
    resumed = encode_pool(
        str(tiny), pool, folder=tmp_path / "killed", progress=lambda *call: reports.append(call)
    )
    assert len(calls) == 5 + (3 + 5) - 4
    np.testing.assert_allclose(resumed.candidates, whole.candidates, atol=1e-2)
    assert reports[2] == ("questions", 12, 12)
    assert reports[-1] == ("candidates", 24, 24)
    calls.clear()
    encode_pool(str(tiny), pool, folder=tmp_path / "killed")
    assert not calls


def test_another_encoder_does_not_get_the_vectors(
    pool: Pool, tiny: Path, make_tiny: Callable[..., Path], tmp_path: Path
) -> None:
    first = encode_pool(str(tiny), pool, folder=tmp_path)
    other = encode_pool(str(make_tiny(seed=7)), pool, folder=tmp_path)
    assert first.encoder != other.encoder
    assert np.abs(first.questions - other.questions).max() > 0.05


def test_vectors_from_a_file(pool: Pool, tmp_path: Path) -> None:
    path = tmp_path / "mine.npz"
    questions, candidates = np.ones((12, 3)), np.arange(72, dtype=np.int32).reshape(24, 3)
    np.savez(path, questions=questions, candidates=candidates)
    vectors = encode_pool(str(path), pool, folder=tmp_path / "none")
    np.testing.assert_array_equal(
        vectors.scores(slice(2, 4)), np.tile(candidates.sum(axis=1), (2, 1))
    )
    assert vectors.encoder is None
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"questions": np.ones((12, 3))}, "candidates"),
        ({"questions": np.ones((11, 3)), "candidates": np.ones((24, 3))}, r"\(12, dimensions\)"),
        ({"questions": np.ones((12, 3)), "candidates": np.ones((24, 4))}, r"\(24, 4\)"),
        ({"questions": np.ones(12), "candidates": np.ones((24, 3))}, r"\(12, dimensions\)"),
        ({"questions": np.ones(()), "candidates": np.ones((24, 3))}, r"\(12, dimensions\)"),
        ({"questions": np.full((12, 3), "a"), "candidates": np.ones((24, 3))}, "numbers"),
        ({"questions": np.array([{}] * 12), "candidates": np.ones((24, 3))}, "cannot be read"),
    ],
)
def test_a_file_that_does_not_fit_is_one_clear_line(
    pool: Pool, tmp_path: Path, arrays: dict[str, Any], message: str
) -> None:
    np.savez(tmp_path / "mine.npz", **arrays)
    with pytest.raises(DataError, match=message) as caught:
        read_vectors(tmp_path / "mine.npz", pool)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04half"])
def test_no_file_or_a_damaged_one(pool: Pool, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "mine.npz").write_bytes(content)
    with pytest.raises(DataError, match="cannot be read"):
        read_vectors(tmp_path / "mine.npz", pool)


def test_a_transform_goes_by_language_and_side(pool: Pool) -> None:
    random = np.random.default_rng(3)
    vectors = Vectors(
        random.normal(size=(12, 6)).astype(np.float32),
        random.normal(size=(24, 6)).astype(np.float32) + 4,
        "abc",
    )
    by_key = vectors.by_key(pool)
    assert {key: len(rows) for key, rows in by_key.items()} == {
        (lang, side): count
        for side, count in (("query", 4), ("passage", 8))
        for lang in ("de", "en", "zh")
    }
    moved = vectors.transformed(pool, fit_transform(by_key, "center"))
    zh = np.array([row.lang == "zh" for row in pool.sentences])
    expected = vectors.candidates[zh] - vectors.candidates[zh].mean(axis=0)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(moved.candidates[zh], expected, atol=1e-5)
    assert moved.encoder == "abc"


def test_subsets_of_vectors_and_pool_agree(pool: Pool) -> None:
    vectors = Vectors(np.arange(12.0)[:, None], np.arange(24.0)[:, None])
    subset, rows = pool.subset(lambda article: article == 2), [2, 6, 10]
    vectors = vectors.subset(pool, lambda article: article == 2)
    assert vectors.questions[:, 0].tolist() == rows
    assert [pool.questions[row] for row in rows] == list(subset.questions)
    assert [pool.sentences[int(row)] for row in vectors.candidates[:, 0]] == list(subset.sentences)


def test_bm25_scores_every_sentence_of_all_languages(pool: Pool) -> None:
    scores = lexical_scores(pool)(slice(0, 12))
    assert scores.shape == (12, 24)
    first = scores[0]  # "Nile0 de?"
    answers = [index for index, row in enumerate(pool.sentences) if "q0" in row.answers]
    german = [index for index, row in enumerate(pool.sentences) if row.lang == "de"]
    assert set(np.flatnonzero(first > 0)) == {*answers, *german}
    assert first.argmax() == answers[0]
    np.testing.assert_array_equal(lexical_scores(pool)(slice(3, 5)), scores[3:5])


def test_bm25_of_unknown_words_is_zero(pool: Pool) -> None:
    marks = Pool(
        "marks",
        pool.questions,
        tuple(type(row)(row.lang, "?!", "?!", row.answers, row.article) for row in pool.sentences),
    )
    assert not lexical_scores(marks)(slice(0, 12)).any()


def test_paragraphs_are_second_segments(pool: Pool, tiny_bert: Path, tmp_path: Path) -> None:
    """Vectors that were cached without segments are not taken for these."""
    name = f"{tiny_bert},dtype=float32"
    made = encode_pool(name, pool, context=True, folder=tmp_path)
    assert made.segments
    wanted = Encoder(encoder_settings(name)).passages(
        [(row.text, row.context) for row in pool.sentences]
    )
    np.testing.assert_allclose(made.candidates, wanted, atol=1e-5)
    assert not encode_pool(name, pool, folder=tmp_path).segments
    assert not encode_pool(
        DEFAULT, pool.subset(lambda article: article == 0), context=True, folder=tmp_path
    ).segments
