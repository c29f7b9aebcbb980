"""Token vectors and term weights equal those of the libraries that the models come from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.zoo import late
from xorqa.core.errors import ConfigError, Notice, WeightsError
from xorqa.core.progress import announcing
from xorqa.models.late_interaction import LateEncoder, LateSettings, late_encoder
from xorqa.models.learned_sparse import SparseSettings, SparseTextEncoder, sparse_encoder
from xorqa.models.maxsim import chunks, maxsim

QUESTIONS = ["Where is the Nile?", "What, then, is the capital of Finland?", "Why?"]
Build = Callable[[Path], Path]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Build], Path]:
    """Builds a model of the zoo once."""
    folders: dict[Build, Path] = {}

    def build(builder: Build) -> Path:
        if builder not in folders:
            folders[builder] = builder(tmp_path_factory.mktemp("zoo") / builder.__name__)
        return folders[builder]

    return build


def scores(encoder: LateEncoder, questions: list[str], texts: list[str]) -> Any:
    queries = encoder.encode("query", questions, ["en"] * len(questions))
    passages = encoder.encode("passage", texts, ["en"] * len(texts))
    lengths = np.array(list(map(len, passages)), np.int64)
    return maxsim(queries, np.concatenate(passages), lengths, mean=encoder.averages)


def same_ranking(one: Any, other: Any) -> bool:
    return bool((np.argsort(-one)[:, :10] == np.argsort(-other)[:, :10]).all())


def mean_similarity(folder: Path) -> Path:
    return late.native(folder, similarity="meanmaxsim")


@pytest.mark.parametrize("builder", [late.native, mean_similarity, late.pylate, late.stanford])
def test_scores_are_those_of_the_library(builder: Build, built: Callable[[Build], Path]) -> None:
    from sentence_transformers import MultiVectorEncoder

    folder, texts = built(builder), late.texts()
    model = MultiVectorEncoder(str(folder), device="cpu")
    expected = model.similarity(model.encode_query(QUESTIONS), model.encode_document(texts)).numpy()
    computed = scores(late_encoder(LateSettings(str(folder))), QUESTIONS, texts)
    assert np.abs(computed - expected).max() < 1e-4
    assert same_ranking(computed, expected)


def m3_states(folder: Path, text: str) -> tuple[Any, list[int], dict[str, Any]]:
    """What FlagEmbedding computes its scores from: hidden states, token ids, heads."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    batch = tokenizer([text], return_tensors="pt", truncation=True)
    heads = {
        name: torch.load(folder / f"{name}_linear.pt", weights_only=True)
        for name in ("colbert", "sparse")
    }
    with torch.inference_mode():
        states = model.eval()(**batch).last_hidden_state[0]
    return states, batch["input_ids"][0].tolist(), heads


def test_the_token_vectors_of_bge_m3_are_those_of_its_formula(
    built: Callable[[Build], Path],
) -> None:
    import torch
    from torch.nn.functional import linear, normalize

    folder, texts = built(late.bge_m3), late.texts()[:12]

    def vectors(text: str) -> Any:
        states, _, heads = m3_states(folder, text)
        head = heads["colbert"]
        return normalize(linear(states[1:], head["weight"], head["bias"]), dim=-1)

    queries, passages = [list(map(vectors, some)) for some in (QUESTIONS, texts)]
    expected = torch.stack(
        [torch.stack([(q @ p.T).max(-1).values.sum() / len(q) for p in passages]) for q in queries]
    ).numpy()
    computed = scores(late_encoder(LateSettings(str(folder))), QUESTIONS, texts)
    assert np.abs(computed - expected).max() < 1e-5
    assert same_ranking(computed, expected)


def dense(rows: list[Any], width: int) -> Any:
    return np.stack([np.bincount(terms, weights, width) for terms, weights in rows])


def products(encoder: SparseTextEncoder, questions: list[str], texts: list[str]) -> Any:
    queries, passages = encoder.encode("query", questions), encoder.encode("passage", texts)
    return dense(queries, encoder.vocabulary) @ dense(passages, encoder.vocabulary).T


@pytest.mark.parametrize(
    "builder", [late.splade, late.inference_free_splade, late.masked_language_model]
)
def test_weights_are_those_of_sentence_transformers(
    builder: Build, built: Callable[[Build], Path]
) -> None:
    from sentence_transformers import SparseEncoder

    folder, texts = built(builder), late.texts()
    model = SparseEncoder(str(folder), device="cpu")
    expected = model.similarity(model.encode_query(QUESTIONS), model.encode_document(texts)).numpy()
    encoder = sparse_encoder(SparseSettings(str(folder)))
    assert encoder.vocabulary == model.encode_document(texts[:1]).shape[-1]
    computed = products(encoder, QUESTIONS, texts)
    assert np.allclose(computed, expected, rtol=1e-5)
    assert same_ranking(computed, expected)


def test_the_lexical_weights_of_bge_m3_are_those_of_its_formula(
    built: Callable[[Build], Path],
) -> None:
    from torch.nn.functional import linear

    folder, texts = built(late.bge_m3), late.texts()[:12]
    encoder = sparse_encoder(SparseSettings(str(folder)))
    for text, (terms, weights) in zip(texts, encoder.encode("passage", texts), strict=True):
        states, ids, heads = m3_states(folder, text)
        head = heads["sparse"]
        by_token: dict[int, float] = {}
        raw = linear(states, head["weight"], head["bias"])[:, 0].relu().tolist()
        for token, weight in zip(ids, raw, strict=True):
            if weight > 0 and token not in (0, 1, 2):  # BERT has no end token
                by_token[token] = max(weight, by_token.get(token, 0.0))
        assert terms.tolist() == sorted(by_token) and len(terms)
        assert np.allclose(weights, [by_token[term] for term in sorted(by_token)], atol=1e-5)


def test_a_model_without_modules_is_announced_as_splade(built: Callable[[Build], Path]) -> None:
    lines: list[str] = []
    with announcing(lines.append):
        settings = SparseSettings(str(built(late.masked_language_model)), max_tokens=16)
        sparse_encoder(settings).encode("query", QUESTIONS)
    assert "taken for a SPLADE model" in lines[0] and "max_tokens = 16 instead of 512" in lines[1]


@pytest.mark.parametrize("builder", [late.sentence_transformer, late.native])
def test_what_is_no_sparse_encoder_is_refused(
    builder: Build, built: Callable[[Build], Path]
) -> None:
    with pytest.raises(WeightsError, match="is no learned sparse encoder"):
        sparse_encoder(SparseSettings(str(built(builder))))


def test_a_body_without_a_head_is_no_sparse_encoder(tiny: Path) -> None:
    with pytest.raises(WeightsError, match=r"neither modules\.json nor the head"):
        sparse_encoder(SparseSettings(str(tiny)))


@pytest.mark.parametrize("builder", [late.native, late.bge_m3])
def test_a_model_for_late_interaction_takes_no_transform(
    builder: Build, built: Callable[[Build], Path]
) -> None:
    with pytest.raises(ConfigError, match="needs no transform"):
        late_encoder(LateSettings(str(built(builder)), transform="tokens-e5-small-q4"))


def test_what_is_no_encoder_of_texts_is_refused(
    tiny_classifier: Path, built: Callable[[Build], Path]
) -> None:
    for folder in (tiny_classifier, built(late.splade)):
        with pytest.raises(WeightsError, match=r"cross-encoder|sparse"):
            late_encoder(LateSettings(str(folder))).encode("query", QUESTIONS, ["en"] * 3)


def test_the_token_vectors_of_an_encoder_are_its_last_hidden_states(
    built: Callable[[Build], Path],
) -> None:
    from sentence_transformers import SentenceTransformer

    folder = built(late.sentence_transformer)
    with pytest.warns(Notice, match="token vectors are not centred"):
        rows = late_encoder(LateSettings(str(folder))).encode("query", QUESTIONS, ["en"] * 3)
    model = SentenceTransformer(str(folder), device="cpu")
    expected = model.encode(QUESTIONS, output_value="token_embeddings")
    for one, other in zip(rows, expected, strict=True):
        units = other / other.norm(dim=-1, keepdim=True)
        assert np.abs(one - units.numpy()).max() < 1e-5


def test_the_bundled_encoder_is_centred_by_language() -> None:
    texts = {
        "en": "Where is the river Nile?",
        "ko": "나일강은 어디에 있나요?",
        "sw": "Mto Nile uko wapi?",
    }
    encoder = late_encoder(LateSettings())
    rows = encoder.encode("query", list(texts.values()), list(texts))
    assert all(np.allclose(np.linalg.norm(one, axis=1), 1, atol=1e-5) for one in rows)
    raw = late_encoder(LateSettings(transform="none"))
    plain = raw.encode("query", list(texts.values()), list(texts))
    assert [len(one) for one in plain] == [len(one) for one in rows]
    spread = [float((one @ one.T).mean()) for one in rows]
    assert all(s < float((one @ one.T).mean()) for s, one in zip(spread, plain, strict=True))
    shipped = late_encoder(LateSettings("encoder-questions"))  # opens the means fitted for it
    assert len({encoder.sha, raw.sha, shipped.sha}) == 3


def test_maxsim_takes_the_best_token_of_each_passage() -> None:
    query = np.array([[1, 0], [0, 1]], np.float32)
    rows = np.array([[1, 0], [0.5, 0.5], [0, 2]], np.float32)
    lengths = np.array([1, 0, 2])
    assert maxsim([query], rows, lengths).tolist() == [[1.0, 0.0, 2.5]]
    assert maxsim([query], rows, lengths, mean=True).tolist() == [[0.5, 0.0, 1.25]]
    assert [part.stop for part in chunks(np.array([3, 3, 9, 1]), most=6)] == [2, 3, 4]


def test_an_encoder_of_vectors_alone_is_refused() -> None:
    with pytest.raises(ConfigError, match="late interaction needs one per token"):
        late_encoder(LateSettings("tests.mine:Encoder"))


def test_means_are_fitted_for_an_encoder_of_your_own(
    xorqa: Any, built: Callable[[Build], Path], tmp_path: Path
) -> None:
    folder, out = built(late.sentence_transformer), tmp_path / "mine.transform"
    for lang, text in (("en", "Where is the Nile?\nWhy?\n"), ("fi", "Missä Niili on?\n")):
        (tmp_path / f"q.{lang}.txt").write_text(text, "utf-8")
        xorqa("transform", "fit", "--tokens", "--encoder", folder, "--out", out,
              tmp_path / f"q.{lang}.txt")  # fmt: skip
    settings = LateSettings(str(folder), transform=str(out))
    [raw] = late_encoder(settings).encode("query", ["Missä Niili on?"], ["fi"])
    mean = raw.mean(axis=0)
    assert raw.shape[1] == late.WIDTH and np.abs(mean).max() < 0.2  # centred, then of unit length
    with pytest.raises(WeightsError, match="was fitted for an encoder with fingerprint"):
        late_encoder(LateSettings(transform=str(out))).encode("query", QUESTIONS, ["en"] * 3)
