"""One tower of a bi-encoder: a model, optionally with an adapter, that encodes texts as vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError
from ..io.files import digest
from .adapters import Adapter, merge, open_adapter
from .batches import pad, step_for
from .bert import Bert, load_encoder
from .checkpoints import load, resolve, shared_tokenizer
from .device import autocast, pick_device, pick_dtype

if TYPE_CHECKING:
    import torch

POOLINGS = ("mean", "cls", "pooler")

Text = str | tuple[str, str]
"""A text, or a pair of title and text."""


class Tower:
    """A model with its tokenizer; weights load on first use."""

    def __init__(
        self,
        model: str,
        adapter: str | None,
        *,
        pooling: str,
        normalize: bool,
        dtype: str,
        layer: int | None = None,
    ) -> None:
        self.checkpoint = resolve(model)
        self.adapter: Adapter | None = open_adapter(adapter, task="encoder") if adapter else None
        if self.adapter and self.adapter.base.sha != self.checkpoint.sha:
            raise WeightsError(
                f"{self.adapter.path} is an adapter for {self.adapter.base.name}, not for {model}"
            )
        self.pooling = pooling
        self.normalize = normalize
        self.dtype = dtype
        self.layer = layer

    @property
    def sha(self) -> str:
        """A hash of the weights, adapter included."""
        base = self.checkpoint.sha
        return digest(base, self.adapter.sha) if self.adapter else base

    @cached_property
    def _tokenizer(self) -> Any:
        return shared_tokenizer(self.checkpoint)

    @cached_property
    def _model(self) -> Any:
        pooler = self.pooling == "pooler"
        model = load(self.checkpoint, "AutoModel") if pooler else load_encoder(self.checkpoint)
        if self.adapter:
            merge(model, self.adapter)
        return model.to(pick_device())

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors."""
        if isinstance(self._model, Bert):
            return self._model.dimensions
        config = self._model.config
        return int(getattr(config, "projection_dim", 0) or config.hidden_size)

    @property
    def step(self) -> int:
        """The step of its batches' padded widths."""
        return step_for(pick_dtype(self.dtype))

    def tokenize(self, texts: Sequence[Text], *, limit: int) -> list[list[int]]:
        """Token ids of each text, truncated to `limit` or the model's maximum."""
        if not texts:
            return []
        limit = min(limit, self._tokenizer.model_max_length)
        encoded = self._tokenizer(list(texts), truncation=True, max_length=limit)
        return list(encoded["input_ids"])

    def embed(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Vectors (rows, dimensions) of one batch of token ids.

        Raises:
            ConfigError: if the model lacks the output that `pooling` or `layer` needs.
        """
        import torch
        from torch.nn.functional import normalize

        ids, attention_mask = pad(rows, value=self._tokenizer.pad_token_id, step=self.step)
        with torch.inference_mode(), autocast(self.dtype):
            output = self._model(
                input_ids=ids,
                attention_mask=attention_mask,
                output_hidden_states=self.layer is not None,
            )
        pooled = self._pool(output, attention_mask)
        pooled = normalize(pooled, dim=-1) if self.normalize else pooled
        vectors: NDArray[np.float32] = pooled.cpu().numpy()
        return vectors

    def _pool(self, output: Any, attention_mask: torch.Tensor) -> torch.Tensor:
        """One vector per row. DPR models return the first token's only as `pooler_output`."""
        is_dpr = not isinstance(self._model, Bert) and self._model.config.model_type == "dpr"
        dpr_cls = is_dpr and self.pooling == "cls"
        name = "pooler_output" if dpr_cls or self.pooling == "pooler" else "last_hidden_state"
        if getattr(output, name, None) is None:
            raise ConfigError(
                f"pooling = '{self.pooling}' needs a {name}, which {self.checkpoint.name} lacks"
            )
        states: torch.Tensor = self._states(output, name).float()
        if name == "pooler_output":
            return states
        if self.pooling == "cls":
            return states[:, 0]
        mask = attention_mask.unsqueeze(-1).float()
        return (states * mask).sum(1) / mask.sum(1)

    def _states(self, output: Any, name: str) -> torch.Tensor:
        """The output of that name, or the hidden states of the selected layer."""
        if self.layer is None:
            states: torch.Tensor = getattr(output, name)
            return states
        layers: Sequence[torch.Tensor] = output.hidden_states
        if self.layer >= len(layers):
            raise ConfigError(
                f"layer = {self.layer}, but {self.checkpoint.name} has layers 0 to "
                f"{len(layers) - 1}"
            )
        return layers[self.layer]


def units(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """The rows with unit length; zero rows stay zero."""
    rows = np.asarray(vectors, np.float32)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled = np.zeros_like(rows)
    np.divide(rows, norms, out=scaled, where=norms > 0)
    return scaled
