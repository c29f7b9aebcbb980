"""Pairs of question and passage as token windows with character offsets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.types import Span

MAX_QUESTION_TOKENS = 96
WINDOW = 256  # tokens; the best of 128 to 384 on held-out questions
STRIDE = 128  # tokens that neighbouring windows share


@dataclass(frozen=True, slots=True)
class Window:
    """One model input: `<s> question </s> </s> part of the passage </s>`.

    `offsets` (tokens, 2) are characters of the passage; `context` is the range of the passage's
    tokens; `pair` is the index of the pair. `segments` are token type ids, if the tokenizer gives
    any.
    """

    pair: int
    ids: list[int]
    offsets: NDArray[np.int32]
    context: Span
    segments: Sequence[int] = ()


def make_windows(
    tokenizer: Any,
    questions: Sequence[str],
    passages: Sequence[str],
    *,
    max_tokens: int = WINDOW,
    stride: int = STRIDE,
    max_question: int = MAX_QUESTION_TOKENS,
) -> list[Window]:
    """Cut every (question, passage) pair into windows of at most `max_tokens` tokens.

    Neighbouring windows of a passage share `stride` tokens, at most a third of a window. Questions
    are cut to `max_question` tokens, or fewer where a window would have no room for a passage.
    """
    if not questions:
        return []
    max_question = min(max_question, question_room(tokenizer, max_tokens, stride))
    stride = min(stride, max_tokens // 3)
    encoded = tokenizer(
        [shorten(tokenizer, question, max_question) for question in questions],
        list(passages),
        truncation="only_second",
        max_length=max_tokens,
        stride=stride,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
    )
    windows = []
    pairs = encoded["overflow_to_sample_mapping"]
    for index, (ids, pair) in enumerate(zip(encoded["input_ids"], pairs, strict=True)):
        sequence = encoded.sequence_ids(index)
        context = [token for token, part in enumerate(sequence) if part == 1]
        span = Span(context[0], context[-1] + 1) if context else Span(len(ids), len(ids))
        offsets = np.asarray(encoded["offset_mapping"][index], np.int32)
        segments = encoded["token_type_ids"][index] if "token_type_ids" in encoded else ()
        windows.append(Window(pair, ids, offsets, span, segments))
    return windows


def question_room(tokenizer: Any, max_tokens: int, stride: int) -> int:
    """The most tokens of a question that leave room for a passage in a window."""
    room = max_tokens - tokenizer.num_special_tokens_to_add(pair=True)
    return int(max(1, room - min(stride, max_tokens // 3) - 1))


def shorten(tokenizer: Any, question: str, tokens: int) -> str:
    """The characters of the question's first `tokens` tokens."""
    if len(question) <= tokens:
        return question
    encoded = tokenizer([question], add_special_tokens=False, return_offsets_mapping=True)
    offsets = encoded["offset_mapping"][0][:tokens]
    return question[: offsets[-1][1]] if offsets else ""
