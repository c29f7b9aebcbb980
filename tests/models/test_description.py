"""What a model's files say about what it computes."""

from pathlib import Path

import pytest

from tests.zoo import encoders, readers
from xorqa.models.checkpoints import resolve
from xorqa.models.description import describe


def test_a_bi_encoder(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    prompts = {"query": "ask: "}
    folder = encoders.save_released(tmp_path / "a", dense=24, normalize=True, prompts=prompts)
    (folder / "README.md").write_text("---\nlicense: mit\n---\nlicense: none\n", "utf-8")
    found = describe(resolve(str(folder)))
    types = [module["type"] for module in found["modules"]]
    assert types == ["Transformer", "Pooling", "Dense", "Normalize"]
    assert found["modules"][1]["pooling_mode"] == "mean" and found["dimensions"] == 24
    assert found["as encoder"] == {"prompts": {"query": "ask: ", "passage": ""}}
    assert (found["kind"], found["similarity"]) == ("SentenceTransformer", "cosine")
    assert found["tokens"] == {"model_max_length": 64, "max_position_embeddings": 514}
    assert (found["licence"], "own code" in found) == ("mit", False)


def test_other_models(tiny: Path, tmp_path: Path) -> None:
    bare = describe(resolve(str(tiny)))["as encoder"]
    assert (bare["pooling"], bare["normalize"]) == ("mean", True)
    folder = readers.build(tmp_path / "reader", "mbert")
    encoders.edit_json(folder / "config.json", auto_map={"AutoModel": "modeling.Model"})
    reader = describe(resolve(str(folder)))
    assert reader["architecture"] == "BertForQuestionAnswering"
    assert "is a reader (BertForQuestionAnswering)" in reader["as encoder"]["refused"]
    assert (reader["own code"], reader["dimensions"]) == (["AutoModel"], 32)


def test_the_bundled_encoder() -> None:
    found = describe(resolve())
    assert found["prompts"] == {"query": "query: ", "passage": "passage: "}
    assert (found["pooling"], found["normalize"], found["max_tokens"]) == ("mean", True, 512)
