"""The extractive reader: relevance of each passage and its spans, from one encoding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..files import digest
from ..models.adapters import Adapter, merge, open_adapter
from ..models.batches import by_length, pad
from ..models.checkpoints import load, load_tokenizer
from ..models.device import autocast, pick_device, pick_dtype
from ..types import Candidate, Hit, Query
from .decode import ScoredSpan, TokenScores, best_spans
from .features import Window, make_windows

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one passage: log P(it answers) and its best spans."""

    passage_score: float
    spans: list[ScoredSpan]


class SpanReader:
    """Reads the first `passages` hits of every query.

    One encoding of (question, passage) gives start and end scores of every token and, at the
    first token, the passage's relevance, as in the reader of Karpukhin et al. 2020 (DPR),
    section 6.1; there relevance is a softmax over passages, here a probability each, so that
    scores compare across passages and routes. `text` says what is asked: the "query"
    (translated, if there is a translator) or the "question" as it was asked.
    """

    version = 2

    def __init__(
        self,
        *,
        adapter: str = "reader-en",
        passages: int = 5,
        max_tokens: int = 384,
        longest: int = 30,
        text: Literal["query", "question"] = "query",
        dtype: str = "auto",
    ) -> None:
        self.adapter_name = adapter
        self.passages = passages
        self.max_tokens = max_tokens
        self.longest = longest
        self.text = text
        self.dtype = dtype

    def fingerprint(self) -> str:
        """A hash of the adapter, its base and the settings."""
        weights = (self._adapter.sha, self._adapter.base.sha)
        return digest(weights, self.passages, self.max_tokens, self.longest, self.text)

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        """One candidate a passage read, best score first (ties by docid)."""
        texts = [query.text if self.text == "query" else query.question.text for query in queries]
        read = [list(some)[: self.passages] for some in hits]
        pairs = [
            (text, hit.passage.text) for text, some in zip(texts, read, strict=True) for hit in some
        ]
        readings = dict(
            zip(dict.fromkeys(pairs), self.read_pairs(list(dict.fromkeys(pairs))), strict=True)
        )
        results = []
        for text, some in zip(texts, read, strict=True):
            found = [
                _candidate(hit, rank, readings[text, hit.passage.text])
                for rank, hit in enumerate(some)
                if readings[text, hit.passage.text].spans
            ]
            results.append(sorted(found, key=lambda c: (-c.score, c.docid)))
        return results

    def read_pairs(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> list[Reading]:
        """Read each (question, passage) text pair by itself."""
        windows = make_windows(self._tokenizer, [question for question, _ in pairs],
                               [passage for _, passage in pairs],
                               max_tokens=self.max_tokens)  # fmt: skip
        logits: list[NDArray[np.float32]] = [np.empty((0, 3), np.float32)] * len(windows)
        done = 0
        for batch in by_length([len(window.ids) for window in windows]):
            for index, scores in zip(batch, self._logits([windows[i] for i in batch]), strict=True):
                logits[index] = scores
            done += len(batch)
            progress(done, len(windows))
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
        relevance = max(float(values[0, 2]) for values in logits)
        spans = best_spans(scores, passage, longest=self.longest)
        return Reading(-float(np.logaddexp(0.0, -relevance)), spans)

    def _logits(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """(tokens, 3) for each window: start, end, relevance."""
        import torch

        ids, mask = (
            torch.from_numpy(array).to(self._device)
            for array in pad([window.ids for window in windows], value=self._tokenizer.pad_token_id)
        )
        with torch.inference_mode(), autocast(self._device, pick_dtype(self.dtype, self._device)):
            output = self._model(input_ids=ids, attention_mask=mask).logits
        rows = output.float().cpu().numpy()
        return [row[: len(window.ids)] for row, window in zip(rows, windows, strict=True)]

    @cached_property
    def _adapter(self) -> Adapter:
        return open_adapter(self.adapter_name, task="reader")

    @cached_property
    def _tokenizer(self) -> Any:
        return load_tokenizer(self._adapter.base)

    @cached_property
    def _device(self) -> Any:
        return pick_device()

    @cached_property
    def _model(self) -> Any:
        model = load(self._adapter.base, "AutoModelForTokenClassification", num_labels=3)
        merge(model, self._adapter)
        return model.to(self._device)


def _candidate(hit: Hit, rank: int, reading: Reading) -> Candidate:
    """The best span of one passage; its route is filled in by the pipeline."""
    best = reading.spans[0]
    rival = reading.spans[1].score if len(reading.spans) > 1 else float("-inf")
    return Candidate(
        text=hit.passage.text[best.span.start : best.span.end],
        lang=hit.passage.lang,
        route="",
        docid=hit.passage.docid,
        span=best.span,
        span_score=best.score,
        passage_score=reading.passage_score,
        margin=best.score - rival,
        retrieval_score=hit.score,
        retrieval_rank=rank,
    )
