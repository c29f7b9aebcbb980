"""Models by name, from a hub on loopback: equal to their library, one format, one commit."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from huggingface_hub import constants

from tests.command_line import Xorqa
from tests.zoo import comparisons, encoders, readers, rerankers, translators
from tests.zoo.hub import LoopbackHub
from tests.zoo.references import Case
from xorqa.core.errors import WeightsError
from xorqa.core.progress import announcing
from xorqa.core.types import Passage
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json
from xorqa.models.checkpoints import resolve
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.hub import used_files
from xorqa.retrieval import manifest
from xorqa.retrieval.dense import Dense
from xorqa.retrieval.vectors.encoding import shared_encoder
from xorqa.retrieval.vectors.kinds import row_vectors

pytest.importorskip("sentence_transformers")

Compare = Callable[..., None]
OPUS = Case(lambda to: translators.marian(to, pair=("ko", "en")), "ko", "en")
MODELS = ["encoder", "bare", "reader", "reranker", "translator"]
FORMS = ["safetensors", "sharded", "bin", "half"]


def build(kind: str, folder: Path) -> tuple[str, Compare, dict[str, Any]]:
    """Save a model; returns its auto class, how it is compared, and its settings."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    if kind == "encoder":
        encoders.save_released(folder, pooling="cls", dense=24, prompts={"query": "query: "})
        return "AutoModel", comparisons.encoder, {}
    if kind == "bare":
        encoders.save_body(folder, "BertModel")
        return "AutoModel", comparisons.encoder, {"pooling": "cls", "normalize": True}
    if kind == "reader":
        readers.build(folder, "xlm-roberta")
        return "AutoModelForQuestionAnswering", comparisons.reader, {}
    if kind == "reranker":
        rerankers.xlm_roberta(folder)
        return "AutoModelForSequenceClassification", comparisons.reranker, {}
    OPUS.build(folder)
    return "AutoModelForSeq2SeqLM", comparisons.translator, {"case": OPUS}


def reform(folder: Path, kind: str, form: str) -> None:
    """Save the weights in another form."""
    import torch
    import transformers

    if form == "safetensors":
        return
    model = getattr(transformers, kind).from_pretrained(folder)
    (folder / "model.safetensors").unlink()
    if form == "bin":
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    elif form == "half":
        model.half().save_pretrained(folder)
    else:
        model.save_pretrained(folder, max_shard_size="60KB")
        assert len([*folder.glob("model-*.safetensors")]) > 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", MODELS)
def test_a_model_computes_what_its_library_does_by_name_and_by_folder(
    kind: str, form: str, hub: LoopbackHub
) -> None:
    repository = f"owner/{kind}-{form}"
    folder = hub.folder / repository
    auto, compare, settings = build(kind, folder)
    reform(folder, auto, form)
    for name in (repository, str(folder)):
        compare(name, folder, **settings)
    assert resolve(repository).fingerprint == resolve(str(folder)).fingerprint


def save_in_all_formats(folder: Path) -> None:
    """A bi-encoder with the files of other libraries beside those that are used."""
    encoders.save_released(folder, dense=24)
    for name in ("pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "model.onnx"):
        (folder / name).write_bytes(b"not used")
    (folder / "2_Dense" / "pytorch_model.bin").write_bytes(b"not used")
    for name in ("onnx/model.onnx", "onnx/config.json", "checkpoint-5/model.safetensors"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"{}")
    (folder / "model.fp16.safetensors").write_bytes(b"not used")


def test_only_one_weight_format_is_downloaded(hub: LoopbackHub) -> None:
    folder = hub.folder / "owner" / "model"
    folder.parent.mkdir(parents=True)
    save_in_all_formats(folder)
    expected = resolve(str(folder)).fingerprint
    assert resolve("owner/model").fingerprint == expected
    weights = sorted(name for name in hub.fetched if Path(name).suffix not in (".json", ".md"))
    assert weights == ["2_Dense/model.safetensors", "model.safetensors"]
    assert not [name for name in hub.fetched if name.startswith(("onnx", "checkpoint"))]
    assert len(hub.fetched) == len({*hub.fetched})


def test_the_file_of_another_backend_is_fetched_and_decides_the_fingerprint(
    hub: LoopbackHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = hub.folder / "owner" / "model"
    folder.parent.mkdir(parents=True)
    save_in_all_formats(folder)
    (folder / "onnx" / "model_quantized.onnx").write_bytes(b"not used")
    onnx = EncoderSettings("owner/model", backend="onnx")
    fingerprint = Encoder(onnx).fingerprint()
    assert "onnx/model.onnx" in hub.fetched
    assert "onnx/model_quantized.onnx" not in hub.fetched
    shutil.copytree(resolve("owner/model").path, tmp_path / "copy")
    copied = EncoderSettings(str(tmp_path / "copy"), backend="onnx")
    assert Encoder(copied).fingerprint() == fingerprint
    (tmp_path / "copy" / "onnx" / "model.onnx").write_bytes(b"another")
    assert Encoder(copied).fingerprint() != fingerprint
    assert Encoder(EncoderSettings("owner/model")).fingerprint() != fingerprint


def test_a_model_without_files_for_a_backend_is_converted_and_that_is_announced(
    hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = hub.folder / "owner" / "plain"
    folder.parent.mkdir(parents=True)
    encoders.save_released(folder)
    opened: list[str] = []
    monkeypatch.setattr("xorqa.models.released.open_model", lambda *_, **__: opened.append("x"))
    lines: list[str] = []
    with announcing(lines.append), pytest.raises(AttributeError):
        Encoder(EncoderSettings("owner/plain", backend="onnx")).queries(["a"])
    assert opened
    assert lines == ["owner/plain has no files for onnx; it is converted now"]


@pytest.mark.parametrize(
    ("names", "used"),
    [
        (["pytorch_model.bin", "tf_model.h5"], ["pytorch_model.bin"]),
        (["model.fp16.safetensors"], ["model.fp16.safetensors"]),
        (
            ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "a.bin"],
            ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"],
        ),
        (["consolidated.safetensors", "model.safetensors"], ["model.safetensors"]),
        (["1_Dense/model.safetensors"], []),  # no modules.json names it
        (["code/x.py", "more/chat.jinja", "x/config.json"], ["code/x.py", "more/chat.jinja"]),
    ],
)  # fmt: skip
def test_the_files_that_are_used(names: list[str], used: list[str]) -> None:
    assert used_files(names, []) == used


def test_files_of_modules_are_used_wherever_they_are() -> None:
    names = ["0_T/model.safetensors", "mine/config.json", "query_0_Static/model.safetensors"]
    assert used_files([*names, "onnx/config.json"], [{"path": ""}, {"path": "mine"}]) == names


def explained(name: str) -> str:
    with pytest.raises(WeightsError) as caught:
        resolve(name)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(f"{name} cannot be loaded from the model hub: ")
    return line


def test_the_hub_says_why_a_model_is_not_served(
    hub: LoopbackHub, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "gated")
    hub.gated.add("owner/gated")
    gated = explained("owner/gated")
    assert "Access to model owner/gated is restricted and you are not in the authorized" in gated
    assert "accept its conditions on its page, then set HF_TOKEN" in gated
    missing = explained("owner/gatet")
    assert "there is no owner/gatet, or it is private (Invalid username or password); " in missing
    revision = explained("owner/gated@v9")
    assert "has no such revision (Invalid rev id: v9); name a branch, a tag or a comm" in revision
    mistyped = explained("owner/name/gated")
    assert "Repo id must be" in mistyped
    hub.failure = 500
    down = explained("owner/gated")
    assert "We're working hard to fix this as soon as possible!" in down
    for line in (gated, missing, revision, mistyped, down):
        assert "HTTPS_PROXY" not in line
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    unreachable = explained("owner/gated")
    assert "refused" in unreachable
    assert "HTTPS_PROXY" in unreachable


def test_the_command_shows_the_line(hub: LoopbackHub, xorqa: Xorqa) -> None:
    outcome = xorqa("models", "pull", "owner/nothing")
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert "there is no owner/nothing, or it is private" in line


def test_without_the_hub_the_files_downloaded_before_are_used_and_that_is_announced(
    hub: LoopbackHub, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    first = resolve("owner/tiny")
    lines: list[str] = []
    for failure in (500, 500):
        hub.failure = failure
        monkeypatch.setattr("xorqa.models.hub._folders", {})
        with announcing(lines.append):
            assert resolve("owner/tiny") == first
    assert len(lines) == 2
    assert f"the files downloaded before are used (commit {hub.commit('owner/tiny')})" in lines[0]
    (first.path / "tokenizer.json").unlink()
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    explained("owner/tiny")


def test_a_branch_is_resolved_to_a_commit_once(hub: LoopbackHub, tiny: Path, xorqa: Xorqa) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    hub.branches["owner/tiny"] = "a" * 40
    first = resolve("owner/tiny")
    hub.branches["owner/tiny"] = "b" * 40
    asked = len(hub.resolved)
    assert resolve("owner/tiny") == first
    assert first.path.name == "a" * 40
    assert len(hub.resolved) == asked
    assert resolve("owner/tiny@main").path.name == "b" * 40
    shown = xorqa("models", "show", "owner/tiny", "--json")
    assert json.loads(shown.out)["commit"] == "a" * 40


def test_the_table_of_families_would_show_a_difference(hub: LoopbackHub) -> None:
    """The comparison that the table rests on fails if the pooling is another one."""
    folder = hub.folder / "owner" / "pooled"
    folder.parent.mkdir(parents=True)
    encoders.save_released(folder, pooling="cls")
    with pytest.raises(AssertionError):
        comparisons.encoder("owner/pooled", folder, pooling="mean")


def test_an_index_and_a_run_record_the_commit(
    hub: LoopbackHub, tiny: Path, tmp_path: Path, xorqa: Xorqa
) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    hub.branches["owner/tiny"] = "c" * 40
    corpus = Corpus("rivers", [Passage("nile", "The Nile is a river.")])
    Dense("owner/tiny", corpus=corpus, folder=tmp_path / "index").build()
    assert manifest.read(tmp_path / "index")["commits"] == {"owner/tiny": "c" * 40}
    Dense(str(tiny), corpus=corpus, folder=tmp_path / "other").build()
    assert "commits" not in manifest.read(tmp_path / "other")
    (tmp_path / "mine.toml").write_text(
        '[[routes]]\nname = "target"\ncorpus = "target"\n'
        'retriever = { use = "dense", encoder = "owner/tiny@main" }\n'
    )
    outcome = xorqa(
        *("run", str(tmp_path / "mine.toml"), "--data", "mini", "--lang", "fi"),
        *("--until", "retrieve", "--out", str(tmp_path / "run")),
    )
    assert outcome.status == 0, outcome.err
    recorded = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert recorded["commits"] == {"owner/tiny@main": "c" * 40}


def move(hub: LoopbackHub, commit: str, monkeypatch: pytest.MonkeyPatch, weights: Path) -> None:
    """Move the branch of owner/tiny to a commit with other weights; a new process begins."""
    shared_encoder.cache_clear()
    hub.earlier.add(hub.branches["owner/tiny"])
    hub.branches["owner/tiny"] = commit
    name = "model.safetensors"
    shutil.copyfile(weights / name, hub.folder / "owner" / "tiny" / name)
    monkeypatch.setattr("xorqa.models.hub._folders", {})
    monkeypatch.setattr("xorqa.models.hub._pinned", {})


def test_workers_load_the_commit_of_their_parent(
    hub: LoopbackHub,
    tiny: Path,
    make_tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    hub.branches["owner/tiny"] = "a" * 40
    shared_encoder.cache_clear()
    corpus = Corpus("rivers", [Passage("nile", "The Nile is a river."), Passage("b", "Rhine")])
    built = Dense("owner/tiny", pooling="mean", corpus=corpus, folder=tmp_path / "parent")
    built.build()
    known = resolve("owner/tiny")
    move(hub, "b" * 40, monkeypatch, make_tiny(seed=9))
    monkeypatch.setattr("xorqa.models.hub._folders", {"owner/tiny": known.path})
    monkeypatch.setenv("HF_ENDPOINT", constants.ENDPOINT)
    monkeypatch.setenv("HF_HUB_CACHE", constants.HF_HUB_CACHE)
    by_workers = Dense("owner/tiny", pooling="mean", corpus=corpus, folder=tmp_path / "workers")
    by_workers.build(workers=1)
    ours, theirs = (row_vectors(each.index, np.arange(2)) for each in (by_workers, built))
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_a_run_that_resumes_loads_the_commit_that_it_began_with(
    hub: LoopbackHub,
    tiny: Path,
    make_tiny: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(tiny, hub.folder / "owner" / "tiny")
    hub.branches["owner/tiny"] = "a" * 40
    shared_encoder.cache_clear()
    dense = {"use": "dense", "encoder": "owner/tiny", "pooling": "mean"}
    settings = PipelineSettings((Route("target", dense, corpus="target"),))
    world = load_dataset("mini").only(["fi"])

    def killed(task: str, done: int, total: int) -> None:
        if "retrieve" in task:
            raise KeyboardInterrupt

    out, options = tmp_path / "run", {"until": "retrieve", "indexes": tmp_path / "indexes"}
    with pytest.raises(KeyboardInterrupt):
        run(settings, world, out, progress=killed, **options)
    assert read_json(out / "manifest.json")["commits"] == {"owner/tiny": "a" * 40}
    move(hub, "b" * 40, monkeypatch, make_tiny(seed=9))
    run(settings, world, out, **options)
    assert read_json(out / "manifest.json")["commits"] == {"owner/tiny": "a" * 40}
    move(hub, "b" * 40, monkeypatch, make_tiny(seed=9))
    run(settings, world, tmp_path / "new", **options | {"indexes": tmp_path / "other"})
    assert read_json(tmp_path / "new" / "manifest.json")["commits"] == {"owner/tiny": "b" * 40}
