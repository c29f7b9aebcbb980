"""Tiny rerankers with random weights, saved as the hub has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.zoo.shapes import BERT, T5
from tests.zoo.tokenizers import save_unigram, save_word_pieces, unigram, world_texts

QWEN = BERT | {"num_key_value_heads": 1, "head_dim": 16}
ROLES = """Judge: {{ messages | selectattr("role", "eq", "system") | map(attribute="content")
| first | default("is it relevant?") }} {{ messages | selectattr("role", "eq", "query")
| map(attribute="content") | first }} / {{ messages | selectattr("role", "eq", "document")
| map(attribute="content") | first }} Answer:"""
CHAT = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}"


def xlm_roberta(folder: Path, *, limit: int = 64, config: Mapping[str, Any] | None = None) -> Path:
    """A cross-encoder with one logit, such as bge-reranker-v2-m3 or mmarco-mMiniLMv2."""
    from transformers import XLMRobertaConfig
    from transformers import XLMRobertaForSequenceClassification as Model

    settings = XLMRobertaConfig(
        vocab_size=save_unigram(folder, longest=limit),
        max_position_embeddings=limit + 2,
        type_vocab_size=1,
        pad_token_id=1,
        num_labels=1,
        **BERT,
    )
    _save(Model(settings), folder, seed=1)
    _change(folder / "config.json", config or {})
    return folder


def bert(folder: Path, *, labels: tuple[str, ...] = ("LABEL_0", "LABEL_1")) -> Path:
    """A classifier of pairs with segments, such as amberoad's reranker, or NLI by its labels."""
    from transformers import BertConfig, BertForSequenceClassification

    names = dict(enumerate(labels))
    config = BertConfig(
        vocab_size=save_word_pieces(folder, longest=96),
        max_position_embeddings=96,
        id2label=names,
        label2id={label: index for index, label in names.items()},
        **BERT,
    )
    _save(BertForSequenceClassification(config), folder, seed=2)
    return folder


def qwen(folder: Path, *, causal: bool = True, template: str = "", answers: bool = True) -> Path:
    """Qwen3-Reranker, or with `causal=False` its conversion to a sequence classifier."""
    from transformers import Qwen3Config, Qwen3ForCausalLM, Qwen3ForSequenceClassification

    size = _byte_pairs(folder, template, answers=answers)
    config = Qwen3Config(
        vocab_size=size,
        num_labels=1,
        pad_token_id=0,
        tie_word_embeddings=causal,
        max_position_embeddings=2048,
        **QWEN,
    )
    kind = Qwen3ForCausalLM if causal else Qwen3ForSequenceClassification
    _save(kind(config), folder, seed=3)
    return folder


def mono_t5(folder: Path, *, answers: tuple[str, str] = ("\u2581no", "\u2581yes")) -> Path:
    """mMonoT5: its tokenizer has no pairs and ends a text with </s>."""
    from tokenizers import processors
    from transformers import MT5Config, MT5ForConditionalGeneration, PreTrainedTokenizerFast

    backend = unigram(["<pad>", "</s>", "<unk>"], pieces=answers)
    backend.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    ).save_pretrained(folder)
    config = MT5Config(
        vocab_size=backend.get_vocab_size(),
        **T5,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    _save(MT5ForConditionalGeneration(config), folder, seed=4, scale=0.2)
    return folder


def _byte_pairs(folder: Path, template: str, *, answers: bool) -> int:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(world_texts(), trainer)
    if answers:
        tokenizer.add_tokens(["yes", "no"])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        padding_side="left",
        model_max_length=1024,
    )
    fast.chat_template = template or None
    fast.save_pretrained(folder)
    return tokenizer.get_vocab_size()


def _save(model: Any, folder: Path, *, seed: int, scale: float = 0.4) -> None:
    """Save the model with weights that tell texts clearly apart."""
    import torch

    torch.manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1:
                parameter.copy_(torch.randn_like(parameter) * scale)
            elif name.endswith("weight"):
                parameter.fill_(1.0)
    model.save_pretrained(folder)


def _change(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")
