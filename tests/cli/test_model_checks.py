"""`xorqa doctor --model`: each family of the zoo computes what its own library does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.zoo import encoders, late, readers, rerankers, translators
from xorqa.cli import model_references
from xorqa.cli.model_checks import check_model, kind_of
from xorqa.core.errors import ConfigError, WeightsError
from xorqa.io.files import read_json
from xorqa.models.checkpoints import resolve

pytest.importorskip("sentence_transformers")


def e5(folder: Path) -> Path:
    """A copy of an E5 repository, which has no prompts of its own."""
    return encoders.save_released(folder / "intfloat" / "multilingual-e5-small", normalize=True)


def prompted(folder: Path) -> Path:
    prompts = {"query": "q: ", "document": "d: "}
    return encoders.save_released(folder, pooling="cls", dense=16, prompts=prompts)


def half(folder: Path) -> Path:
    return encoders.save_released(folder, similarity="dot", half=True)


def bare(folder: Path) -> Path:
    encoders.save_body(folder)
    return folder


def causal_reranker(folder: Path) -> Path:
    return rerankers.qwen(folder, template=rerankers.ROLES)


def generator(folder: Path) -> Path:
    return rerankers.qwen(folder, template=rerankers.CHAT)


def mbert(folder: Path) -> Path:
    return readers.build(folder, "mbert")


def dpr(folder: Path) -> Path:
    return readers.build_dpr(folder, cased=True)


def madlad(folder: Path) -> Path:
    return translators.t5(folder, translators.MADLAD)


FAMILIES: list[tuple[Callable[[Path], Path], str, str]] = [
    (e5, "", "encoder"),
    (prompted, "", "encoder"),
    (prompted, ",max_tokens=8", "encoder"),
    (prompted, ",query_prefix=other: ", "encoder"),
    (prompted, ",dtype=bfloat16", "encoder"),
    (half, "", "encoder"),
    (bare, ",pooling=mean", "encoder"),
    (bare, ",pooling=cls,normalize=false", "encoder"),
    (encoders.save_static, "", "encoder"),
    (mbert, "", "reader"),
    (mbert, ",max_tokens=128", "reader"),
    (dpr, "", "reader"),
    (rerankers.xlm_roberta, "", "ranker"),
    (rerankers.bert, "", "ranker"),
    (causal_reranker, "", "ranker"),
    (translators.marian, "", "translator"),
    (translators.m2m, "", "translator"),
    (translators.nllb, "", "translator"),
    (translators.mbart50, "", "translator"),
    (madlad, "", "translator"),
    (generator, "", "generator"),
    (late.native, "", "late-interaction"),
    (late.pylate, "", "late-interaction"),
    (late.splade, "", "learned-sparse"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], Path]], Path]:
    """Builds a model of the zoo once."""
    folders: dict[Any, Path] = {}

    def build(builder: Callable[[Path], Path]) -> Path:
        if builder not in folders:
            folders[builder] = builder(tmp_path_factory.mktemp("zoo") / builder.__name__)
        return folders[builder]

    return build


@pytest.mark.parametrize(("builder", "settings", "kind"), FAMILIES)
def test_a_family_is_equal_to_its_library(
    builder: Any, settings: str, kind: str, built: Callable[..., Path]
) -> None:
    folder = built(builder)
    assert kind_of(resolve(str(folder))) == kind
    findings = list(check_model(f"{folder}{settings}"))
    assert findings
    for finding in findings:
        assert finding.state == "ok", finding.note
        assert finding.note.startswith(f"equal to {finding.reference} in ")
        assert finding.reference.startswith(("sentence-transformers 6", "transformers 5"))
    if "bfloat16" not in settings:
        assert max(finding.difference for finding in findings) <= 1e-5


def test_a_mono_t5_is_named_as_a_ranker(built: Callable[..., Path]) -> None:
    folder = built(rerankers.mono_t5)
    with pytest.raises(ConfigError, match="set tokens"):
        list(check_model(str(folder), "ranker"))


def test_the_command_prints_and_writes_the_difference(
    xorqa: Callable[..., Any], built: Callable[..., Path], tmp_path: Path
) -> None:
    folder = built(prompted)
    outcome = xorqa("doctor", "--model", folder, "--json", tmp_path / "found.json")
    assert outcome.status == 0, outcome.err
    assert [line.split()[:4] for line in outcome.out.splitlines()[-2:]] == [
        ["ok", "queries", "equal", "to"],
        ["ok", "passages", "equal", "to"],
    ]
    [queries, passages] = read_json(tmp_path / "found.json")
    assert queries["reference"].startswith("sentence-transformers")
    assert 0 <= queries["difference"] <= 1e-5
    assert passages["check"] == "passages"


def test_a_difference_is_an_exit_status(
    xorqa: Callable[..., Any], built: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = model_references.encoder

    def other(*args: Any, **options: Any) -> Any:
        rows = real(*args, **options)
        return [rows[0] + 0.25, *rows[1:]]

    monkeypatch.setattr(model_references, "encoder", other)
    outcome = xorqa("doctor", "--model", built(prompted))
    assert outcome.status == 1
    assert "broken  queries          different from sentence-transformers" in outcome.out
    assert "largest difference 2.5e-01" in outcome.out


def test_what_cannot_be_compared_is_refused_in_one_line(
    xorqa: Callable[..., Any], built: Callable[..., Path], tmp_path: Path
) -> None:
    for name, expected in (
        (built(bare), "set pooling"),
        (f"{built(prompted)},dtype=int8", "valid: bfloat16, float16, float32"),
        (f"{built(mbert)},max_tokens=40", "max_tokens is too short"),
        (f"{built(prompted)},colour=red", "has no setting 'colour'"),
        (tmp_path, "not a folder with a config.json"),
        ("encoder-questions", "no library to compare with"),
        ("my.module:Encoder", "no library to compare with"),
    ):
        outcome = xorqa("doctor", "--model", name)
        assert outcome.status in (1, 2)
        *announced, line = outcome.err.splitlines()
        assert expected in line
        assert not any("error" in each for each in announced)
    outcome = xorqa("doctor", "--model", built(prompted), "--as", "oracle")
    assert outcome.status == 2 and "valid: encoder, generator" in outcome.err


def test_a_model_with_missing_weights_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = readers.build(tmp_path / "cut", "mbert")
    weights = load_file(folder / "model.safetensors")
    weights.pop("qa_outputs.weight")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(WeightsError, match="lacks 1 weights"):
        list(check_model(str(folder)))


def test_the_bundled_encoder_is_equal_to_transformers() -> None:
    findings = list(check_model("e5-small-q4"))
    assert [finding.state for finding in findings] == ["ok", "ok"]
    assert json.dumps(findings[0].difference)
