"""Questions for DPR's reader by distant supervision: a passage that answers, and others.

A passage answers if it contains an answer, token by token (Karpukhin et al. 2020, section 6.1).
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....core.types import Span
from ....reading.dpr import dpr_windows
from ....reading.features import Window
from ....reading.pairs import TitledPassage
from .retrieved import RetrievedQuestion


@dataclass(frozen=True, slots=True)
class LabeledPassages:
    """A question's windows of passages that answer it, with the answers' tokens, and the others."""

    positives: Sequence[tuple[Window, Sequence[Span]]]
    negatives: Sequence[Window]


def label_passages(
    questions: Iterable[RetrievedQuestion], tokenizer: Any, *, max_tokens: int, max_answers: int
) -> Iterator[LabeledPassages]:
    """The questions with at least one passage that answers and one that does not."""
    for question in questions:
        pairs = [TitledPassage(question.question, text, title) for title, text in question.passages]
        if not pairs:
            continue
        windows, _ = dpr_windows(tokenizer, pairs, max_tokens=max_tokens)
        answers = [
            tokenizer(answer, add_special_tokens=False)["input_ids"] for answer in question.answers
        ]
        positives, negatives = [], []
        for window in windows:
            if spans := occurrences(window, answers)[:max_answers]:
                positives.append((window, spans))
            else:
                negatives.append(window)
        if positives and negatives:
            yield LabeledPassages(positives, negatives)


def occurrences(window: Window, answers: Iterable[Sequence[int]]) -> list[Span]:
    """Where the passage's tokens are those of an answer, first ones first, each once."""
    first, last = window.context.start, window.context.end
    spans = {
        (start, start + len(ids))
        for ids in answers
        if ids
        for start in range(first, last - len(ids) + 1)
        if window.ids[start : start + len(ids)] == list(ids)
    }
    return [Span(*span) for span in sorted(spans)]


@dataclass(frozen=True, slots=True)
class DprExample:
    """What one step sees of a question: `windows`, of which the first answers at `spans`."""

    windows: Sequence[Window]
    spans: Sequence[Span]


def draw_example(question: LabeledPassages, *, negatives: int, rng: random.Random) -> DprExample:
    """One passage that answers, and up to `negatives` others, at random."""
    positive, spans = rng.choice(question.positives)
    others = rng.sample(question.negatives, min(negatives, len(question.negatives)))
    return DprExample([positive, *others], spans)
