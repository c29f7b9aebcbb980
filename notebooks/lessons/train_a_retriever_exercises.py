"""Checks of lesson 13: a split, the loss and its value before learning, hard negatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grading import Verdict, graded, right, wrong
from .hints import hint

Floats = NDArray[np.floating[Any]]
BATCH = 256
Row = Mapping[str, str]


@graded
def check_1(held_out: Callable[[Sequence[Row]], Sequence[bool]]) -> Verdict:
    """A split without a leak."""
    rows = [
        {"paragraph": f"p{at // 2:02d}", "question": f"q{at:03d}", "lang": lang}
        for at in range(60)
        for lang in ("en", "fi", "ko")
    ]
    chosen = [bool(one) for one in held_out([dict(row) for row in rows])]
    if len(chosen) != len(rows):
        return wrong(f"One truth value per row, please: {len(rows)}, not {len(chosen)}.")
    sides = {name: _on_both_sides(rows, chosen, name) for name in ("paragraph", "question", "lang")}
    share = sum(chosen) / len(chosen)
    if any(chosen) and not sides["lang"]:
        return wrong(
            "You hold out languages. That asks another question (what of a language never seen?), "
            "and its questions are known from their translations."
        )
    if not 0.1 <= share <= 0.3:
        return wrong(f"About a fifth should be held out, not {share:.0%}.")
    if sides["question"]:
        return wrong(
            f"{len(sides['question'])} questions are on both sides, in different languages: the "
            "English target of a validation question has been trained on."
        )
    if sides["paragraph"]:
        return wrong(
            f"Questions are whole, but {len(sides['paragraph'])} paragraphs have a question on "
            "each side, about the same names and facts."
        )
    return right(
        "Split by what texts have in common, not by rows. The bundled split goes one step further, "
        "to whole articles."
    )


def _on_both_sides(rows: Sequence[Row], chosen: Sequence[bool], name: str) -> set[str]:
    """The values of a field that occur in both parts."""
    parts = [
        {row[name] for row, one in zip(rows, chosen, strict=True) if one is side}
        for side in (True, False)
    ]
    return parts[0] & parts[1]


@graded
def check_2(in_batch_loss: Callable[[Floats, float], float]) -> Verdict:
    """The contrastive loss, on random similarities."""
    stream = np.random.default_rng(13)
    for size, temperature in ((3, 0.05), (5, 0.5), (2, 1.0)):
        cells = stream.uniform(-1, 1, size=(size, size))
        value = np.asarray(in_batch_loss(cells.copy(), temperature), float)
        if value.shape != ():
            return wrong(f"The loss of a batch is one number; yours has shape {value.shape}.")
        expected = loss(cells / temperature)
        if not _near(value, expected):
            return hint(
                (
                    _near(value, -expected),
                    "The sign: training makes the loss small, so take minus the logarithm.",
                ),
                (_near(value, loss(cells)), "Where does the temperature act?"),
                (
                    _near(value, loss(cells * temperature)),
                    "Divide by the temperature: a small one makes differences larger.",
                ),
                (
                    _near(value, loss(cells.T / temperature)),
                    "Your softmax runs down the columns; a question chooses along its row.",
                ),
                (
                    _near(value, size * expected),
                    "This is the sum over the questions; the loss is their mean.",
                ),
                otherwise="Per row: the softmax of the similarities over the temperature, then "
                "minus the logarithm of the value on the diagonal; then the mean over rows.",
            )
    return right(
        "A batch of n pairs gives each question n - 1 wrong answers without encoding one text more."
    )


def loss(logits: Floats) -> float:
    """The mean of minus log softmax on the diagonal."""
    return float(np.mean(np.log(np.exp(logits).sum(axis=1)) - np.diag(logits)))


@graded
def check_3(value: float) -> Verdict:
    """The loss of an encoder that knows nothing, in a batch of `BATCH`."""
    given, chance = float(value), 1 / BATCH
    if abs(given - math.log(BATCH)) < 0.06:
        return right(
            f"ln {BATCH} = {math.log(BATCH):.2f}: each of {BATCH} gets probability 1/{BATCH}. If "
            "your training starts far above this, look for a bug before you wait."
        )
    if abs(given - chance) < 1e-4:
        return wrong("This is the probability of the right one. The loss is minus its logarithm.")
    if abs(given - math.log2(BATCH)) < 0.06:
        return wrong("These are bits. The loss has the natural logarithm.")
    if abs(given + math.log(BATCH)) < 0.06:
        return wrong("The sign: a loss of this kind is never negative.")
    if given == 0:
        return wrong("A loss of 0 needs probability 1 for the right one, which needs knowledge.")
    return wrong("If all similarities are equal, which probability does the right one get?")


@graded
def check_4(hard_negatives: Callable[[Floats, int], Any]) -> Verdict:
    """The most similar wrong texts of each question."""
    stream = np.random.default_rng(14)
    cells = stream.uniform(-1, 1, size=(6, 6))
    right_one = np.arange(6)
    cells[right_one, right_one] = [1.1] * 4 + [-2] * 2
    cells[4:, 4:].flat[[0, 3]] = cells[4:].max(axis=1) - 1e-3  # second, where others are first
    for count in (1, 3):
        mined = np.asarray(hard_negatives(cells.copy(), count))
        if mined.shape != (6, count):
            return wrong(f"{count} for each of 6 questions: shape (6, {count}), not {mined.shape}.")
        if (mined == np.arange(6)[:, None]).any():
            return wrong(
                "The right text itself is among your negatives: training would push a question "
                "away from its own answer."
            )
        masked = cells.copy()
        np.fill_diagonal(masked, -np.inf)
        if not _same(mined, np.argsort(-masked, axis=1)[:, :count]):
            easy = np.argsort(np.where(np.eye(6, dtype=bool), np.inf, cells), axis=1)[:, :count]
            return hint(
                (_same(mined, easy), "These are the *least* similar: they teach nothing any more."),
                (
                    _same(mined, np.argsort(-masked, axis=0)[:count].T),
                    "You sort down the columns; each row is a question.",
                ),
                (mined.dtype.kind == "f", "Return positions, not similarities."),
                otherwise="For each row: the columns of the highest values, without the diagonal.",
            )
    return right(
        "A text that is nearest and wrong may also be right and unlabelled: look at some before "
        "you train on them."
    )


def _near(value: Any, expected: float) -> bool:
    return math.isclose(float(value), expected, rel_tol=1e-6)


def _same(mined: NDArray[Any], expected: NDArray[Any]) -> bool:
    """Whether two arrays have the same positions in each row, in any order."""
    return bool((np.sort(mined) == np.sort(expected)).all())
