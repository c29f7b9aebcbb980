"""Bi-encoders of tiny random weights, in the layouts that sentence-transformers saves."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.zoo.shapes import BERT, DISTILBERT, WIDTH
from tests.zoo.tokenizers import passages, save_unigram
from xorqa.datasets.mini import load as load_mini

BODIES: dict[str, dict[str, Any]] = {
    "XLMRobertaModel": {"max_position_embeddings": 514, "type_vocab_size": 1},
    "BertModel": {"max_position_embeddings": 512},
    "DistilBertModel": {"max_position_embeddings": 512},
    "MPNetModel": {"max_position_embeddings": 514},
    "MistralModel": {"num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 2048},
    "Qwen3Model": {"num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 2048},
    "Gemma3TextModel": {
        "num_key_value_heads": 1,
        "head_dim": 16,
        "query_pre_attn_scalar": 16,
        "use_bidirectional_attention": True,
    },
}
"""Architectures, with what their configs need beside their shape."""


def texts(count: int = 40) -> list[str]:
    """Passages of the bundled world, in all its languages in turn."""
    corpora = [passages(lang) for lang in load_mini().corpora]
    return [corpus[row].titled for row in range(count) for corpus in corpora][:count]


def questions(count: int = 12) -> list[str]:
    """Questions of the bundled world."""
    return [example.question.text for example in load_mini().examples[::7]][:count]


def save_body(folder: Path, architecture: str = "XLMRobertaModel", *, seed: int = 1) -> None:
    """A transformers model with its tokenizer."""
    import torch
    import transformers

    torch.manual_seed(seed)
    size = save_unigram(folder)
    shape = DISTILBERT if architecture.startswith("Distil") else BERT
    config = getattr(transformers, architecture.removesuffix("Model") + "Config")(
        vocab_size=size,
        pad_token_id=1,
        initializer_range=0.4,
        **shape,
        **BODIES[architecture],
    )
    getattr(transformers, architecture)(config).save_pretrained(folder)


def save_released(
    folder: Path,
    architecture: str = "XLMRobertaModel",
    *,
    pooling: str = "mean",
    dense: int = 0,
    normalize: bool = False,
    prompts: Mapping[str, str] | None = None,
    similarity: str = "cosine",
    longest: int = 64,
    half: bool = False,
    seed: int = 1,
) -> Path:
    """A model of sentence-transformers: a transformer, its pooling and what follows it."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Dense, Normalize, Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling

    body = folder.parent / f"{folder.name}-body"
    save_body(body, architecture, seed=seed)
    modules: list[Any] = [Transformer(str(body), max_seq_length=longest), Pooling(WIDTH, pooling)]
    modules += [Dense(WIDTH, dense)] if dense else []
    modules += [Normalize()] if normalize else []
    model = SentenceTransformer(
        modules=modules,
        prompts=dict(prompts or {}),
        similarity_fn_name=similarity,  # type: ignore[arg-type]
        device="cpu",
    )
    (model.to(torch.float16) if half else model).save_pretrained(str(folder))
    return folder


def save_static(folder: Path) -> Path:
    """A model without a transformer: one vector per token."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    torch.manual_seed(5)
    save_unigram(folder.parent / "static-tokenizer")
    tokenizer = Tokenizer.from_file(str(folder.parent / "static-tokenizer" / "tokenizer.json"))
    model = SentenceTransformer(
        modules=[StaticEmbedding(tokenizer, embedding_dim=WIDTH)], device="cpu"
    )
    model.save_pretrained(str(folder))
    return folder


def reference(
    folder: Path,
    inputs: Sequence[str],
    side: str,
    *,
    prompt: str | None = None,
    code: bool = False,
) -> np.ndarray[Any, Any]:
    """What sentence-transformers itself computes in float32; `code` runs the model's own."""
    import torch
    from sentence_transformers import SentenceTransformer

    options = {"dtype": torch.float32}
    model = SentenceTransformer(
        str(folder), device="cpu", model_kwargs=options, trust_remote_code=code
    )
    encode = model.encode_query if side == "query" else model.encode_document
    vectors = encode(list(inputs), prompt=prompt, show_progress_bar=False)
    return np.asarray(vectors, np.float32)


def edit_json(path: Path, **changes: Any) -> None:
    """Change keys of a JSON file; None removes one."""
    table = json.loads(path.read_text()) if path.is_file() else {}
    table = {key: value for key, value in {**table, **changes}.items() if value is not None}
    path.write_text(json.dumps(table))


def as_on_the_hub(folder: Path) -> None:
    """Rewrite a saved model's files as they are on the hub, saved by sentence-transformers 2 and 3.

    There, modules have other paths, pooling is a flag for each kind, and no type is named.
    """
    modules = json.loads((folder / "modules.json").read_text())
    for module in modules:
        module["type"] = f"sentence_transformers.models.{module['type'].rpartition('.')[2]}"
        config = folder / module["path"] / "config.json"
        if module["type"].endswith("Pooling"):
            table = json.loads(config.read_text())
            kinds = {"cls": "cls_token", "mean": "mean_tokens", "lasttoken": "lasttoken"}
            flags = {
                f"pooling_mode_{flag}": kind == table["pooling_mode"]
                for kind, flag in kinds.items()
            }
            config.write_text(json.dumps({"word_embedding_dimension": WIDTH, **flags}))
    (folder / "modules.json").write_text(json.dumps(modules))
    path = folder / "sentence_bert_config.json"
    longest = json.loads(path.read_text()).get("max_seq_length")
    if longest is None:
        longest = json.loads((folder / "tokenizer_config.json").read_text())["model_max_length"]
    path.write_text(json.dumps({"max_seq_length": longest, "do_lower_case": False}))
    edit_json(folder / "config_sentence_transformers.json", model_type=None)
