"""Reading one passage: its relevance to a question and its best spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WeightsError
from ..core.types import Hit, Query, SearchText, Span
from ..core.validation import Count, CountOrZero, Positive, Validator
from ..models.adapters import Adapter, merge, open_adapter
from ..models.batches import by_length, pad, step_for
from ..models.bert import load_token_classifier
from ..models.checkpoints import Checkpoint, load_body, shared_tokenizer
from ..models.device import Dtype, WithPrecision, autocast, pick_device, pick_dtype
from .decode import ScoredSpan, TokenScores, best_spans
from .features import STRIDE, WINDOW, Window, make_windows
from .glosses import gloss_identity, glosses, with_glosses

DEFAULT_READER = "reader-questions"
"""The default adapter."""

MEMOIZED = 300_000  # pairs, of some hundred bytes each: what a ranker reads for all questions


class QuestionPassage(NamedTuple):
    """A reader's input: the texts of a question and of one passage; `lang` if it is known."""

    question: str
    passage: str
    lang: str = ""


class TitledPassage(NamedTuple):
    """A reader's input with the passage's title, for readers `by_title`."""

    question: str
    passage: str
    title: str


Pair = QuestionPassage | TitledPassage

ScoredWindow = tuple[Window, NDArray[np.float32]]
"""A window and its logits (tokens, 3): start, end, and (at the first token) relevance."""

Identity = tuple[tuple[object, ...], int | None, *tuple[int, ...]]
"""What identifies weights; the tokens of a window; its stride, if that is not `STRIDE`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A reader's output for one passage: log P(it answers) and its best spans."""

    passage_score: float
    spans: list[ScoredSpan]

    @property
    def best(self) -> Span | None:
        """The best span, None without one."""
        return self.spans[0].span if self.spans else None


@dataclass(frozen=True, slots=True)
class PairSettings(WithPrecision):
    """The settings of a `PairReader`; `longest` is the most tokens of a span.

    `adapter` may also name a released model, whose `max_tokens` is by default its own. `stride`
    is the number of tokens that neighbouring windows share; `no_answer` and `trust_remote_code`,
    which runs the code that a model brings, are for released models.
    """

    adapter: str
    max_tokens: int | None
    longest: int
    dtype: Dtype
    stride: int = STRIDE
    no_answer: bool = True
    trust_remote_code: bool = False
    batch_tokens: Count | None = None


class PairReader:
    """The model of a reader. Loads on first use, and memoizes readings."""

    def __init__(self, settings: PairSettings) -> None:
        self.settings = settings
        self._readings: dict[Pair, Reading] = {}

    @property
    def by_title(self) -> bool:
        """Whether titles are read, too."""
        return False

    def read(self, pairs: Sequence[Pair]) -> list[Reading]:
        """One reading per pair; equal pairs are read once."""
        if len(self._readings) > MEMOIZED:
            self._readings.clear()
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._readings]
        for pair, windows in zip(new, self.score_windows(new), strict=True):
            _, passage, *_ = pair  # a title may follow
            self._readings[pair] = self._reading(windows, passage)
        return [self._readings[pair] for pair in pairs]

    def score_windows(self, pairs: Sequence[Pair]) -> list[list[ScoredWindow]]:
        """The windows of each pair, and the model's logits for them."""
        windows = self._windows(pairs)
        logits: list[NDArray[np.float32]] = [np.empty((0, 3), np.float32)] * len(windows)
        lengths, budget = [len(window.ids) for window in windows], self.settings.batch_tokens
        for batch in by_length(lengths, budget=budget, step=self._step):
            for index, scores in zip(batch, self._logits([windows[i] for i in batch]), strict=True):
                logits[index] = scores
        by_pair: list[list[ScoredWindow]] = [[] for _ in pairs]
        for window, scores in zip(windows, logits, strict=True):
            by_pair[window.pair].append((window, scores))
        return by_pair

    def read_hits(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]], text: SearchText
    ) -> list[list[Reading]]:
        """One reading per hit of each query; `text` names what is read with it, see `Query.of`."""
        by_title = self.by_title if any(hits) else False
        pairs: list[Pair] = [
            TitledPassage(asked.text, hit.passage.text, hit.passage.title)
            if by_title
            else QuestionPassage(asked.text, hit.passage.text, asked.lang)
            for asked, ranking in zip((query.of(text) for query in queries), hits, strict=True)
            for hit in ranking
        ]
        readings = iter(self.read(pairs))
        return [[next(readings) for _ in ranking] for ranking in hits]

    def _windows(self, pairs: Sequence[Pair]) -> list[Window]:
        return make_windows(
            self._tokenizer,
            [self.glossed(*pair) for pair in pairs],
            [passage for _, passage, *_ in pairs],
            max_tokens=self.settings.max_tokens or WINDOW,
            stride=self.settings.stride,
        )

    def glossed(self, question: str, passage: str, lang: str = "") -> str:
        """The question as the model reads it, with glosses if the adapter's card asks for them."""
        found = glosses(question, passage, self.glosses, lang) if self.glosses else ()
        return with_glosses(question, found)

    def _reading(self, windows: Sequence[ScoredWindow], passage: str) -> Reading:
        scores = []
        for window, logits in windows:
            inside = slice(window.context.start, window.context.end)
            scores.append(TokenScores(window.offsets[inside], logits[inside, 0], logits[inside, 1]))
        relevance = max(float(logits[0, 2]) for _, logits in windows) / self.temperature
        spans = best_spans(scores, passage, longest=self.settings.longest)
        return Reading(-float(np.logaddexp(0.0, -relevance)), spans)

    def _logits(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """(tokens, 3) for each window: start, end, relevance."""
        import torch

        rows = [window.ids for window in windows]
        ids, mask = pad(rows, value=self._tokenizer.pad_token_id, step=self._step)
        with torch.inference_mode(), autocast(self.settings.dtype):
            output = self._model(input_ids=ids, attention_mask=mask).logits
        logits = output.float().cpu().numpy()
        return [row[: len(window.ids)] for row, window in zip(logits, windows, strict=True)]

    @cached_property
    def adapter(self) -> Adapter:
        """The adapter file, with its base."""
        return open_adapter(self.settings.adapter, task="reader")

    def identity(self) -> Identity:
        """What readings depend on besides the length of a span: weights, tokens and stride."""
        stride = () if self.settings.stride == STRIDE else (self.settings.stride,)
        weights = self.sha, self.checkpoint.sha, *self.settings.precision
        if self.glosses:
            weights += gloss_identity()
        return weights, self.settings.max_tokens or WINDOW, *stride

    @property
    def checkpoint(self) -> Checkpoint:
        """The model whose tokenizer is used."""
        return self.adapter.base

    @property
    def sha(self) -> str:
        """A hash of the adapter, or of all files of a released model."""
        return self.adapter.sha

    def parameters(self) -> dict[str, int]:
        """The number of parameters of the base, its word embeddings and the adapter."""
        from safetensors.torch import load_file

        model = load_body(self.adapter.base)
        words = model.get_input_embeddings().weight.numel()
        body = sum(tensor.numel() for tensor in model.parameters()) - words
        adapter = sum(tensor.numel() for tensor in load_file(self.adapter.path).values())
        return {"body": body, "word embeddings": words, "adapter": adapter}

    @cached_property
    def temperature(self) -> float:
        """The temperature that calibrates relevance logits, from the adapter's card."""
        where = f"{self.adapter.path} is damaged: its card's temperature"
        value = self.adapter.card.get("temperature", 1.0)
        return float(Validator(WeightsError).check(Positive, value, where=where))

    @cached_property
    def glosses(self) -> int:
        """How many translations of each word a question is read with, from the adapter's card."""
        where = f"{self.adapter.path} is damaged: its card's glosses"
        found = self.adapter.card.get("glosses", 0)
        return int(Validator(WeightsError).check(CountOrZero, found, where=where))

    @cached_property
    def _tokenizer(self) -> Any:
        return shared_tokenizer(self.adapter.base)

    @cached_property
    def _step(self) -> int:
        return step_for(pick_dtype(self.settings.dtype))

    @cached_property
    def _model(self) -> Any:
        model = load_token_classifier(self.adapter.base, labels=3)
        merge(model, self.adapter)
        return model.to(pick_device())
