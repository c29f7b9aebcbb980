"""The bundled reader and what it reads: questions, gold passages, scores of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.core.types import Example, Passage, Question
from xorqa.datasets import mini
from xorqa.models.adapters import Adapter, merge, open_adapter
from xorqa.models.bert import load_token_classifier
from xorqa.models.checkpoints import load_tokenizer
from xorqa.reading.decode import TokenScores
from xorqa.reading.features import STRIDE, Window, make_windows
from xorqa.reading.pairs import DEFAULT_READER, QuestionPassage, Reading
from xorqa.reading.span import SpanReader

from .bundled import gold_docid


@cache
def examples() -> dict[str, Example]:
    """The questions of the bundled world with their gold answers, by id."""
    return {example.question.qid: example for example in mini.load().examples}


@cache
def passages() -> dict[str, Passage]:
    """The passages of all eight languages, by id."""
    return {passage.docid: passage for passage in chain(*mini.load().corpora.values())}


def question(qid: str) -> Question:
    """A question by its id."""
    return examples()[qid].question


def gold_passage(qid: str) -> Passage:
    """The passage that answers a question."""
    return passages()[gold_docid(examples()[qid])]


@cache
def adapter() -> Adapter:
    """The file of the default reader."""
    return open_adapter(DEFAULT_READER, task="reader")


@cache
def tokenizer() -> Any:
    """The tokenizer of the default reader."""
    return load_tokenizer(adapter().base)


@cache
def _model() -> Any:
    model = load_token_classifier(adapter().base, labels=3)
    merge(model, adapter())
    return model


def windows(asked: str, text: str, stride: int = STRIDE) -> list[Window]:
    """The model inputs of a question and a passage, as the reader is given them."""
    glossed = SpanReader().pairs.glossed(asked, text)
    return make_windows(tokenizer(), [glossed], [text], stride=stride)


def logits(window: Window) -> NDArray[np.float32]:
    """(tokens, 3) for one model input: start, end, relevance."""
    import torch

    with torch.inference_mode():
        ids = torch.tensor([window.ids])
        output = _model()(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0]
    values: NDArray[np.float32] = output.numpy()
    return values


def context_scores(window: Window, output: NDArray[np.float32]) -> TokenScores:
    """The start and end scores of the passage's tokens, without those of the question."""
    context = slice(window.context.start, window.context.end)
    return TokenScores(window.offsets[context], output[context, 0], output[context, 1])


@cache
def token_scores(qid: str) -> TokenScores:
    """The model's scores of a question over the passage that answers it."""
    [window] = windows(question(qid).text, gold_passage(qid).text)
    return context_scores(window, logits(window))


def read(pairs: Sequence[tuple[str, str]]) -> list[Reading]:
    """What the library's reader finds in pairs of question and passage.

    It computes in float32, so that results are alike on every machine.
    """
    reader = SpanReader(dtype="float32").pairs
    return reader.read([QuestionPassage(*pair) for pair in pairs])
