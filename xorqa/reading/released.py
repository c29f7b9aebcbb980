"""Readers as their authors released them: any question-answering model of transformers.

Windows, spans and the null score are those of transformers' example `run_qa.py`: a window is
question and passage, cut to overlapping windows if it is too long; a span's score is its start
logit plus its end logit; the best span has the highest score of all windows, and the null score is
the lowest of the first token's in any window (Devlin et al. 2019). White space at a
span's ends is left out; otherwise spans are as the model marks them, which may be inside a word.

`CandidateScores` of such readers, for a best span of score b, the next best one of score n that
does not overlap it, and a null score z:

- `passage` is log P(the span rather than no answer) = log sigmoid(b - z). Passages, routes and
  abstention go by the difference b - z, as the official script of SQuAD 2.0 does. With
  `no_answer = false`, for models trained without unanswerable questions, z is 0.
- `span` is b, normalised over all starts and ends of the passage: log P(start) + log P(end).
- `margin` is b - n.

A reader of DPR (`DPRReader`) reads question, title and passage in one window, and scores the
passage itself: `passage` is the log sigmoid of its relevance logit, whatever `no_answer` is.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import Notice, WeightsError
from ..core.progress import announce, quantity
from ..core.types import Span
from ..models.adapters import Adapter
from ..models.checkpoints import Checkpoint
from ..models.question_answering import QuestionAnsweringModel
from .decode import ScoredSpan, TokenScores
from .dpr import dpr_windows
from .features import Window, make_windows, question_room, shorten
from .pairs import Identity, Pair, PairReader, PairSettings, Reading, ScoredWindow

TOP = 2
NOTHING = -1000.0  # log P of a passage without a span


class ReleasedReader(PairReader):
    """The pair reader of a question-answering model; see the module for its scores."""

    def __init__(self, settings: PairSettings) -> None:
        super().__init__(settings)
        self._shortened: set[str] = set()
        self._cut: set[str] = set()

    @cached_property
    def model(self) -> QuestionAnsweringModel:
        """The model, which loads on first use."""
        settings = self.settings
        return QuestionAnsweringModel(
            settings.adapter, dtype=settings.dtype, trust_remote_code=settings.trust_remote_code
        )

    @property
    def checkpoint(self) -> Checkpoint:
        return self.model.checkpoint

    @cached_property
    def adapter(self) -> Adapter:
        """There is none.

        Raises:
            WeightsError: always.
        """
        raise WeightsError(f"{self.settings.adapter} is a model as released, not an adapter")

    @property
    def sha(self) -> str:
        return self.checkpoint.fingerprint

    @property
    def by_title(self) -> bool:
        return self.model.is_dpr

    def identity(self) -> Identity:
        settings = self.settings
        code = ["its own code"] if settings.trust_remote_code else []
        weights = "released", self.sha, settings.no_answer, settings.longest, *code
        weights += tuple(settings.precision)
        return weights, settings.max_tokens, settings.stride

    def parameters(self) -> dict[str, int]:
        body, words = self.model.parameters()
        return {"body": body, "word embeddings": words, "adapter": 0}

    @cached_property
    def window(self) -> int:
        """The tokens of a window."""
        tokens, limit = self.model.window(self.settings.max_tokens), self.model.limit
        null = "the first token's" if self.settings.no_answer else "0"
        shared = min(self.settings.stride, tokens // 3)
        detail = f"of which {shared} are shared; null score: {null}"
        if self.model.is_dpr:
            detail = "with titles; passages are scored by relevance"
        name = self.settings.adapter
        announce(f"{name}: windows of {tokens} tokens (it allows {limit}), {detail}")
        return tokens

    def _windows(self, pairs: Sequence[Pair]) -> list[Window]:
        if not pairs:
            return []
        if self.model.is_dpr:
            windows, cut = dpr_windows(self.model.tokenizer, pairs, max_tokens=self.window)
            self._report(cut, self._cut, "passage", f"{self.window} tokens, all that it reads")
            return windows
        room = question_room(self.model.tokenizer, self.window, self.settings.stride)
        questions = {pair.question for pair in pairs}
        shortened = {q for q in questions if shorten(self.model.tokenizer, q, room) != q}
        self._report(shortened, self._shortened, "question", f"{room} tokens, to leave room")
        return make_windows(
            self.model.tokenizer,
            [pair.question for pair in pairs],
            [pair.passage for pair in pairs],
            max_tokens=self.window,
            stride=self.settings.stride,
            max_question=room,
        )

    def _report(self, texts: set[str], reported: set[str], noun: str, tokens: str) -> None:
        """Warn of texts that were cut, each once."""
        if texts <= reported:
            return
        reported |= texts
        message = f"{self.settings.adapter}: {quantity(len(reported), noun)} cut to {tokens}"
        warnings.warn(message, Notice, stacklevel=2)

    def _logits(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """(tokens, 2) for each window: start, end; with DPR (tokens, 3), also relevance."""
        logits = self.model.logits(
            [window.ids for window in windows], [window.segments for window in windows]
        )
        return [row[: len(window.ids)] for row, window in zip(logits, windows, strict=True)]

    def _reading(self, windows: Sequence[ScoredWindow], passage: str) -> Reading:
        scores = []
        for window, logits in windows:
            inside = slice(window.context.start, window.context.end)
            scores.append(TokenScores(window.offsets[inside], logits[inside, 0], logits[inside, 1]))
        best, normaliser = raw_spans(scores, passage, longest=self.settings.longest)
        if not best:
            return Reading(NOTHING, [])
        log_odds = self._log_odds(best[0].score, windows)
        spans = [ScoredSpan(each.span, each.score - normaliser) for each in best]
        return Reading(-float(np.logaddexp(0.0, -log_odds)), spans)

    def _log_odds(self, best: float, windows: Sequence[ScoredWindow]) -> float:
        """The log odds that a passage answers, given the score of its best span."""
        if self.model.is_dpr:
            return float(windows[0][1][0, 2])
        null = min(float(logits[0].sum()) for _, logits in windows)
        return best - (null if self.settings.no_answer else 0.0)

    @property
    def _tokenizer(self) -> Any:
        return self.model.tokenizer


def raw_spans(
    windows: Sequence[TokenScores], text: str, *, longest: int
) -> tuple[list[ScoredSpan], float]:
    """The best spans that do not overlap, each with start plus end logit, and their normaliser.

    Ties: the earlier window, then the earlier start, then the shorter span. Spans without a
    character other than white space are left out. A score minus the normaliser is
    log P(start) + log P(end) over all windows.
    """
    filled = [window for window in windows if len(window.start)]
    if not filled:
        return [], 0.0
    total = np.logaddexp.reduce(np.concatenate([window.start for window in filled]))
    total += np.logaddexp.reduce(np.concatenate([window.end for window in filled]))
    columns = zip(*(_all_spans(window, longest) for window in filled), strict=True)
    starts, ends, scores = (np.concatenate(column) for column in columns)
    best: list[ScoredSpan] = []
    while len(best) < TOP and scores.max() > -np.inf:
        index = int(scores.argmax())
        span = _without_space(text, Span(int(starts[index]), int(ends[index])))
        if span.end > span.start:
            best.append(ScoredSpan(span, float(scores[index])))
            scores[(starts < span.end) & (ends > span.start)] = -np.inf
        scores[index] = -np.inf
    return best, float(total)


def _all_spans(
    window: TokenScores, longest: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    """First and last character and score of a window's runs of at most `longest` tokens."""
    count = len(window.start)
    lengths = np.arange(min(longest, count))
    first, more = (axis.ravel() for axis in np.meshgrid(np.arange(count), lengths, indexing="ij"))
    last = first + more
    first, last = first[last < count], last[last < count]
    scores = window.start[first] + window.end[last]
    return window.offsets[first, 0], window.offsets[last, 1], scores


def _without_space(text: str, span: Span) -> Span:
    words = text[span.start : span.end]
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, start + len(words.strip()))
