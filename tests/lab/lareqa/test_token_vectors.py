"""MaxSim over a pool: the search's own scores, and an interrupted run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.lab.lareqa import token_vectors
from xorqa.lab.lareqa.evaluate import evaluate_encoder
from xorqa.lab.lareqa.pool import Pool
from xorqa.lab.lareqa.token_vectors import encode_pool_tokens
from xorqa.retrieval.late_interaction import LateInteraction


@pytest.fixture(autouse=True)
def _in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_vectors, "TOKENS", 20)
    monkeypatch.setattr(token_vectors, "SHARD", 5)


def test_scores_are_those_of_the_retriever(pool: Pool, tiny: Path, tmp_path: Path) -> None:
    vectors = encode_pool_tokens(str(tiny), pool, folder=tmp_path / "vectors")
    passages = [
        Passage(str(at), sentence.text, lang=sentence.lang)
        for at, sentence in enumerate(pool.sentences)
    ]
    retriever = LateInteraction(
        str(tiny),
        transform="none",
        kind="float32",
        corpus=Corpus("pool", passages),
        folder=tmp_path / "index",
    )
    questions = pool.questions[2:7]
    queries = [Query(Question("q", row.text, row.lang), row.text, row.lang) for row in questions]
    scores = vectors.scores(slice(2, 7))
    for row, hits in zip(scores, retriever.retrieve(queries, k=99), strict=True):
        expected = [hit.score for hit in sorted(hits, key=lambda hit: int(hit.passage.docid))]
        np.testing.assert_allclose(row, expected, atol=1e-4)


@pytest.mark.parametrize("fitted", ["pool", "half"])
def test_transforms_are_of_tokens(pool: Pool, tiny: Path, tmp_path: Path, fitted: Any) -> None:
    options = {"late_interaction": True, "fitted": fitted, "folder": tmp_path}
    raw, centred = evaluate_encoder(pool, str(tiny), ("none", "center"), **options)
    assert [result.name for result in (raw, centred)] == [
        f"{tiny} MaxSim",
        f"{tiny} MaxSim center",
    ]
    assert raw.to_json()["late interaction"] is True
    assert raw.measures.overall != centred.measures.overall
    assert not raw.probe and not raw.points


def test_an_interrupted_run_keeps_what_it_scored(
    pool: Pool, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("xorqa.lab.lareqa.ranks._BATCH", 5)
    scored: list[int] = []
    maxsim = token_vectors.TokenVectors._maxsim

    def killed_after_two(vectors: Any, questions: Any) -> Any:
        if len(scored) == 2:
            raise KeyboardInterrupt
        scored.append(len(questions))
        return maxsim(vectors, questions)

    def measures() -> Any:
        [result] = evaluate_encoder(pool, str(tiny), late_interaction=True, folder=tmp_path)
        return result.measures

    with monkeypatch.context() as patched:
        patched.setattr(token_vectors.TokenVectors, "_maxsim", killed_after_two)
        with pytest.raises(KeyboardInterrupt):
            measures()
    assert len(list(tmp_path.glob("scores-*.npy"))) == 2
    again: list[int] = []
    monkeypatch.setattr(
        token_vectors.TokenVectors,
        "_maxsim",
        lambda vectors, questions: again.append(len(questions)) or maxsim(vectors, questions),
    )
    resumed = measures()
    assert again == [2]
    assert not list(tmp_path.glob("scores-*.npy"))
    assert measures() == resumed


@pytest.mark.parametrize(
    ("encoder", "options", "message"),
    [
        ("mine.npz", {}, "mine.npz has one vector per text; late interaction needs an encoder"),
        ("tiny", {"context": True}, "compares sentences without their paragraphs"),
    ],
)
def test_what_has_no_token_vectors(
    pool: Pool, tmp_path: Path, encoder: str, options: Any, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        [*evaluate_encoder(pool, encoder, late_interaction=True, folder=tmp_path, **options)]
