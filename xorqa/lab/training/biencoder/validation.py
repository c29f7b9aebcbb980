"""Validation of a bi-encoder: held-out questions over the units of their own paragraphs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ....models.towers import Text
from .pairs import Item, units
from .samplers import Pick, allowed_picks

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RetrievalValidationSet:
    """Questions, the pool of texts to search, and the position of each answer in the pool."""

    questions: tuple[str, ...]
    pool: tuple[Text, ...]
    answers: tuple[int, ...]

    def metrics(self, queries: NDArray[np.float32], pool: NDArray[np.float32]) -> dict[str, float]:
        """Mean reciprocal rank and accuracy (rank 1), in percent, of (texts, dimensions) vectors.

        Among equal similarities the answer ranks last.
        """
        similarity = queries @ pool.T
        of_answers = similarity[np.arange(len(self.answers)), list(self.answers)]
        ranks = (similarity >= of_answers[:, None]).sum(axis=1)
        return {
            "mrr": 100 * float((1 / ranks).mean()),
            "accuracy": 100 * float((ranks == 1).mean()),
        }


def validation_set(
    sources: Sequence[Sequence[Item]],
    *,
    per_source: int,
    sampler: str,
    unit: str,
    rng: random.Random,
    context: bool = False,
) -> RetrievalValidationSet | None:
    """Up to `per_source` held-out questions of each source, in the sampler's language pairs.

    The pool has every unit of their paragraphs, with `context` as a pair of both. None if there is
    no question.
    """
    chosen: list[tuple[Item, Pick]] = []
    for items in sources:
        usable = [(item, picks) for item in items if (picks := allowed_picks(item, 0, sampler))]
        sample = rng.sample(usable, min(per_source, len(usable)))
        chosen += [(item, rng.choice(picks)) for item, picks in sample]
    if not chosen:
        return None
    pool = dict.fromkeys(
        (text, paragraph.text) if context else text
        for item, pick in chosen
        for paragraph in [item.paragraphs[pick.answer]]
        for text in (*units(paragraph, unit), item.answers[pick.answer])
    )
    positions = {text: position for position, text in enumerate(pool)}
    return RetrievalValidationSet(
        tuple(item.questions[pick.question] for item, pick in chosen),
        tuple(pool),
        tuple(positions[item.answer(pick.answer, context)] for item, pick in chosen),
    )
