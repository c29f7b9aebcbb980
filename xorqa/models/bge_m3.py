"""The heads of BGE-M3 beside its vectors: a linear layer for tokens, another for their weights.

Their files lie beside the model (Chen et al. 2024, "M3-Embedding"). Results are those of
`BGEM3FlagModel` in the authors' library FlagEmbedding 1.3, without its cut at 512 tokens: a text
is cut at the model's own length, or at `max_tokens`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..core.errors import WeightsError
from ..core.progress import Progress, silent
from ..io.files import digest, sha256_once
from .batches import FLOAT32_STEP, by_length, pad
from .checkpoints import Checkpoint, cannot_load, load, shared_tokenizer
from .device import Dtype, pick_device
from .released import model_options
from .towers import count_longer

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

TOKENS, WEIGHTS = "colbert_linear.pt", "sparse_linear.pt"
"""The files of the two heads."""
UNWEIGHTED = ("cls_token", "eos_token", "pad_token", "unk_token")


class HeadSettings(Protocol):
    """The settings of a stage that the model's part of it depends on."""

    @property
    def max_tokens(self) -> int | None: ...
    @property
    def dtype(self) -> Dtype: ...
    @property
    def batch_tokens(self) -> int | None: ...


class M3Head:
    """The model with one of its heads; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, file: str, settings: HeadSettings) -> None:
        self.checkpoint = checkpoint
        self.file = file
        self.settings = settings

    @property
    def sha(self) -> str:
        """A hash of the model and of the head."""
        head = self.checkpoint.path / self.file
        return digest(self.checkpoint.fingerprint, sha256_once(head))

    def vectors(
        self, texts: Sequence[str], progress: Progress = silent
    ) -> list[NDArray[np.float32]]:
        """Each text's token vectors (tokens, dimensions) of unit length, without the first token's.

        `progress` counts tokens.
        """
        from torch.nn.functional import normalize

        results = [np.zeros((0, 0), np.float32)] * len(texts)
        for number, ids, output in self._outputs(texts, progress):
            results[number] = normalize(output[1 : len(ids)], dim=-1).cpu().numpy()
        return results

    def weights(self, texts: Sequence[str], progress: Progress = silent) -> list[dict[int, float]]:
        """Each text's token ids with positive weights: the highest of each token."""
        special = {getattr(self._tokenizer, f"{name}_id") for name in UNWEIGHTED}
        results: list[dict[int, float]] = [{} for _ in texts]
        for number, ids, output in self._outputs(texts, progress):
            highest = results[number]
            for token, weight in zip(ids, output[: len(ids), 0].relu().tolist(), strict=True):
                if weight > 0 and token not in special:
                    highest[token] = max(weight, highest.get(token, 0.0))
        return results

    @property
    def vocabulary(self) -> int:
        """The number of token ids."""
        return int(self._model.config.vocab_size)

    @cached_property
    def _tokenizer(self) -> Any:
        return shared_tokenizer(self.checkpoint)

    @cached_property
    def _model(self) -> Any:
        options = model_options(self.settings.dtype)
        return load(self.checkpoint, "AutoModel", optional=("pooler.",), **options).to(
            pick_device()
        )

    @cached_property
    def _head(self) -> Any:
        import torch

        path = self.checkpoint.path / self.file
        try:
            state = torch.load(path, map_location="cpu", weights_only=True)
            outputs, inputs = state["weight"].shape
            head = torch.nn.Linear(inputs, outputs)
            head.load_state_dict(state)
        except Exception as error:  # a damaged file raises many exception types
            raise cannot_load(self.checkpoint, error) from error
        if inputs != self._model.config.hidden_size:
            raise WeightsError(f"{path} is for hidden states of {inputs} dimensions")
        return head.to(pick_device(), self._model.dtype)

    def _outputs(
        self, texts: Sequence[str], progress: Progress
    ) -> Iterator[tuple[int, list[int], torch.Tensor]]:
        """The number of each text, its token ids and the head's output (padded tokens, width)."""
        import torch

        cut = {"truncation": True, "max_length": self._longest}
        encoded = self._tokenizer(list(texts), **cut) if texts else {}
        rows: list[list[int]] = list(encoded.get("input_ids", ()))
        lengths = list(map(len, rows))
        done, total, budget = 0, sum(lengths), self.settings.batch_tokens
        for batch in by_length(lengths, budget=budget, step=FLOAT32_STEP):
            batch_rows = [rows[number] for number in batch]
            ids, mask = pad(batch_rows, value=self._tokenizer.pad_token_id, step=FLOAT32_STEP)
            with torch.inference_mode():
                states = self._model(input_ids=ids, attention_mask=mask).last_hidden_state
                outputs = self._head(states).float()
            for number, output in zip(batch, outputs, strict=True):
                yield number, rows[number], output
            done += sum(map(len, batch_rows))
            progress(done, total)

    def truncated(self, texts: Sequence[str], prefix: str) -> int:
        """The number of texts of which only the beginning is encoded."""
        return count_longer(self._tokenizer, texts, prefix, self._longest)

    @property
    def _longest(self) -> int:
        own = int(self._tokenizer.model_max_length)
        return min(self.settings.max_tokens or own, own)
