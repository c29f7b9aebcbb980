"""Reading one passage: relevance and spans of a (question, passage) pair of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.types import Span
from ..models.adapters import Adapter, merge, open_adapter
from ..models.batches import by_length, pad, step_for
from ..models.checkpoints import load, load_tokenizer
from ..models.device import autocast, pick_device, pick_dtype
from .decode import ScoredSpan, TokenScores, best_spans
from .features import Window, make_windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT_READER = "reader-multi"
"""The adapter that is read with where none is named."""

REMEMBERED = 50_000  # pairs, of some hundred bytes each


class QuestionPassage(NamedTuple):
    """What is read: the texts of a question and of one passage."""

    question: str
    passage: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one passage: log P(it answers) and its best spans."""

    passage_score: float
    spans: list[ScoredSpan]

    @property
    def best(self) -> Span | None:
        """The best span, None where there is none."""
        return self.spans[0].span if self.spans else None


@dataclass(frozen=True, slots=True)
class PairSettings:
    """What decides how a pair is read; `longest` counts a span's tokens."""

    adapter: str
    max_tokens: int
    longest: int
    dtype: str


@cache
def shared(settings: PairSettings) -> PairReader:
    """One pair reader for all stages with the same settings, so that weights load once."""
    return PairReader(settings)


class PairReader:
    """The model behind a reader. Loads on first use, and remembers what it has read."""

    def __init__(self, settings: PairSettings) -> None:
        self.settings = settings
        self._known: dict[QuestionPassage, Reading] = {}

    def read(self, pairs: Sequence[QuestionPassage]) -> list[Reading]:
        """Read each (question, passage) by itself, equal ones once."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        self._known.update(zip(new, self._read(new), strict=True))
        return [self._known[pair] for pair in pairs]

    def _read(self, pairs: Sequence[QuestionPassage]) -> list[Reading]:
        windows = make_windows(
            self._tokenizer,
            [question for question, _ in pairs],
            [passage for _, passage in pairs],
            max_tokens=self.settings.max_tokens,
        )
        logits: list[NDArray[np.float32]] = [np.empty((0, 3), np.float32)] * len(windows)
        step = step_for(self._dtype)
        for batch in by_length([len(window.ids) for window in windows], step=step):
            for index, scores in zip(batch, self._logits([windows[i] for i in batch]), strict=True):
                logits[index] = scores
        by_pair: list[list[int]] = [[] for _ in pairs]
        for index, window in enumerate(windows):
            by_pair[window.pair].append(index)
        return [
            self._reading([windows[i] for i in own], [logits[i] for i in own], passage)
            for own, (_, passage) in zip(by_pair, pairs, strict=True)
        ]

    def _reading(
        self, windows: Sequence[Window], logits: Sequence[NDArray[np.float32]], passage: str
    ) -> Reading:
        scores = []
        for window, values in zip(windows, logits, strict=True):
            inside = slice(window.context.start, window.context.end)
            scores.append(TokenScores(window.offsets[inside], values[inside, 0], values[inside, 1]))
        relevance = max(float(values[0, 2]) for values in logits) / self.temperature
        spans = best_spans(scores, passage, longest=self.settings.longest)
        return Reading(-float(np.logaddexp(0.0, -relevance)), spans)

    def _logits(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """(tokens, 3) for each window: start, end, relevance."""
        import torch

        rows = [window.ids for window in windows]
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=step_for(self._dtype))
        with torch.inference_mode(), autocast(self._device, self._dtype):
            output = self._model(input_ids=ids, attention_mask=mask).logits
        found = output.float().cpu().numpy()
        return [row[: len(window.ids)] for row, window in zip(found, windows, strict=True)]

    @cached_property
    def adapter(self) -> Adapter:
        """The adapter file, with its base."""
        return open_adapter(self.settings.adapter, task="reader")

    def parameters(self) -> dict[str, int]:
        """How many the base's body, its word embeddings and the adapter's file hold."""
        from safetensors.torch import load_file

        words = self._model.get_input_embeddings().weight.numel()
        body = sum(tensor.numel() for tensor in self._model.base_model.parameters()) - words
        adapter = sum(tensor.numel() for tensor in load_file(self.adapter.path).values())
        return {"body": body, "word embeddings": words, "adapter": adapter}

    @cached_property
    def temperature(self) -> float:
        """What relevance logits are divided by to be calibrated, as the adapter's card says."""
        return float(self.adapter.card.get("temperature", 1.0))

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self.adapter.base)

    @cached_property
    def _device(self) -> Any:
        return pick_device()

    @cached_property
    def _dtype(self) -> Any:
        return pick_dtype(self.settings.dtype, self._device)

    @cached_property
    def _model(self) -> Any:
        model = load(self.adapter.base, "AutoModelForTokenClassification", num_labels=3)
        merge(model, self.adapter)
        return model.to(self._device)
