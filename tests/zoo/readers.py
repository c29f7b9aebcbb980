"""Question-answering models with random weights, in the layouts of the hub, one per family."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import torch
import transformers

from tests.zoo.shapes import BART, BERT, DISTILBERT, T5
from tests.zoo.tokenizers import unigram_pieces, word_pieces

WIDTH = BERT | {"initializer_range": 0.5}


def _sentencepiece(length: int) -> Any:
    vocab = [*unigram_pieces("<s>", "<pad>", "</s>", "<unk>"), ("<mask>", 0.0)]
    return transformers.XLMRobertaTokenizer(vocab, model_max_length=length)


def _deberta(length: int) -> Any:
    vocab = [*unigram_pieces("[PAD]", "[CLS]", "[SEP]", "[UNK]"), ("[MASK]", 0.0)]
    return transformers.DebertaV2Tokenizer(vocab, unk_id=3, model_max_length=length)


def _t5(length: int) -> Any:
    vocab = unigram_pieces("<pad>", "</s>", "<unk>")
    return transformers.T5Tokenizer(vocab, extra_ids=0, model_max_length=length)


def _wordpieces(kind: str) -> Callable[[int], Any]:
    def make(length: int) -> Any:
        tokenizer = getattr(transformers, kind)
        return tokenizer(word_pieces(), do_lower_case=False, model_max_length=length)

    return make


def _bytes(kind: str) -> Callable[[int], Any]:
    def make(length: int) -> Any:
        from tokenizers.pre_tokenizers import ByteLevel

        names = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet()), "Th"]
        vocab = {name: number for number, name in enumerate(names)}
        merges = [("T", "h")]
        return getattr(transformers, kind)(vocab, merges, model_max_length=length)

    return make


FAMILIES: dict[str, tuple[str, Callable[[int], Any], dict[str, Any]]] = {
    "xlm-roberta": (
        "XLMRoberta",
        _sentencepiece,
        WIDTH | {"max_position_embeddings": 514, "type_vocab_size": 1},
    ),
    "mdeberta": (
        "DebertaV2",
        _deberta,
        WIDTH
        | {
            "relative_attention": True,
            "pos_att_type": ["p2c", "c2p"],
            "position_buckets": 16,
            "type_vocab_size": 0,
            "position_biased_input": False,
            "share_att_key": True,
            "norm_rel_ebd": "layer_norm",
        },
    ),
    "mbert": ("Bert", _wordpieces("BertTokenizer"), WIDTH),
    "minilm": ("Bert", _sentencepiece, WIDTH),
    "distilbert": (
        "DistilBert",
        _wordpieces("DistilBertTokenizer"),
        DISTILBERT | {"initializer_range": 0.5},
    ),
    "electra": ("Electra", _wordpieces("ElectraTokenizer"), WIDTH | {"embedding_size": 32}),
    "roberta": (
        "Roberta",
        _bytes("RobertaTokenizer"),
        WIDTH | {"max_position_embeddings": 514, "type_vocab_size": 1},
    ),
    "bart": ("Bart", _bytes("BartTokenizer"), BART | {"max_position_embeddings": 512}),
    "mt5": ("MT5", _t5, T5 | {"initializer_factor": 2.0}),
}
"""The beginning of the classes' names, the tokenizer of a length, and the config's values."""


def build(
    folder: Path,
    family: str,
    *,
    head: str = "ForQuestionAnswering",
    length: int = 512,
    seed: int = 1,
    half: bool = False,
    config: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Path:
    """Save a model of a family, with its tokenizer; `options` are those of `save_pretrained`."""
    name, tokenizer_of, values = FAMILIES[family]
    tokenizer = tokenizer_of(length)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    special = {"pad_token_id": tokenizer.pad_token_id, "bos_token_id": tokenizer.bos_token_id}
    special["eos_token_id"] = tokenizer.eos_token_id
    if family in ("bart", "mt5"):
        special["decoder_start_token_id"] = tokenizer.pad_token_id
    made = getattr(transformers, f"{name}Config")(
        **{"vocab_size": len(tokenizer), **special, **values, **config}
    )
    model = getattr(transformers, f"{name}{head}")(made)
    (model.half() if half else model).save_pretrained(folder, **options)
    return folder


def build_dpr(folder: Path, *, cased: bool) -> Path:
    """Save a reader of DPR, with its tokenizer."""
    tokenizer = _wordpieces("DPRReaderTokenizerFast")(512)
    tokenizer.save_pretrained(folder)
    if not cased:
        vocab = tokenizer.get_vocab()
        other = transformers.DPRReaderTokenizerFast(vocab, do_lower_case=True, model_max_length=512)
        other.save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.DPRConfig(vocab_size=len(tokenizer), **WIDTH)
    transformers.DPRReader(config).save_pretrained(folder)
    return folder


def bin_only(folder: Path) -> None:
    """Replace the safetensors by `pytorch_model.bin`."""
    from safetensors.torch import load_file

    path = folder / "model.safetensors"
    torch.save(load_file(path), folder / "pytorch_model.bin")
    path.unlink()
