"""Learned sparse encoders: texts to weights of terms of the model's vocabulary.

A model of sentence-transformers' SparseEncoder (SPLADE and its kin), or BGE-M3 with its head of
lexical weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.errors import ConfigError, WeightsError
from ..core.named import expect
from ..core.progress import Progress, announce, silent
from ..core.validation import Count
from ..io.files import read_object
from .bge_m3 import WEIGHTS, M3Head
from .checkpoints import Checkpoint, resolve
from .device import Dtype, WithPrecision
from .hub import modules_of
from .prompts import CONFIG, MODULES, WithPrefixes, is_released
from .released import EXTRA, batches, check_complete, model_options, open_model
from .towers import count_longer

Terms = tuple[NDArray[np.int32], NDArray[np.float32]]
"""The terms of a text, ascending, and their weights."""


@dataclass(frozen=True, slots=True)
class SparseSettings(WithPrefixes, WithPrecision):
    """The settings that determine the weights of a text's terms.

    `model` is a folder or a model of the hub. `max_tokens` cuts texts of both sides.
    """

    model: str
    query_prefix: str | None = None
    passage_prefix: str | None = None
    max_tokens: Count | None = None
    dtype: Dtype = "auto"
    trust_remote_code: bool = False
    batch_tokens: Count | None = None


class SparseTextEncoder(Protocol):
    """An encoder of terms with weights."""

    @property
    def sha(self) -> str: ...

    @property
    def vocabulary(self) -> int: ...

    def encode(
        self, side: str, texts: Sequence[str], progress: Progress = silent
    ) -> list[Terms]: ...

    def truncated(self, texts: Sequence[str]) -> int: ...


@cache
def sparse_encoder(settings: SparseSettings) -> SparseTextEncoder:
    """The encoder of these settings, shared by the stages that have them.

    Raises:
        WeightsError: if the model does not exist, or is no learned sparse encoder.
    """
    checkpoint = resolve(settings.model)
    if (checkpoint.path / WEIGHTS).is_file():
        return M3Weights(checkpoint, settings)
    return ReleasedSparse(checkpoint, settings)


class ReleasedSparse:
    """A learned sparse encoder that sentence-transformers loads; weights load on first use."""

    def __init__(self, checkpoint: Checkpoint, settings: SparseSettings) -> None:
        expect("sentence_transformers", extra=EXTRA)
        self.checkpoint = checkpoint
        self.settings = settings
        _check_kind(checkpoint)

    @property
    def sha(self) -> str:
        """A hash of the model's files."""
        return self.checkpoint.fingerprint

    @cached_property
    def vocabulary(self) -> int:
        """The number of terms; the library's `get_embedding_dimension` may be another one."""
        row = self._model.encode_document("a", show_progress_bar=False)
        return int(row.shape[-1])

    def encode(self, side: str, texts: Sequence[str], progress: Progress = silent) -> list[Terms]:
        """The terms of each text; `progress` counts characters."""
        model = self._model
        encode = model.encode_query if side == "query" else model.encode_document
        results: list[Terms] = [(np.zeros(0, np.int32), np.zeros(0, np.float32))] * len(texts)
        done, total = 0, sum(map(len, texts))
        for batch, size in batches(model, texts, self.settings.batch_tokens):
            rows = encode(
                [texts[number] for number in batch],
                prompt=self.settings.given_prefix(side),
                convert_to_tensor=False,
                save_to_cpu=True,
                show_progress_bar=False,
                **size,
            )
            for number, row in zip(batch, rows, strict=True):
                results[number] = self._terms(row.coalesce())
                done += len(texts[number])
            progress(done, total)
        return results

    def truncated(self, texts: Sequence[str]) -> int:
        """The number of passages of which only the beginning is encoded."""
        model, given = self._model, self.settings.given_prefix("passage")
        prefix = (model.prompts or {}).get("document", "") if given is None else given
        limit = model.max_seq_length
        return count_longer(model.tokenizer, texts, prefix, limit) if limit else 0

    def _terms(self, row: Any) -> Terms:
        terms, weights = row.indices()[0].numpy(), row.values().float().numpy()
        nonzero = weights != 0
        terms, weights = terms[nonzero].astype(np.int32), weights[nonzero]
        if str(self._model.similarity_fn_name) == "cosine" and len(weights):
            weights = weights / np.linalg.norm(weights)
        return terms, weights

    @cached_property
    def _model(self) -> Any:
        self._check_weights()
        model = open_model(
            "SparseEncoder",
            self.checkpoint,
            model_options(self.settings.dtype),
            trust_remote_code=self.settings.trust_remote_code,
        )
        similarity = str(model.similarity_fn_name)
        if similarity not in ("dot", "cosine"):
            raise ConfigError(
                f"{self.checkpoint.name} compares texts by {similarity} distance, which an "
                "inverted index cannot"
            )
        return self._with_settings(model)

    def _check_weights(self) -> None:
        """Refuse a model whose weights are not all in its files."""
        config = self.checkpoint.path / "config.json"
        if not config.is_file() or self.settings.trust_remote_code:
            return
        is_masked = self.checkpoint.architecture.endswith("ForMaskedLM")
        kind = "AutoModelForMaskedLM" if is_masked else "AutoModel"
        check_complete(self.checkpoint, kind, optional=() if is_masked else ("pooler.",))

    def _with_settings(self, model: Any) -> Any:
        """The model with the settings that override its own, each announced."""
        name, limit = self.checkpoint.name, self.settings.max_tokens
        self.settings.announce_prefixes(name, model.prompts)
        if limit is not None and limit != model.max_seq_length:
            announce(f"{name}: max_tokens = {limit} instead of {model.max_seq_length}")
            model.max_seq_length = limit
        return model


class M3Weights:
    """BGE-M3 with its head of lexical weights."""

    def __init__(self, checkpoint: Checkpoint, settings: SparseSettings) -> None:
        self.settings = settings
        self.head = M3Head(checkpoint, WEIGHTS, settings)

    @property
    def sha(self) -> str:
        """A hash of the model and the head."""
        return self.head.sha

    @property
    def vocabulary(self) -> int:
        """The number of terms."""
        return self.head.vocabulary

    def encode(self, side: str, texts: Sequence[str], progress: Progress = silent) -> list[Terms]:
        """The terms of each text; `progress` counts tokens."""
        prefix = self.settings.given_prefix(side) or ""
        weighted = self.head.weights([prefix + text for text in texts], progress)
        return [
            (np.array(sorted(row), np.int32), np.array([row[t] for t in sorted(row)], np.float32))
            for row in weighted
        ]

    def truncated(self, texts: Sequence[str]) -> int:
        """The number of passages of which only the beginning is encoded."""
        return self.head.truncated(texts, self.settings.given_prefix("passage") or "")


def _check_kind(checkpoint: Checkpoint) -> None:
    """Refuse what sentence-transformers would turn into a sparse encoder with random weights."""
    folder, name = checkpoint.path, checkpoint.name
    config = read_object(folder / CONFIG)
    if is_released(folder):
        types = " ".join(str(module.get("type")) for module in modules_of(folder))
        kind = config.get("model_type") or ("sparse_encoder" in types and "SparseEncoder")
        if kind != "SparseEncoder":
            raise WeightsError(f"{name} is no learned sparse encoder; see the retriever `dense`")
        return
    if not checkpoint.architecture.endswith("ForMaskedLM"):
        raise WeightsError(
            f"{name} is no learned sparse encoder: it has neither {MODULES} nor the head of a "
            "masked language model"
        )
    announce(
        f"{name} has no {MODULES}: it is taken for a SPLADE model with max pooling, as "
        "sentence-transformers takes it"
    )
