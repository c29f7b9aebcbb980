"""Tiny rerankers with random weights, saved as the hub has them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from xorqa.datasets.mini import load as load_mini

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
QWEN_SIZES = {**SIZES, "intermediate_size": 64, "num_key_value_heads": 1, "head_dim": 16}
ROLES = """Judge: {{ messages | selectattr("role", "eq", "system") | map(attribute="content")
| first | default("is it relevant?") }} {{ messages | selectattr("role", "eq", "query")
| map(attribute="content") | first }} / {{ messages | selectattr("role", "eq", "document")
| map(attribute="content") | first }} Answer:"""
CHAT = "{% for m in messages %}{% if m.role == 'user' %}{{ m.content }}{% endif %}{% endfor %}"


def xlm_roberta(folder: Path, *, limit: int = 64, config: Mapping[str, Any] | None = None) -> Path:
    """A cross-encoder with one logit, such as bge-reranker-v2-m3 or mmarco-mMiniLMv2."""
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig
    from transformers import XLMRobertaForSequenceClassification as Model

    backend = _unigram(["<s>", "<pad>", "</s>", "<unk>"])
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        model_max_length=limit,
    ).save_pretrained(folder)
    settings = XLMRobertaConfig(
        vocab_size=backend.get_vocab_size(),
        max_position_embeddings=limit + 2,
        type_vocab_size=1,
        pad_token_id=1,
        num_labels=1,
        intermediate_size=64,
        **SIZES,
    )
    _save(Model(settings), folder, seed=1)
    _change(folder / "config.json", config or {})
    return folder


def bert(folder: Path, *, labels: tuple[str, ...] = ("LABEL_0", "LABEL_1")) -> Path:
    """A classifier of pairs with segments, such as amberoad's reranker, or NLI by its labels."""
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = BertWordPieceTokenizer(lowercase=False)
    words.train_from_iterator(_texts(), vocab_size=800, min_frequency=1, show_progress=False)
    folder.mkdir(parents=True, exist_ok=True)
    words.save_model(str(folder))
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=96).save_pretrained(folder)
    names = dict(enumerate(labels))
    config = BertConfig(
        vocab_size=words.get_vocab_size(),
        max_position_embeddings=96,
        intermediate_size=64,
        id2label=names,
        label2id={label: index for index, label in names.items()},
        **SIZES,
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
        **QWEN_SIZES,
    )
    kind = Qwen3ForCausalLM if causal else Qwen3ForSequenceClassification
    _save(kind(config), folder, seed=3)
    return folder


def mono_t5(folder: Path, *, answers: tuple[str, str] = ("\u2581no", "\u2581yes")) -> Path:
    """mMonoT5: its tokenizer has no pairs and ends a text with </s>."""
    from tokenizers import processors
    from transformers import MT5Config, MT5ForConditionalGeneration, PreTrainedTokenizerFast

    backend = _unigram(["<pad>", "</s>", "<unk>"], pieces=answers)
    backend.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token="</s>", unk_token="<unk>", pad_token="<pad>"
    ).save_pretrained(folder)
    config = MT5Config(
        vocab_size=backend.get_vocab_size(),
        d_model=32,
        d_kv=16,
        d_ff=64,
        num_layers=2,
        num_heads=2,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    _save(MT5ForConditionalGeneration(config), folder, seed=4)
    return folder


def _texts() -> Iterator[str]:
    corpora = load_mini().corpora
    passages = chain.from_iterable(corpora[lang] for lang in ("en", "fi", "ko"))
    return (f"{passage.title} {passage.text}" for passage in passages)


def _unigram(special: Sequence[str], pieces: Sequence[str] = ()) -> Any:
    from tokenizers import Tokenizer

    table = json.loads(_trained(tuple(special)))
    known = {piece for piece, _ in table["model"]["vocab"]}
    table["model"]["vocab"] += [[piece, -6.0] for piece in pieces if piece not in known]
    return Tokenizer.from_str(json.dumps(table))


@cache
def _trained(special: tuple[str, ...]) -> str:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=1500, special_tokens=[*special], unk_token="<unk>", show_progress=False
    )
    tokenizer.train_from_iterator(_texts(), trainer)
    return str(tokenizer.to_str())


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
    tokenizer.train_from_iterator(_texts(), trainer)
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


def _save(model: Any, folder: Path, *, seed: int) -> None:
    """Save the model with weights that tell texts clearly apart."""
    import torch

    torch.manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1:
                parameter.copy_(torch.randn_like(parameter) * 0.4)
            elif name.endswith("weight"):
                parameter.fill_(1.0)
    model.save_pretrained(folder)


def _change(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")
