"""Texts to vectors: pooling, prefixes, and one shared tower or two are its properties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ConfigError, one_of
from ..files import digest
from .batches import by_length, pad
from .checkpoints import DEFAULT, Checkpoint, load, load_tokenizer, resolve
from .device import autocast, pick_device, pick_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray

POOLINGS = ("mean", "cls", "pooler")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """What decides the vectors of a text.

    `passage_tower` names a second model for passages (DPR); without it one tower serves
    both. Prefixes default to E5's ("query: ", "passage: ") for E5 models, else to none.
    `pooling` is "mean" over tokens, "cls" (the first token) or "pooler" (the model's own).
    """

    model: str = DEFAULT
    passage_tower: str | None = None
    pooling: str = "mean"
    query_prefix: str | None = None
    passage_prefix: str | None = None
    normalize: bool = True
    max_tokens: int = 512
    dtype: str = "auto"


class Encoder:
    """A bi-encoder. Weights load on first use.

    Karpukhin et al. 2020 (DPR), section 3; Wang et al. 2024 (multilingual E5), section 2.
    """

    def __init__(self, settings: EncoderSettings | None = None) -> None:
        self.settings = settings or EncoderSettings()
        if self.settings.pooling not in POOLINGS:
            raise ConfigError(
                f"no pooling is called '{self.settings.pooling}'; there are: {one_of(POOLINGS)}"
            )

    def fingerprint(self) -> str:
        """A hash of the settings and of both towers' weights."""
        settings = asdict(self.settings)
        del settings["dtype"]  # the same vectors up to rounding
        return digest(
            settings, self._query_tower.checkpoint.sha, self._passage_tower.checkpoint.sha
        )

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors (texts, dimensions) of what is searched with."""
        return self._encode(
            self._query_tower, self._prefix(self.settings.query_prefix, "query: "), texts
        )

    def passages(
        self, texts: Sequence[str], *, progress: Callable[[int], None] = lambda done: None
    ) -> NDArray[np.float32]:
        """Vectors (texts, dimensions) of what is searched; `progress` hears of texts done."""
        prefix = self._prefix(self.settings.passage_prefix, "passage: ")
        return self._encode(self._passage_tower, prefix, texts, progress)

    @cached_property
    def _query_tower(self) -> _Tower:
        return _Tower(resolve(self.settings.model), self.settings)

    @cached_property
    def _passage_tower(self) -> _Tower:
        other = self.settings.passage_tower
        return _Tower(resolve(other), self.settings) if other else self._query_tower

    def _prefix(self, given: str | None, of_e5: str) -> str:
        if given is not None:
            return given
        return of_e5 if "e5-" in self.settings.model.lower() else ""

    def _encode(
        self,
        tower: _Tower,
        prefix: str,
        texts: Sequence[str],
        progress: Callable[[int], None] = lambda done: None,
    ) -> NDArray[np.float32]:
        rows = tower.tokenize([prefix + text for text in texts])
        vectors = np.zeros((len(texts), tower.dimensions), np.float32)
        done = 0
        for batch in by_length([len(row) for row in rows]):
            vectors[batch] = tower.embed([rows[index] for index in batch])
            done += len(batch)
            progress(done)
        return vectors


class _Tower:
    """One model with its tokenizer, loaded when first needed."""

    def __init__(self, checkpoint: Checkpoint, settings: EncoderSettings) -> None:
        self.checkpoint = checkpoint
        self.settings = settings

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.checkpoint)

    @cached_property
    def _device(self) -> Any:
        return pick_device()

    @cached_property
    def _model(self) -> Any:
        options = {} if self.settings.pooling == "pooler" else {"add_pooling_layer": False}
        try:
            model = load(self.checkpoint, "AutoModel", **options)
        except TypeError:  # an architecture that never has a pooling layer
            model = load(self.checkpoint, "AutoModel")
        return model.to(self._device)

    @property
    def dimensions(self) -> int:
        return int(self._model.config.hidden_size)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, cut at the model's limit."""
        if not texts:
            return []
        limit = min(self.settings.max_tokens, self._tokenizer.model_max_length)
        encoded = self._tokenizer(list(texts), truncation=True, max_length=limit)
        return list(encoded["input_ids"])

    def embed(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Vectors (rows, dimensions) of one batch of token ids.

        Raises:
            ConfigError: if the model has nothing to pool as the settings say.
        """
        import torch
        from torch.nn.functional import normalize

        ids, attended = (
            torch.from_numpy(array).to(self._device)
            for array in pad(rows, value=self._tokenizer.pad_token_id)
        )
        dtype = pick_dtype(self.settings.dtype, self._device)
        with torch.inference_mode(), autocast(self._device, dtype):
            output = self._model(input_ids=ids, attention_mask=attended)
        pooling = self.settings.pooling
        name = "pooler_output" if pooling == "pooler" else "last_hidden_state"
        if getattr(output, name, None) is None:
            raise ConfigError(
                f"pooling = '{pooling}' needs a {name}, which {self.checkpoint.name} has not"
            )
        pooled = output[name].float()
        if pooling == "cls":
            pooled = pooled[:, 0]
        elif pooling == "mean":
            mask = attended.unsqueeze(-1).float()
            pooled = (pooled * mask).sum(1) / mask.sum(1)
        pooled = normalize(pooled, dim=-1) if self.settings.normalize else pooled
        return pooled.cpu().numpy()
