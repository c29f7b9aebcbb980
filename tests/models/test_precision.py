"""Precision and the size of batches: how weights are loaded, and what depends on the settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.zoo import encoders, late, readers, rerankers, translators
from xorqa.core.errors import ConfigError
from xorqa.core.progress import announcing
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.models.device import load_dtype, pick_device
from xorqa.models.encoder import Encoder
from xorqa.models.encoder_settings import EncoderSettings
from xorqa.models.late_interaction import LateSettings, late_encoder
from xorqa.models.learned_sparse import SparseSettings, sparse_encoder
from xorqa.models.pair_classifier import PairClassifier
from xorqa.models.pair_settings import PairClassifierSettings
from xorqa.models.question_answering import QuestionAnsweringModel
from xorqa.models.released import ReleasedTower
from xorqa.models.towers import Tower
from xorqa.reading.generation.local import LocalModel
from xorqa.reading.span import SpanReader
from xorqa.retrieval.dense import Dense
from xorqa.translation.seq2seq import Seq2SeqTranslator

pytest.importorskip("sentence_transformers")

TEXTS = encoders.texts(20)
PAIRS = [(question, text) for question in encoders.questions(4) for text in TEXTS[:5]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("precision")


@pytest.fixture(scope="module")
def released(folder: Path) -> Path:
    return encoders.save_released(folder / "released", pooling="cls", dense=16)


@pytest.fixture(scope="module")
def bare(folder: Path) -> Path:
    encoders.save_body(folder / "bare")
    return folder / "bare"


@pytest.fixture(scope="module")
def half_reader(folder: Path) -> Path:
    return readers.build(folder / "reader", "mbert", half=True)


@pytest.fixture
def loaded_as(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The precisions that transformers is asked for."""
    from transformers import PreTrainedModel

    asked: list[Any] = []
    original = PreTrainedModel.from_pretrained.__func__  # type: ignore[attr-defined]

    def spy(cls: Any, *args: Any, **options: Any) -> Any:
        asked.append(str(options.get("dtype")).removeprefix("torch."))
        return original(cls, *args, **options)

    monkeypatch.setattr(PreTrainedModel, "from_pretrained", classmethod(spy))
    yield asked


def kinds(model: Any) -> set[torch.dtype]:
    return {weight.dtype for weight in model.parameters()}


def test_weights_are_cast_when_they_are_read(half_reader: Path, loaded_as: list[Any]) -> None:
    """No copy of a whole model in another precision is made on the way."""
    for dtype, kind in (("bfloat16", torch.bfloat16), ("float32", torch.float32)):
        model = QuestionAnsweringModel(str(half_reader), dtype=dtype)  # type: ignore[arg-type]
        assert kinds(model._model) == {kind}
    assert loaded_as == ["bfloat16", "float32"]


def test_on_a_cpu_auto_is_float32_or_the_stored_precision(
    half_reader: Path, folder: Path, loaded_as: list[Any]
) -> None:
    cpu = torch.device("cpu")
    assert load_dtype("auto", cpu) == "float32"
    assert load_dtype("auto", cpu, on_cpu="auto") == "auto"
    assert load_dtype("auto", torch.device("cuda")) in (torch.bfloat16, torch.float16)
    assert load_dtype("float16", cpu) is torch.float16
    assert kinds(QuestionAnsweringModel(str(half_reader))._model) == {torch.float32}
    generator = readers.build(folder / "generator", "mbert", head="LMHeadModel", half=True,
                              config={"is_decoder": True})  # fmt: skip
    assert kinds(LocalModel(str(generator), 4, "auto")._model) == {torch.float16}
    half = encoders.save_released(folder / "half", half=True)
    tower = Encoder(EncoderSettings(str(half)))._query_tower
    assert isinstance(tower, ReleasedTower)
    assert kinds(tower._model) == {torch.float16}
    assert loaded_as[:2] == ["float32", "auto"]


def test_a_bare_encoder_in_bfloat16_is_that_of_transformers(bare: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    settings = EncoderSettings(str(bare), pooling="cls", normalize=False, dtype="bfloat16")
    encoder = Encoder(settings)
    tower = encoder._query_tower
    assert isinstance(tower, Tower)
    model = AutoModel.from_pretrained(bare, dtype=torch.bfloat16).eval()
    tokenizer = AutoTokenizer.from_pretrained(bare)
    expected = []
    for text in TEXTS[:4]:
        encoded = tokenizer(text, return_tensors="pt", truncation=True, max_length=512)
        inputs = {name: encoded[name] for name in ("input_ids", "attention_mask")}
        with torch.inference_mode():
            expected.append(model(**inputs).last_hidden_state[0, 0].float().numpy())
    ours = np.concatenate([encoder.queries([text]) for text in TEXTS[:4]])
    assert kinds(tower._model) == {torch.bfloat16}
    np.testing.assert_allclose(ours, expected, atol=0.05)  # padding adds a rounding or two


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_released_encoder_is_that_of_the_library(released: Path, dtype: Any) -> None:
    from sentence_transformers import SentenceTransformer

    options = {"dtype": getattr(torch, dtype)}
    model = SentenceTransformer(str(released), device="cpu", model_kwargs=options)
    expected = model.encode_document(TEXTS, normalize_embeddings=True)
    ours = Encoder(EncoderSettings(str(released), dtype=dtype)).passages(TEXTS)
    np.testing.assert_allclose(ours, np.asarray(expected, np.float32), atol=1e-3)


def test_a_translator_in_bfloat16_is_that_of_transformers(folder: Path) -> None:
    from transformers import MarianMTModel, MarianTokenizer

    path = translators.marian(folder / "marian", pair=("fi", "en"))
    text = "Missä on Inari?"
    translator = Seq2SeqTranslator(model=str(path), beams=1, longest=12, dtype="bfloat16")
    model = MarianMTModel.from_pretrained(path, dtype=torch.bfloat16).eval()
    tokenizer = MarianTokenizer.from_pretrained(path)
    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        [row] = model.generate(**encoded, num_beams=1, max_new_tokens=12, do_sample=False)
    assert translator.generate([("", text)], "") == [
        tokenizer.decode(row, skip_special_tokens=True)
    ]
    assert kinds(translator.model) == {torch.bfloat16}


@pytest.fixture
def shapes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of the token ids that models compute, in order."""
    seen: list[tuple[int, ...]] = []
    original = torch.nn.Module.__call__

    def spy(module: Any, *args: Any, **options: Any) -> Any:
        if "input_ids" in options and options["input_ids"] is not None:
            seen.append(tuple(options["input_ids"].shape))
        return original(module, *args, **options)

    monkeypatch.setattr(torch.nn.Module, "__call__", spy)
    return seen


def encode_released(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "released"
    settings = EncoderSettings(str(path), dtype="float32", batch_tokens=batch_tokens)
    return Encoder(settings).passages(TEXTS)


def encode_bare(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "bare"
    settings = EncoderSettings(
        str(path), pooling="mean", dtype="float32", batch_tokens=batch_tokens
    )
    return Encoder(settings).passages(TEXTS)


def encode_late(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "native"
    if not path.is_dir():
        late.native(path)
    settings = LateSettings(str(path), dtype="float32", batch_tokens=batch_tokens)
    vectors = late_encoder(settings).encode("passage", TEXTS, ["en"] * len(TEXTS))
    return np.concatenate(vectors)


def encode_sparse(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "splade"
    if not path.is_dir():
        late.splade(path)
    settings = SparseSettings(str(path), dtype="float32", batch_tokens=batch_tokens)
    rows = sparse_encoder(settings).encode("passage", TEXTS)
    return np.array([weights.sum() for _, weights in rows])


def score(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "reranker"
    if not path.is_dir():
        rerankers.xlm_roberta(path)
    settings = PairClassifierSettings(str(path), None, "float32", batch_tokens=batch_tokens)
    return np.array(PairClassifier(settings).score(PAIRS))


def read(folder: Path, batch_tokens: int | None) -> Any:
    path = folder / "reader"
    if not path.is_dir():
        readers.build(path, "mbert", half=True)
    reader = SpanReader(
        model=str(path), passages=99, max_tokens=96, dtype="float32", batch_tokens=batch_tokens
    )
    query = Query(Question("q", PAIRS[0][0], "en"), PAIRS[0][0], "en")
    hits = [Hit(Passage(str(number), text), 1.0) for number, text in enumerate(TEXTS)]
    [candidates] = reader.read([query], [hits])
    return np.array([[c.scores.span, c.scores.passage, float(c.docid)] for c in candidates])


@pytest.mark.parametrize(
    "compute", [encode_released, encode_bare, encode_late, encode_sparse, score, read]
)
def test_batches_have_at_most_their_tokens(
    compute: Any, folder: Path, released: Path, bare: Path, shapes: list[tuple[int, ...]]
) -> None:
    expected = compute(folder, None)
    shapes.clear()
    limited = compute(folder, 300)
    assert shapes
    assert all(rows == 1 or rows * width <= 300 for rows, width in shapes)
    assert any(rows > 1 for rows, _ in shapes)
    np.testing.assert_allclose(limited, expected, rtol=1e-5, atol=2e-5)


def test_fingerprints_have_the_settings_that_are_set(folder: Path, bare: Path) -> None:
    table = {"use": "dense", "encoder": str(bare), "pooling": "cls"}
    from xorqa.datasets.corpus import Corpus

    corpus = Corpus("c", [Passage("a", "Inari is a lake.")])

    def of(**settings: Any) -> str:
        stage: Dense = build("retriever", table | settings, corpus=corpus, folder=folder / "none")
        return stage.fingerprint()

    default = of()
    assert of(dtype="auto") == default
    assert len({default, of(dtype="float32"), of(dtype="bfloat16"), of(batch_tokens=64)}) == 4


def test_the_size_of_batches_is_no_other_index(folder: Path, bare: Path) -> None:
    from xorqa.datasets.corpus import Corpus
    from xorqa.retrieval import manifest
    from xorqa.retrieval.over_corpus import retriever_over

    corpus = Corpus("c", [Passage("a", "Inari is a lake.")])
    table = {"use": "dense", "encoder": str(bare), "pooling": "cls"}
    built: Any = retriever_over(corpus, table | {"batch_tokens": 64}, folder / "indexes")
    built.build()
    other: Any = retriever_over(corpus, table, folder / "indexes")
    assert other.folder == built.folder
    other.build()
    assert manifest.read(built.folder)[manifest.BUILT_BY]["batch_tokens"] == 64
    half: Any = retriever_over(corpus, table | {"dtype": "bfloat16"}, folder / "indexes")
    half.build()
    assert half.folder != built.folder
    assert manifest.read(half.folder)[manifest.BUILT_BY]["dtype"] == "bfloat16"


@pytest.mark.parametrize(
    ("role", "table"),
    [
        ("retriever", {"use": "dense"}),
        ("retriever", {"use": "late-interaction"}),
        ("retriever", {"use": "learned-sparse", "model": "./m"}),
        ("ranker", {"use": "cross-encoder"}),
        ("ranker", {"use": "late-interaction"}),
        ("reader", {"use": "span"}),
        ("reader", {"use": "generate", "model": "./m"}),
        ("translator", {"use": "seq2seq", "model": "./m"}),
    ],
)
def test_unknown_precisions_are_refused(role: str, table: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="dtype cannot be 'fp16'; valid: auto, bfloat16, float16"):
        build(role, table | {"dtype": "fp16"})


def test_settings_without_effect_are_refused_or_announced(folder: Path) -> None:
    with pytest.raises(ConfigError, match="decides itself how it computes"):
        Encoder(EncoderSettings("some.module:Class", dtype="float32")).queries(["a"])
    with pytest.raises(ConfigError, match="is for local models"):
        build("reader", {"use": "generate", "model": "m", "endpoint": "http://localhost:1/v1",
                         "dtype": "float32"})  # fmt: skip
    static = encoders.save_static(folder / "static")
    lines: list[str] = []
    with announcing(lines.append):
        Encoder(EncoderSettings(str(static), dtype="bfloat16")).queries(["a"])
    assert any("dtype = 'bfloat16' has no effect; it computes in float32" in one for one in lines)
    with pytest.raises(ConfigError, match="remove dtype"):
        Encoder(EncoderSettings(str(static), dtype="bfloat16", backend="onnx")).queries(["a"])


def test_the_environment_names_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XORQA_DEVICE", "cpu")
    assert pick_device() == torch.device("cpu")
    monkeypatch.setenv("XORQA_DEVICE", "cuda:99")
    with pytest.raises(ConfigError, match="this machine has no device 'cuda:99'; valid: cpu"):
        pick_device()
    with pytest.raises(ConfigError, match="no device 'gpu'; valid: cpu"):
        pick_device("gpu")
