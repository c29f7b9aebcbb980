"""The answers of runs as rows to train a chooser on: features, and how right each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...answering.choosing.features import FEATURES, features
from ...core.types import Answer, Example
from ...experiments.saved_run import SavedRun
from ...io.files import digest
from ...metrics.overlap import token_f1
from ...metrics.strict.text import tokens

FOLDS = 5

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rows:
    """A row an answer: its features, how right it is (0 to 1), its weight, and whose it is.

    `asked` indexes `examples`, `fold` is the part of the data it belongs to.
    """

    examples: tuple[Example, ...]
    answers: tuple[Answer, ...]
    x: Floats
    right: Floats
    weight: Floats
    asked: Ints
    fold: Ints


def gather(runs: Sequence[SavedRun]) -> Rows:
    """The answers of all runs; the parts of the data (`answered_in`) weigh the same in all."""
    examples: list[Example] = []
    answers: list[Answer] = []
    blocks, asked = [], []
    for run in runs:
        for example, some in zip(run.dataset.examples, run.answers, strict=True):
            blocks.append(features(example.question, some))
            asked += [len(examples)] * len(some)
            examples.append(example)
            answers += some
    owners = [examples[at] for at in asked]
    splits = np.array([example.answered_in or "" for example in owners])
    counts = dict(zip(*np.unique(splits, return_counts=True), strict=True))
    return Rows(
        tuple(examples),
        tuple(answers),
        np.concatenate([np.empty((0, len(FEATURES))), *blocks]),
        np.array([rightness(example, a) for example, a in zip(owners, answers, strict=True)]),
        np.array([len(splits) / (len(counts) * counts[split]) for split in splits]),
        np.array(asked, dtype=np.int64),
        np.array([_fold(example) for example in owners], dtype=np.int64),
    )


def rightness(example: Example, answer: Answer) -> float:
    """How right an answer is: token F1 (strict) with the best gold, from 0 to 1.

    What was found in English is compared with English golds as it was found, so that nobody is
    blamed for what the localiser could not say; what is shown, with golds in the question's
    language.
    """
    found = answer.source
    pairs = [
        (answer.text, gold, example.question.lang)
        for gold in example.answers(example.question.lang)
    ]
    if found is not None and found.lang == "en":
        pairs += [(found.text, gold, "en") for gold in example.answers("en")]
    return max((_f1(text, gold, lang) for text, gold, lang in pairs), default=0.0)


def _fold(example: Example) -> int:
    """The same for all questions of a gold passage, which are alike."""
    docids = sorted(gold.docid for gold in example.golds if gold.docid)
    return int(digest(docids[0] if docids else example.question.qid)[:8], 16) % FOLDS


def _f1(text: str, gold: str, lang: str) -> float:
    ours, theirs = tokens(text, lang), tokens(gold, lang)
    return 1.0 if ours == theirs else token_f1(ours, theirs)
