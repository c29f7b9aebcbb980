"""Late-interaction and learned sparse models of random weights, as their libraries save them."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

from tests.zoo.shapes import BERT, WIDTH
from tests.zoo.tokenizers import passages, save_word_pieces

PROJECTED = 16


def texts() -> list[str]:
    """Passages of the bundled world, in English and Finnish."""
    return [passage.titled for passage in passages("en", "fi", each=60)]


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def bert(folder: Path, *, model: str = "BertModel", extra: tuple[str, ...] = ()) -> Path:
    """A BERT with its tokenizer."""
    import torch
    import transformers

    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=save_word_pieces(folder, *extra, lower=True), initializer_range=0.4, **BERT
    )
    getattr(transformers, model)(config).save_pretrained(folder)
    return folder


def native(folder: Path, *, similarity: str = "maxsim") -> Path:
    """A MultiVectorEncoder as sentence-transformers saves it."""
    import torch
    from sentence_transformers import MultiVectorEncoder
    from sentence_transformers.base.modules import Normalize, Transformer
    from sentence_transformers.base.modules.dense import Dense
    from sentence_transformers.multi_vector_encoder.modules import MultiVectorMask

    torch.manual_seed(8)
    dense = Dense(
        WIDTH, PROJECTED, bias=False, activation_function=torch.nn.Identity(),
        module_input_name="token_embeddings",
    )  # fmt: skip
    model = MultiVectorEncoder(
        modules=[
            Transformer(str(bert(folder.with_name(folder.name + "-body"))), document_length=90),
            dense,
            MultiVectorMask(skiplist_words=list(string.punctuation)),
            Normalize(module_input_name="token_embeddings"),
        ],
        prompts={"query": "query: ", "document": "passage: "},
        similarity_fn_name=similarity,
        device="cpu",
    )
    model.save_pretrained(str(folder))
    return folder


def _projection() -> Any:
    import torch

    torch.manual_seed(9)
    return torch.randn(PROJECTED, WIDTH) * 0.2


def pylate(folder: Path) -> Path:
    """A ColBERT as PyLate 1.x saves it: prefixes, lengths and expansion in the top config."""
    from safetensors.torch import save_file

    bert(folder, extra=("[unused0]", "[unused1]"))
    dense = folder / "1_Dense"
    write_json(
        dense / "config.json",
        {
            "in_features": WIDTH,
            "out_features": PROJECTED,
            "bias": False,
            "activation_function": "torch.nn.modules.linear.Identity",
        },
    )
    save_file({"linear.weight": _projection()}, dense / "model.safetensors")
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 89, "do_lower_case": False})
    write_json(
        folder / "modules.json",
        [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Dense", "type": "pylate.models.Dense.Dense"},
        ],
    )
    write_json(
        folder / "config_sentence_transformers.json",
        {
            "model_type": "ColBERT",
            "prompts": {},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
            "query_prefix": "[unused0]",
            "document_prefix": "[unused1]",
            "query_length": 32,
            "document_length": 90,
            "attend_to_expansion_tokens": False,
            "skiplist_words": list(string.punctuation),
        },
    )
    return folder


def stanford(folder: Path) -> Path:
    """A ColBERT as Stanford's library saves it: the projection beside the body's weights."""
    from safetensors.torch import load_file, save_file

    bert(folder, extra=("[unused0]", "[unused1]"))
    path = folder / "model.safetensors"
    weights = {f"bert.{name}": weight for name, weight in load_file(path).items()}
    save_file({**weights, "linear.weight": _projection()}, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    write_json(folder / "config.json", config | {"architectures": ["HF_ColBERT"]})
    write_json(
        folder / "artifact.metadata",
        {
            "query_token_id": "[unused0]",
            "doc_token_id": "[unused1]",
            "query_maxlen": 32,
            "doc_maxlen": 90,
            "mask_punctuation": True,
            "attend_to_mask_tokens": False,
            "dim": PROJECTED,
        },
    )
    return folder


def sentence_transformer(folder: Path) -> Path:
    """A bi-encoder with modules."""
    from sentence_transformers import SentenceTransformer, models

    body = models.Transformer(str(bert(folder.with_name(folder.name + "-body"))))
    pooling = models.Pooling(WIDTH, "cls")
    SentenceTransformer(modules=[body, pooling], device="cpu").save_pretrained(str(folder))
    return folder


def bge_m3(folder: Path) -> Path:
    """An encoder with the two heads of BGE-M3 beside it."""
    return with_heads(sentence_transformer(folder))


def with_heads(folder: Path) -> Path:
    """The encoder in a folder, after the two heads of BGE-M3 were written beside it."""
    import torch

    torch.manual_seed(17)  # about half of the tokens get a lexical weight
    heads = {"colbert_linear.pt": WIDTH, "sparse_linear.pt": 1}
    for name, outputs in heads.items():
        head = {"weight": torch.randn(outputs, WIDTH) * 0.3, "bias": 2 * torch.rand(outputs)}
        torch.save(head, folder / name)
    return folder


def masked_language_model(folder: Path) -> Path:
    """The body of a SPLADE model, without modules."""
    return bert(folder, model="BertForMaskedLM")


def splade(folder: Path) -> Path:
    """A SPLADE model as sentence-transformers saves it."""
    from sentence_transformers import SparseEncoder

    body = masked_language_model(folder.with_name(folder.name + "-body"))
    SparseEncoder(str(body), device="cpu").save_pretrained(str(folder))
    return folder


def inference_free_splade(folder: Path) -> Path:
    """A SPLADE model whose queries have a static weight per term."""
    import torch
    from sentence_transformers import SparseEncoder
    from sentence_transformers.sentence_transformer.modules import Router
    from sentence_transformers.sparse_encoder.modules import SparseStaticEmbedding

    body = masked_language_model(folder.with_name(folder.name + "-body"))
    documents = SparseEncoder(str(body), device="cpu")
    torch.manual_seed(5)
    weights = torch.rand(len(documents.tokenizer))
    queries = SparseStaticEmbedding(documents.tokenizer, weight=weights)
    router = Router.for_query_document(query_modules=[queries], document_modules=list(documents))
    SparseEncoder(modules=[router], device="cpu").save_pretrained(str(folder))
    return folder
