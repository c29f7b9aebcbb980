"""The answers of runs as training rows of a chooser: features and targets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....answering.choosing.features import FEATURES, features
from ....core.types import Answer, Example
from ....io.files import digest
from ....metrics.answers import token_f1, tokens
from ...common.saved_run import SavedRun

FOLDS = 5

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """A row per answer: its features `x`, its target (F1, 0 to 1), its weight, and its question.

    `question` indexes `examples`; `fold` is for cross-validation.
    """

    examples: tuple[Example, ...]
    answers: tuple[Answer, ...]
    x: Floats
    target: Floats
    weight: Floats
    question: Ints
    fold: Ints


def collect_rows(runs: Sequence[SavedRun]) -> AnswerRows:
    """The answers of all runs; the values of `answered_in` have the same total weight."""
    examples: list[Example] = []
    answers: list[Answer] = []
    blocks, question = [], []
    for run in runs:
        for example, of_question in zip(run.dataset.examples, run.answers, strict=True):
            blocks.append(features(example.question, of_question))
            question += [len(examples)] * len(of_question)
            examples.append(example)
            answers += of_question
    owners = [examples[number] for number in question]
    splits = np.array([example.answered_in or "" for example in owners])
    counts = dict(zip(*np.unique(splits, return_counts=True), strict=True))
    return AnswerRows(
        tuple(examples),
        tuple(answers),
        np.concatenate([np.empty((0, len(FEATURES))), *blocks]),
        np.array([best_f1(example, a) for example, a in zip(owners, answers, strict=True)]),
        np.array([len(splits) / (len(counts) * counts[split]) for split in splits]),
        np.array(question, dtype=np.int64),
        np.array([_fold(example) for example in owners], dtype=np.int64),
    )


def best_f1(example: Example, answer: Answer) -> float:
    """The strict token F1 of an answer with its best gold, from 0 to 1.

    The final answer is compared with golds in the question's language, an English source also
    with English golds, so that errors of the localiser do not count.
    """
    source = answer.source
    pairs = [
        (answer.text, gold, example.question.lang)
        for gold in example.answers(example.question.lang)
    ]
    if source is not None and source.lang == "en":
        pairs += [(source.text, gold, "en") for gold in example.answers("en")]
    return max((_f1(text, gold, lang) for text, gold, lang in pairs), default=0.0)


def _fold(example: Example) -> int:
    """The fold of a question, the same for all questions with one gold passage."""
    docids = sorted(gold.docid for gold in example.golds if gold.docid)
    return int(digest(docids[0] if docids else example.question.qid)[:8], 16) % FOLDS


def _f1(text: str, gold: str, lang: str) -> float:
    predicted, reference = tokens(text, lang), tokens(gold, lang)
    return 1.0 if predicted == reference else token_f1(predicted, reference)
