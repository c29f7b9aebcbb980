"""The bundled tokenizer, with the interface of transformers, whose import takes a second.

Results are those of `transformers.PreTrainedTokenizerFast` around the same `tokenizers.Tokenizer`,
for the arguments and attributes below, which are all that encoders, readers and rankers use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


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
            (at, window)
            for at, encoding in enumerate(encodings)
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
            self["overflow_to_sample_mapping"] = [at for at, _ in windows]
        if offsets:
            self["offset_mapping"] = [encoding.offsets for encoding in self._encodings]

    def sequence_ids(self, at: int) -> list[int | None]:
        """For each token of an entry: 0 in the text, 1 in its pair, None if it is special."""
        return list(self._encodings[at].sequence_ids)
