"""Tiny translators with random weights, each saved in the layout that its family has on the hub."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.zoo.shapes import BART, T5
from tests.zoo.tokenizers import passages
from xorqa.io.files import write_json

SIZES = BART | {"max_position_embeddings": 128}
NLLB = ["eng_Latn", "fin_Latn", "kor_Hang", "zho_Hans", "zho_Hant"]
MADLAD = ["<2en>", "<2fi>", "<2ko>"]


@cache
def pieces(kind: str = "unigram", symbols: tuple[str, ...] = (), t5: bool = False) -> bytes:
    """A SentencePiece model of the bundled world."""
    import sentencepiece

    texts = [passage.text for passage in passages("en", "fi", "ko", each=60)]
    special = {"unk_id": 2, "eos_id": 1, "pad_id": 0, "bos_id": -1} if t5 else {}
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=written,
        model_type=kind,
        vocab_size=1500,
        hard_vocab_limit=False,
        user_defined_symbols=list(symbols),
        num_threads=1,
        minloglevel=2,
        **special,
    )
    return written.getvalue()


def names_of(model: bytes) -> list[str]:
    """The pieces of a SentencePiece model without its three special ones."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(number) for number in range(3, processor.vocab_size())]


def marian(
    folder: Path, codes: Sequence[str] = (), *, pair: tuple[str, str] = ("en", "mul")
) -> Path:
    """An OPUS-MT model with the tokens of its target languages; `pair` is the one it declares."""
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir(parents=True)
    model = pieces()
    paths = [folder / "source.spm", folder / "target.spm"]
    for path in paths:
        path.write_bytes(model)
    tokens = ["</s>", "<unk>", *(f">>{code}<<" for code in codes), *names_of(model), "<pad>"]
    write_json(folder / "vocab.json", {token: number for number, token in enumerate(tokens)})
    source, target = pair
    MarianTokenizer(
        *map(str, paths), str(folder / "vocab.json"), source_lang=source, target_lang=target
    ).save_pretrained(folder)
    _seed()
    config = MarianConfig(
        vocab_size=len(tokens),
        pad_token_id=len(tokens) - 1,
        decoder_start_token_id=len(tokens) - 1,
        eos_token_id=0,
        forced_eos_token_id=0,
        static_position_embeddings=True,
        activation_function="swish",
        **SIZES,
    )
    _attentive(MarianMTModel(config)).save_pretrained(folder)
    return folder


def m2m(folder: Path) -> Path:
    """An M2M-100 model."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer

    folder.mkdir(parents=True)
    model = pieces("bpe")
    spm = folder / "sentencepiece.bpe.model"
    spm.write_bytes(model)
    tokens = ["<s>", "<pad>", "</s>", "<unk>", *names_of(model)]
    write_json(folder / "vocab.json", {token: number for number, token in enumerate(tokens)})
    tokenizer = M2M100Tokenizer(str(folder / "vocab.json"), str(spm))
    tokenizer.save_pretrained(folder)
    _seed()
    config = M2M100Config(vocab_size=len(tokens) + 108, decoder_start_token_id=2, **SIZES)
    _attentive(M2M100ForConditionalGeneration(config)).save_pretrained(folder)
    return folder


def nllb(folder: Path, codes: Sequence[str] = NLLB) -> Path:
    """An NLLB-200 model whose tokenizer has weights for some of its languages only."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, NllbTokenizer

    folder.mkdir(parents=True)
    size = _save_from_pieces(folder, NllbTokenizer, "bpe", extra_special_tokens=list(codes))
    _seed()
    config = M2M100Config(vocab_size=size, decoder_start_token_id=2, **SIZES)
    _attentive(M2M100ForConditionalGeneration(config)).save_pretrained(folder)
    return folder


def mbart50(folder: Path, **settings: Any) -> Path:
    """An mBART-50 model; `settings` are those of its configuration."""
    from transformers import MBart50Tokenizer, MBartConfig, MBartForConditionalGeneration

    folder.mkdir(parents=True)
    size = _save_from_pieces(folder, MBart50Tokenizer, "unigram", bos_token="<s>")
    _seed()
    hub = {"normalize_before": True, "normalize_embedding": True}  # a converter reads these
    hub |= {"tokenizer_class": "MBart50Tokenizer"}
    config = {"vocab_size": size, "decoder_start_token_id": 2, **hub, **SIZES, **settings}
    _attentive(MBartForConditionalGeneration(MBartConfig(**config))).save_pretrained(folder)
    return folder


def t5(folder: Path, symbols: Sequence[str] = (), **settings: Any) -> Path:
    """A T5 model, with `MADLAD` as MADLAD-400; `settings` are those of its configuration."""
    from transformers import T5Config, T5ForConditionalGeneration, T5Tokenizer

    folder.mkdir(parents=True)
    (folder / "spiece.model").write_bytes(pieces(symbols=tuple(symbols), t5=True))
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "T5Tokenizer", "extra_ids": 0, "additional_special_tokens": []},
    )
    tokenizer = T5Tokenizer.from_pretrained(folder)
    tokenizer.save_pretrained(folder)
    _seed()
    config = {
        "vocab_size": len(tokenizer),
        **T5,
        "num_layers": 1,
        "initializer_factor": 3.0,
        "tie_word_embeddings": False,
        "pad_token_id": 0,
        "eos_token_id": 1,
        "decoder_start_token_id": 0,
        **settings,
    }
    _attentive(T5ForConditionalGeneration(T5Config(**config))).save_pretrained(folder)
    return folder


def converted(folder: Path, out: Path) -> Path:
    """The CTranslate2 conversion of a model, with its SentencePiece files."""
    from ctranslate2.converters import TransformersConverter

    class Converter(TransformersConverter):  # type: ignore[misc]
        def load_tokenizer(self, *args: Any, **options: Any) -> Any:
            return _with_language_tokens(super().load_tokenizer(*args, **options))

    files = [path.name for path in folder.iterdir() if path.suffix in (".spm", ".model")]
    Converter(str(folder), copy_files=files).convert(str(out))
    return out


def _with_language_tokens(tokenizer: Any) -> Any:
    """M2M-100's tokenizer with the map that converters take its language tokens from.

    transformers 5 has no such map, so ctranslate2 4.8 cannot convert M2M-100 with it.
    """
    tokens = list(getattr(tokenizer, "lang_token_to_id", {}))
    if tokens:
        special = {**tokenizer.special_tokens_map, "additional_special_tokens": tokens}
        cls = type(tokenizer)
        tokenizer.__class__ = type(cls.__name__, (cls,), {"special_tokens_map": special})
    return tokenizer


def _save_from_pieces(folder: Path, cls: Any, kind: str, **settings: Any) -> int:
    """Save a tokenizer as it comes from the hub's SentencePiece file; returns its size."""
    (folder / "sentencepiece.bpe.model").write_bytes(pieces(kind))
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": cls.__name__, **settings})
    tokenizer = cls.from_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def _attentive(model: Any) -> Any:
    """The model with a decoder that depends on its source more than on its own output."""
    for name, weights in model.named_parameters():
        if weights.dim() < 2 or "decoder" not in name or "embed" in name:
            continue
        if "encoder_attn." in name or "EncDecAttention." in name:
            weights.data *= 2 if name.split(".")[-2] in ("q", "k", "q_proj", "k_proj") else 5
        else:
            weights.data *= 0.3
    return model


def _seed() -> None:
    import torch

    torch.manual_seed(11)
