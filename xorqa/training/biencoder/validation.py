"""Held-out questions over the units of their own paragraphs: MRR and accuracy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .pairs import Item, units
from .recipe import BiencoderRecipe
from .samplers import Pick, picks

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Development:
    """Questions, the pool of texts that they are asked over, and which of it answers each."""

    questions: tuple[str, ...]
    pool: tuple[str, ...]
    answers: tuple[int, ...]

    def score(self, queries: NDArray[np.float32], pool: NDArray[np.float32]) -> dict[str, float]:
        """Mean reciprocal rank and accuracy (rank 1), in percent, of (texts, dimensions) vectors.

        Among equal similarities the answer comes last.
        """
        similarity = queries @ pool.T
        own = similarity[np.arange(len(self.answers)), list(self.answers)]
        ranks = (similarity >= own[:, None]).sum(axis=1)
        return {
            "mrr": 100 * float((1 / ranks).mean()),
            "accuracy": 100 * float((ranks == 1).mean()),
        }


def held_out(sources: Sequence[Sequence[Item]], recipe: BiencoderRecipe) -> Development | None:
    """Up to `recipe.development` held-out questions of each source, as the sampler pairs them.

    The pool has every unit of the paragraphs they were asked about. None without a question.
    """
    rng = random.Random(recipe.seed)
    chosen: list[tuple[Item, Pick]] = []
    for items in sources:
        allowed = [(item, picks(item, 0, recipe.sampler)) for item in items]
        usable = [(item, some) for item, some in allowed if some]
        drawn = rng.sample(usable, min(recipe.development, len(usable)))
        chosen += [(item, rng.choice(some)) for item, some in drawn]
    if not chosen:
        return None
    pool = dict.fromkeys(
        text for item, pick in chosen for text in units(item.paragraphs[pick.answer], recipe.unit)
    )
    places = {text: at for at, text in enumerate(pool)}
    return Development(
        tuple(item.questions[pick.question] for item, pick in chosen),
        tuple(pool),
        tuple(places[item.answers[pick.answer]] for item, pick in chosen),
    )
