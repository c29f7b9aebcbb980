"""Readers as their authors released them: any question-answering model of transformers.

Windows, spans and the null score are those of transformers' example `run_qa.py`: a window is
question and passage, cut to overlapping windows if it is too long; a span's score is its start
logit plus its end logit; the best span has the highest score of all windows, and the null score is
the lowest of the first token's in any window (Devlin et al. 2019, section 4.3). White space at a
span's ends is left out; otherwise spans are as the model marks them, which may be inside a word.

`CandidateScores` of such readers, for a best span of score b, the next best one of score n that
does not overlap it, and a null score z:

- `passage` is log P(the span rather than no answer) = log sigmoid(b - z). Passages, routes and
  abstention go by the difference b - z, as the official script of SQuAD 2.0 does. With
  `no_answer = false`, for models trained without unanswerable questions, z is 0.
- `span` is b, normalised over all starts and ends of the passage: log P(start) + log P(end).
- `margin` is b - n.
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
from .features import Window, make_windows, question_room, shorten
from .pairs import Identity, PairReader, PairSettings, QuestionPassage, Reading, ScoredWindow

TOP = 2
NOTHING = -1000.0  # log P of a passage without a span


class ReleasedReader(PairReader):
    """The pair reader of a question-answering model; see the module for its scores."""

    def __init__(self, settings: PairSettings) -> None:
        super().__init__(settings)
        self._shortened: set[str] = set()

    @cached_property
    def model(self) -> QuestionAnsweringModel:
        """The model, which loads on first use."""
        return QuestionAnsweringModel(self.settings.adapter)

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

    def identity(self) -> Identity:
        settings = self.settings
        weights = "released", self.sha, settings.no_answer, settings.longest
        return weights, settings.max_tokens, settings.stride

    def parameters(self) -> dict[str, int]:
        body, words = self.model.parameters()
        return {"body": body, "word embeddings": words, "adapter": 0}

    @cached_property
    def window(self) -> int:
        """The tokens of a window."""
        tokens, limit = self.model.window(self.settings.max_tokens), self.model.limit
        null = "the first token's" if self.settings.no_answer else "0"
        announce(
            f"{self.settings.adapter}: windows of {tokens} tokens (it allows {limit}), of which "
            f"{min(self.settings.stride, tokens // 3)} are shared; null score: {null}"
        )
        return tokens

    def _windows(self, pairs: Sequence[QuestionPassage]) -> list[Window]:
        if not pairs:
            return []
        room = question_room(self.model.tokenizer, self.window, self.settings.stride)
        self._report_shortened({question for question, _ in pairs}, room)
        return make_windows(
            self.model.tokenizer,
            [question for question, _ in pairs],
            [passage for _, passage in pairs],
            max_tokens=self.window,
            stride=self.settings.stride,
            max_question=room,
        )

    def _report_shortened(self, questions: set[str], room: int) -> None:
        tokenizer = self.model.tokenizer
        new = {text for text in questions if shorten(tokenizer, text, room) != text}
        if new <= self._shortened:
            return
        self._shortened |= new
        count = quantity(len(self._shortened), "question")
        message = (
            f"{self.settings.adapter}: {count} cut to {room} tokens, to leave room for passages"
        )
        warnings.warn(message, Notice, stacklevel=2)

    def _logits(self, windows: Sequence[Window]) -> list[NDArray[np.float32]]:
        """(tokens, 2) for each window: start, end."""
        logits = self.model.logits(
            [window.ids for window in windows],
            [window.segments for window in windows],
            dtype=self.settings.dtype,
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
        null = min(float(logits[0].sum()) for _, logits in windows)
        difference = best[0].score - (null if self.settings.no_answer else 0.0)
        spans = [ScoredSpan(each.span, each.score - normaliser) for each in best]
        return Reading(-float(np.logaddexp(0.0, -difference)), spans)

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
