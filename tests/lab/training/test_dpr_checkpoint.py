"""Checkpoints of the DPR code, made up as its `_save_checkpoint` writes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from tests.zoo.dpr import state_of
from xorqa.core.errors import ConfigError, DataError, WeightsError
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.lab.training.dpr_checkpoint import convert_dpr
from xorqa.retrieval.dpr import Mdpr

PASSAGES = [("Nile", "The Nile is in Africa."), ("Oulu", "Oulu is a city in Finland.")]


@pytest.fixture
def bases(make_tiny: Callable[..., Path]) -> list[Path]:
    return [make_tiny(seed=11), make_tiny(seed=12)]


def save(path: Path, state: Any) -> Path:
    torch.save(state, path)
    return path


def test_both_towers_encode_as_the_checkpoints_own(bases: list[Path], tmp_path: Path) -> None:
    file = save(tmp_path / "dpr_biencoder_best.cpt", state_of(bases))
    towers = convert_dpr(file, tmp_path / "towers")
    assert {name: folder.name for name, folder in towers.items()} == {
        "question": "question",
        "passage": "passage",
    }
    corpus = Corpus("two", [Passage(title, text, title) for title, text in PASSAGES])
    retriever = Mdpr(
        *map(str, towers.values()), corpus=corpus, folder=tmp_path / "index", dtype="float32"
    )
    query = Query(Question("q", "Missä Oulu on?", "fi"), "Where is Oulu?", "en")
    [hits] = retriever.retrieve([query], k=2)
    found = {hit.passage.docid: hit.score for hit in hits}
    tokenizer = AutoTokenizer.from_pretrained(bases[0])
    question, passage = (AutoModel.from_pretrained(base) for base in bases)
    with torch.inference_mode():
        asked = tokenizer("Missä Oulu on?", return_tensors="pt")
        vector = question(input_ids=asked["input_ids"]).last_hidden_state[0, 0]
        for title, text in PASSAGES:
            ids = tokenizer(title, text, return_tensors="pt")["input_ids"]
            other = passage(input_ids=ids).last_hidden_state[0, 0]
            np.testing.assert_allclose(found[title], float(vector @ other), rtol=1e-5)


def test_the_base_may_be_named(bases: list[Path], tmp_path: Path) -> None:
    file = save(tmp_path / "a.cp", state_of(bases, encoder_params={}))
    with pytest.raises(DataError, match="does not name the model it started from; name it with"):
        convert_dpr(file, tmp_path / "towers")
    convert_dpr(file, tmp_path / "towers", base=str(bases[1]))
    with pytest.raises(ConfigError, match="question exists; choose another folder with --out"):
        convert_dpr(file, tmp_path / "towers", base=str(bases[1]))


def test_other_checkpoints_are_refused(bases: list[Path], tmp_path: Path) -> None:
    reader = state_of(bases, model_dict={"qa_outputs.weight": torch.ones(2, 2)})
    projected = state_of(bases)
    projected["model_dict"]["question_model.encode_proj.weight"] = torch.ones(2, 2)
    larger = state_of(bases)
    larger["model_dict"]["ctx_model.embeddings.word_embeddings.weight"] = torch.ones(2, 2)
    more = state_of(bases)
    more["model_dict"]["ctx_model.other"] = torch.ones(2)
    for state, kind, message in (
        ({"state": 1}, DataError, "has no 'model_dict'"),
        ([1], DataError, "has no 'model_dict'"),
        (reader, DataError, r"has no weights 'question_model\.\*': it is a reader's"),
        (projected, DataError, "end in a projection"),
        (larger, WeightsError, r"word_embeddings.weight is \(2, 2\), and .*; name its own base"),
        (more, WeightsError, "has other, unlike"),
        (state_of(bases, epoch=Fraction(1)), DataError, "could run code and are not loaded"),
    ):
        file = save(tmp_path / "a.cpt", state)
        with pytest.raises(kind, match=message) as raised:
            convert_dpr(file, tmp_path / "towers")
        assert "\n" not in str(raised.value)
    assert not (tmp_path / "towers").exists()


def test_a_damaged_or_missing_file(
    xorqa: Callable[..., Any], bases: list[Path], tmp_path: Path
) -> None:
    file = save(tmp_path / "a.cpt", state_of(bases))
    assert xorqa("models", "convert", str(file), "--out", str(tmp_path / "towers")).status == 0
    file.write_bytes(file.read_bytes()[:1000])
    for name in (file, tmp_path / "no.cpt"):
        outcome = xorqa("models", "convert", str(name), "--out", str(tmp_path / "others"))
        assert outcome.status == 2
        assert str(name) in outcome.err.replace("\n", "")
