"""Models as their authors released them: equal to their own library, or refused in one line."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.zoo.comparisons import same_rankings
from tests.zoo.encoders import (
    edit_json,
    questions,
    reference,
    save_body,
    save_released,
    save_static,
    texts,
)
from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, WeightsError
from xorqa.core.progress import announcing
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.models.encoder import Encoder, EncoderSettings
from xorqa.models.prompts import CONFIG
from xorqa.retrieval import manifest
from xorqa.retrieval.dense import Dense

pytest.importorskip("sentence_transformers")

FAMILIES: dict[str, dict[str, Any]] = {
    "bge-m3": {"pooling": "cls", "normalize": True},
    "arctic-embed": {"pooling": "cls", "normalize": True, "prompts": {"query": "query: "}},
    "granite": {"pooling": "cls", "normalize": True},
    "labse": {"architecture": "BertModel", "pooling": "cls", "dense": 32, "normalize": True},
    "paraphrase-multilingual": {"architecture": "BertModel", "longest": 16},
    "distiluse": {"architecture": "DistilBertModel", "dense": 24},
    "mpnet": {"architecture": "MPNetModel", "similarity": "dot"},
    "qwen3-embedding": {
        "architecture": "Qwen3Model",
        "pooling": "lasttoken",
        "normalize": True,
        "prompts": {"query": "Instruct: Answer the question\nQuery:", "document": ""},
    },
    "half": {"pooling": "weightedmean", "half": True},
}
"""How the tiny model of each family is saved."""


def encoder(folder: Path | str, **options: Any) -> Encoder:
    return Encoder(EncoderSettings(str(folder), dtype="float32", **options))


def units(vectors: Any) -> Any:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_settings_beyond_the_model_are_refused(tmp_path: Path) -> None:
    model = str(save_released(tmp_path / "model"))
    long = "joki " * 600
    for settings, message in (
        ({"truncate_dim": 33}, r"truncate_dim = 33, but .*model has 32 dimensions"),
        ({"max_tokens": 513}, r"max_tokens = 513, but .*model has 512 positions"),
    ):
        with pytest.raises(ConfigError, match=message):
            encoder(model, **settings).queries([long])
    assert encoder(model, truncate_dim=16, max_tokens=512).queries([long]).shape == (1, 16)


DAMAGED = {
    "modules.json": ('{"0": {}}', "is no list of modules; download the model again"),
    CONFIG: ("[1]", "is not a JSON object"),
    "config.json": ("[]", "is not a JSON object"),
    "tokenizer.json": (None, r"has no files of a tokenizer, such as tokenizer\.json"),
    "1_Pooling": (None, "lacks its module 1_Pooling; download it again"),
}
"""Content of a file (None deletes it, or a folder) of a model, and how its error continues."""


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_folder_is_refused(name: str, tmp_path: Path) -> None:
    content, message = DAMAGED[name]
    path = save_released(tmp_path / "model") / name
    if content is not None:
        path.write_text(content)
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        for file in path.parent.glob("tokenizer*"):
            file.unlink()
    with pytest.raises((DataError, WeightsError), match=message):
        encoder(path.parent).queries(["joki"])


def test_prompts_that_are_no_table_are_refused(tmp_path: Path) -> None:
    folder = save_released(tmp_path / "model")
    (folder / CONFIG).write_text('{"prompts": "query: "}')
    with pytest.raises(ConfigError, match="are no table of texts by name"):
        encoder(folder).queries(["joki"])


def test_a_bare_checkpoint_without_a_tokenizer_is_refused(tmp_path: Path) -> None:
    save_body(tmp_path, "BertModel")
    for file in tmp_path.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(WeightsError, match="has no files of a tokenizer"):
        encoder(tmp_path, pooling="cls").queries(["joki"])


def test_settings_that_a_bare_checkpoint_lacks_are_refused(tmp_path: Path) -> None:
    save_body(tmp_path)
    for setting in ({"truncate_dim": 16}, {"backend": "onnx"}):
        with pytest.raises(ConfigError, match=r"no effect on .*, a model without modules"):
            encoder(tmp_path, pooling="cls", **setting).queries(["joki"])


def test_two_towers_have_the_same_dimensions(tmp_path: Path) -> None:
    one = save_released(tmp_path / "one")
    other = save_released(tmp_path / "other", dense=24)
    with pytest.raises(ConfigError, match=r"vectors of 32 dimensions, .*other of 24"):
        encoder(one, passage_tower=str(other)).passages(["joki"])


def assert_equal(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.fixture(scope="module")
def labse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with a Dense layer after CLS pooling."""
    return save_released(tmp_path_factory.mktemp("labse") / "labse", **FAMILIES["labse"])


@pytest.mark.parametrize("family", FAMILIES)
def test_vectors_and_rankings_are_those_of_its_library(family: str, tmp_path: Path) -> None:
    folder = save_released(tmp_path / family, **FAMILIES[family])
    passages, asked = texts(), questions()
    theirs = reference(folder, asked, "query"), reference(folder, passages, "passage")
    if FAMILIES[family].get("similarity") != "dot":
        theirs = units(theirs[0]), units(theirs[1])
    ours = encoder(folder).queries(asked), encoder(folder).passages(passages)
    for one, other in zip(ours, theirs, strict=True):
        assert_equal(one, other)
    same_rankings(ours, theirs)


def test_static_embeddings(tmp_path: Path) -> None:
    folder = save_static(tmp_path / "static")
    assert_equal(encoder(folder).passages(texts()), units(reference(folder, texts(), "passage")))
    assert all(count > 1 for _, count in encoder(folder).tokens(questions()))


def test_the_old_weight_format_and_shards(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel

    folder = save_released(tmp_path / "model")
    expected = encoder(folder).queries(questions())
    binary = shutil.copytree(folder, tmp_path / "binary")
    torch.save(load_file(binary / "model.safetensors"), binary / "pytorch_model.bin")
    (binary / "model.safetensors").unlink()
    sharded = shutil.copytree(folder, tmp_path / "sharded")
    (sharded / "model.safetensors").unlink()
    AutoModel.from_pretrained(folder).save_pretrained(sharded, max_shard_size="50KB")
    assert len([*sharded.glob("*.safetensors")]) > 1
    for other in (binary, sharded):
        assert_equal(encoder(other).queries(questions()), expected)


def test_missing_weights_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = save_released(tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    lost = next(name for name in weights if "query" in name)
    rest = {name: value for name, value in weights.items() if name != lost}
    save_file(rest, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(
        WeightsError, match=f"lacks 1 weights of XLMRobertaModel, among them {lost}"
    ):
        encoder(folder).queries(["joki"])


def test_prompts_come_from_the_model_or_the_settings(tmp_path: Path) -> None:
    prompts = {"query": "ask: ", "document": "text: "}
    folder = save_released(tmp_path / "model", prompts=prompts)
    settings = EncoderSettings(str(folder))
    assert [settings.prefix(side) for side in ("query", "passage")] == ["ask: ", "text: "]
    given = encoder(folder, query_prefix="Q: ")
    assert_equal(
        given.queries(questions()), units(reference(folder, questions(), "query", prompt="Q: "))
    )
    assert encoder(folder).fingerprint() != given.fingerprint()


@pytest.mark.parametrize(
    ("repository", "query"),
    [
        ("intfloat/multilingual-e5-small", "query: "),
        ("models--intfloat--e5-base-v2/snapshots/0123", "query: "),
        ("e5-runs/bge-m3", ""),
        ("mine/multilingual-e5-small-tuned", ""),
    ],
)
def test_e5_prefixes_are_for_exact_repositories(
    tmp_path: Path, repository: str, query: str
) -> None:
    folder = tmp_path / repository
    folder.parent.mkdir(parents=True)
    assert EncoderSettings(str(save_released(folder))).prefix("query") == query


def test_the_prompts_in_use_are_printed_and_stored_with_an_index(tmp_path: Path) -> None:
    folder = save_released(tmp_path / "model", prompts={"query": "ask: "})
    corpus = Corpus("world", [Passage(str(row), text) for row, text in enumerate(texts(5))])
    lines: list[str] = []
    with announcing(lines.append):
        Dense(str(folder), corpus=corpus, folder=tmp_path / "index").build()
    assert f"{folder}: queries begin with 'ask: ', passages with ''" in lines
    settings = manifest.read(tmp_path / "index")["settings"]
    assert (settings["query_prefix"], settings["passage_prefix"]) == ("ask: ", "")
    moved = folder.rename(tmp_path / "moved")
    Dense(str(moved), corpus=corpus, folder=tmp_path / "index").build()
    with pytest.raises(IndexMismatchError):
        Dense(str(moved), corpus=corpus, folder=tmp_path / "index", query_prefix="Q").build()


def test_instructions_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "intfloat").mkdir()
    e5 = save_released(tmp_path / "intfloat" / "multilingual-e5-large-instruct")
    with pytest.raises(ConfigError, match="needs an instruction in each query; set for example"):
        encoder(e5).queries(["joki"])
    named = save_released(tmp_path / "named", prompts={"web_search_query": "Find: "})
    with pytest.raises(ConfigError, match=r"but web_search_query; set query_prefix .*'Find: '"):
        encoder(named).queries(["joki"])
    assert encoder(named, query_prefix="").queries(["joki"]).shape == (1, 32)


def test_settings_override_the_model_and_are_announced(tmp_path: Path) -> None:
    folder = save_released(tmp_path / "model", pooling="cls", normalize=True, longest=64)
    lines: list[str] = []
    with announcing(lines.append):
        changed = encoder(folder, pooling="mean", max_tokens=8, normalize=False)
        vectors = changed.queries(questions())
    assert [line.partition(": ")[2] for line in lines] == [
        "max_tokens = 8 instead of 64",
        "pooling = 'mean' instead of 'cls'",
        "normalize = false leaves out its Normalize module",
    ]
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() > 0.1
    assert max(count for _, count in changed.tokens(texts())) == 8
    with pytest.raises(ConfigError, match="no pooling is called 'pooler'; valid for"):
        encoder(folder, pooling="pooler").queries(["joki"])


def test_the_first_dimensions_alone(labse: Path) -> None:
    whole, short = encoder(labse), encoder(labse, truncate_dim=8)
    assert short.queries(questions()).shape == (len(questions()), 8)
    assert_equal(short.queries(questions()), units(whole.queries(questions())[:, :8]))
    assert short.dimensions == short.passage_dimensions == 8


def test_a_distance_is_no_inner_product(tmp_path: Path) -> None:
    folder = save_released(tmp_path / "model", similarity="euclidean")
    with pytest.raises(ConfigError, match=r"compares vectors by euclidean distance.*normalize"):
        encoder(folder).queries(["joki"])
    assert encoder(folder, normalize=True).queries(["joki"]).shape == (1, 32)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "SparseEncoder"}, "a learned sparse encoder"),
        ({"model_type": "MultiVectorEncoder"}, "a late-interaction model"),
        ({"model_type": "CrossEncoder"}, "a cross-encoder"),
    ],
)
def test_models_of_other_kinds_are_refused(
    labse: Path, tmp_path: Path, changes: dict[str, str], message: str
) -> None:
    folder = shutil.copytree(labse, tmp_path / "other")
    edit_json(folder / CONFIG, **changes)
    with pytest.raises(WeightsError, match=message):
        encoder(folder).queries(["joki"])


@pytest.mark.parametrize(
    ("architecture", "message"),
    [
        ("XLMRobertaForSequenceClassification", "a cross-encoder or classifier"),
        ("Qwen3ForCausalLM", "a decoder"),
        ("HF_ColBERT", "a late-interaction model"),
        ("BertForQuestionAnswering", "a reader"),
    ],
)
def test_bare_checkpoints_that_are_no_encoders(
    tmp_path: Path, architecture: str, message: str
) -> None:
    save_body(tmp_path / "model")
    edit_json(tmp_path / "model" / "config.json", architectures=[architecture])
    with pytest.raises(WeightsError, match=rf"is {message} \({architecture}\), not a bi-encoder"):
        encoder(tmp_path / "model", pooling="mean").queries(["joki"])


def test_a_bare_checkpoint_needs_its_pooling_unless_its_family_is_known(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    save_body(folder)
    with pytest.raises(ConfigError, match=r"no modules.json that names its pooling; set pooling"):
        encoder(folder).queries(["joki"])
    mean = encoder(folder, pooling="mean").queries(questions())
    edit_json(folder / "config.json", architectures=["Contriever"])
    np.testing.assert_array_equal(encoder(folder).queries(questions()), mean)


def test_custom_code_never_runs_unasked_and_never_prompts(tmp_path: Path) -> None:
    folder = save_released(tmp_path / "model")
    code = {"AutoConfig": "code.NewConfig", "AutoModel": "code.NewModel"}
    edit_json(folder / "config.json", auto_map=code, model_type="new")
    (folder / "code.py").write_text("raise SystemExit('the code ran')")
    with pytest.raises(WeightsError, match=r"comes with code of its own, .*trust_remote_code"):
        encoder(folder).queries(["joki"])


def test_the_fingerprint_covers_all_files_but_not_the_folder(labse: Path, tmp_path: Path) -> None:
    original = encoder(labse).fingerprint()
    assert encoder(shutil.copytree(labse, tmp_path / "moved")).fingerprint() == original
    for name in ("tokenizer_config.json", "1_Pooling/config.json", "config.json"):
        other = shutil.copytree(labse, tmp_path / name.replace("/", "-"))
        edit_json(other / name, changed=True)
        assert encoder(other).fingerprint() != original


def test_without_the_library_the_extra_is_named(
    labse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "sentence_transformers" else real(name, *rest),
    )
    with pytest.raises(Exception, match=r"pip install 'xorqa\[hub\]'"):
        encoder(labse).queries(["joki"])
