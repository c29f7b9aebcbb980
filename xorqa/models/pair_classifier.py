"""Scores of text pairs by a model's name: an adapter of a ranker, or a reranker as released."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Protocol

from .adapters import Adapter, merge, open_adapter, shipped
from .batches import by_length, pad, step_for
from .bert import load_token_classifier
from .checkpoints import load_tokenizer, resolve
from .device import autocast, not_default, pick_device, pick_dtype
from .mono_t5 import MonoT5, is_seq2seq
from .pair_settings import PairClassifierSettings
from .rerankers import ReleasedReranker

TASK = "ranker"
DEFAULT_RANKER = "ranker-questions"
ADAPTER_TOKENS = 256
"""The most tokens of a pair where an adapter scores it, unless a setting says otherwise."""


class Scorer(Protocol):
    """Scores pairs of texts; weights load on first use."""

    @property
    def identity(self) -> tuple[object, ...]:
        """What the scores depend on: hashes of weights, and settings."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One score per pair, at least one; a higher one means more relevant."""


@cache
def shared(settings: PairClassifierSettings) -> PairClassifier:
    """One classifier for all stages with the same settings, so weights load once."""
    return PairClassifier(settings)


class PairClassifier:
    """Scores pairs of texts by an adapter of a ranker or by a released reranker."""

    def __init__(self, settings: PairClassifierSettings) -> None:
        self.settings = settings

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """One score per pair; a higher one means more relevant.

        Raises:
            WeightsError: if the model is no reranker, or its weights are not all there.
            ConfigError: for a setting that the model cannot have.
            MissingExtraError: if the model needs sentence-transformers and that is not installed.
        """
        return self._scorer.score(pairs) if pairs else []

    @property
    def identity(self) -> tuple[object, ...]:
        """What the scores depend on: hashes of weights, and settings."""
        own = self.settings
        return *self._scorer.identity, *not_default(own.dtype, own.batch_tokens)

    @cached_property
    def _scorer(self) -> Scorer:
        name = self.settings.model
        if name in shipped() or name.endswith(".safetensors"):
            return AdapterScorer(open_adapter(name, task=TASK), self.settings)
        checkpoint = resolve(name)
        kind = MonoT5 if is_seq2seq(checkpoint) else ReleasedReranker
        return kind(checkpoint, self.settings)


class AdapterScorer:
    """An adapter of a ranker: it changes an encoder, and its logit is that of the first token."""

    def __init__(self, adapter: Adapter, settings: PairClassifierSettings) -> None:
        self.adapter, self.dtype = adapter, settings.dtype
        self.batch_tokens = settings.batch_tokens
        self.max_tokens = settings.max_tokens or ADAPTER_TOKENS

    @property
    def identity(self) -> tuple[object, ...]:
        """The hash of the weights, and the length."""
        return f"{self.adapter.sha}-{self.adapter.base.sha}", self.max_tokens

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The logit of each pair."""
        encoded = self._tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="longest_first",
            max_length=self.max_tokens,
        )
        scores = [0.0] * len(pairs)
        lengths = [len(row) for row in encoded["input_ids"]]
        for batch in by_length(lengths, budget=self.batch_tokens, step=self._step):
            for index, score in zip(batch, self._logits(encoded, batch), strict=True):
                scores[index] = score
        return scores

    def _logits(self, encoded: Any, batch: Sequence[int]) -> list[float]:
        """The scores of the pairs at these positions."""
        import torch

        filling = {"input_ids": self._tokenizer.pad_token_id or 0}
        inputs = {
            name: pad(
                [rows[index] for index in batch], value=filling.get(name, 0), step=self._step
            )[0]
            for name, rows in encoded.items()
        }
        with torch.inference_mode(), autocast(self.dtype):
            logits = self._model(**inputs).logits.float()
        return [float(score) for score in logits[:, 0, 0].cpu()]  # of the first token

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.adapter.base)

    @cached_property
    def _step(self) -> int:
        return step_for(pick_dtype(self.dtype))

    @cached_property
    def _model(self) -> Any:
        model = load_token_classifier(self.adapter.base, labels=1)
        merge(model, self.adapter)
        return model.to(pick_device())
