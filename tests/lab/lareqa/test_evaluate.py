import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.lab.lareqa.evaluate import EncoderResult, evaluate_encoder
from xorqa.lab.lareqa.pool import Pool


@pytest.fixture
def biased(pool: Pool, tmp_path: Path) -> str:
    """Vectors that tell article and language, the language louder; answers are near questions."""
    random = np.random.default_rng(4)
    tell = np.eye(8)
    langs = {lang: 4 + number for number, lang in enumerate(pool.langs)}

    def rows(texts: Any, answers: list[bool]) -> Any:
        loud = [
            tell[row.article] * (1 if near else 0.2) + 3 * tell[langs[row.lang]]
            for row, near in zip(texts, answers, strict=True)
        ]
        return np.array(loud) + 0.01 * random.normal(size=(len(texts), 8))

    path = tmp_path / "biased.npz"
    questions = rows(pool.questions, [True] * 12)
    candidates = rows(pool.sentences, [bool(row.answers) for row in pool.sentences])
    np.savez(path, questions=questions, candidates=candidates)
    return str(path)


def evaluate(pool: Pool, encoder: str, *transforms: str, **options: Any) -> list[EncoderResult]:
    return list(
        evaluate_encoder(pool, encoder, transforms or ("none",), folder=Path("unused"), **options)
    )


@pytest.mark.parametrize("kind", ["center", "subspace"])
def test_a_transform_takes_the_bias_away(pool: Pool, biased: str, kind: str) -> None:
    raw, moved = evaluate(pool, biased, "none", kind)
    assert raw.measures.overall["mAP"] < moved.measures.overall["mAP"] == 1
    assert raw.probe == {"questions": 1.0, "candidates": 1.0, "en and zh": 1.0}
    assert moved.probe["candidates"] is not None and moved.probe["candidates"] < 1
    assert (raw.name, moved.name) == (biased, f"{biased} {kind}")


def test_transforms_fitted_on_the_evaluated_vectors_are_marked(pool: Pool, biased: str) -> None:
    raw, centred = evaluate(pool, biased, "none", "center")
    [halved] = evaluate(pool, biased, "center", fitted="half")
    assert "diagnostic" not in raw.to_json()
    assert (centred.to_json()["diagnostic"], centred.to_json()["fitted on"]) == (True, "pool")
    assert (halved.to_json()["diagnostic"], halved.to_json()["fitted on"]) == (False, "half")
    assert json.loads(json.dumps(halved.to_json()))["mAP"] == halved.measures.overall["mAP"]


def test_half_is_evaluated_on_articles_that_the_transform_was_not_fitted_on(
    pool: Pool, tmp_path: Path
) -> None:
    random = np.random.default_rng(6)
    questions, candidates = random.normal(size=(12, 5)), random.normal(size=(24, 5))
    np.savez(tmp_path / "a.npz", questions=questions, candidates=candidates)
    [first] = evaluate(pool, str(tmp_path / "a.npz"), "center", fitted="half")
    other = questions.copy()
    other[[row.article % 2 == 0 for row in pool.questions]] += 1  # it was fitted on these
    np.savez(tmp_path / "b.npz", questions=other, candidates=candidates)
    [second] = evaluate(pool, str(tmp_path / "b.npz"), "center", fitted="half")
    assert len(first.points["en", "query"]) == 2  # of four articles
    assert np.abs(first.points["en", "query"] - second.points["en", "query"]).max() > 0.01
    raw = [evaluate(pool, str(tmp_path / name), fitted="half")[0] for name in ("a.npz", "b.npz")]
    assert raw[0].measures == raw[1].measures


def test_points_are_of_english_and_chinese(pool: Pool, biased: str) -> None:
    [result] = evaluate(pool, biased)
    assert {key: rows.shape for key, rows in result.points.items()} == {
        ("en", "query"): (4, 2),
        ("zh", "query"): (4, 2),
        ("en", "passage"): (8, 2),
        ("zh", "passage"): (8, 2),
    }


def test_bm25_has_no_vectors(pool: Pool) -> None:
    [result] = evaluate(pool, "bm25", "center", "none")
    assert result.to_json()["transform"] == "none"
    assert not result.points and not result.probe
    assert 0 < result.measures.overall["mAP"] <= 1


def test_progress_reports_all_questions(pool: Pool, biased: str) -> None:
    reports: list[tuple[str, int, int]] = []
    evaluate(pool, biased, progress=lambda *call: reports.append(call))
    assert reports[-1] == (f"ranking by {biased}", 12, 12)


def test_transforms_that_cannot_be_used(
    pool: Pool, biased: str, tiny: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="cannot be applied to vectors from a file"):
        evaluate(pool, biased, "mine.transform")
    with pytest.raises(ConfigError, match="remove:K"):
        evaluate(pool, biased, "remove:none")
    with pytest.raises(WeightsError, match="no transform is called 'mine'"):
        list(evaluate_encoder(pool, str(tiny), ("mine",), folder=tmp_path))


def test_one_article_cannot_be_halved(pool: Pool, biased: str) -> None:
    with pytest.raises(DataError, match="too few articles"):
        evaluate(pool.subset(lambda article: article == 0), "bm25", fitted="half")
