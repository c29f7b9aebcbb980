"""Checks of lesson 13: a split, the loss and what its temperature is for, hard negatives."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .grading import Verdict, graded, right, wrong
from .hints import hint

Floats = NDArray[np.floating[Any]]
Truths = NDArray[np.bool_]
BATCH = 256
RIGHT_PAIR, WRONG_PAIR = 1.0, 0.5  # similarities of exercise 3
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
def check_2(batch_loss: Callable[[Floats, Truths, float], float]) -> Verdict:
    """The contrastive loss with further columns, on random similarities."""
    stream = np.random.default_rng(13)
    for rows, columns, temperature in ((3, 3, 0.05), (4, 9, 0.5), (2, 6, 1.0)):
        cells = stream.uniform(-1, 1, size=(rows, columns))
        same = np.zeros(cells.shape, bool)
        same[0, rows:] = np.arange(columns - rows) % 2 == 0
        value = np.asarray(batch_loss(cells.copy(), same.copy(), temperature), float)
        if value.shape != ():
            return wrong(f"The loss of a batch is one number; yours has shape {value.shape}.")
        expected = loss(cells / temperature, same)
        if _near(value, expected):
            continue
        zeros = np.where(same, 0, cells) / temperature
        square = cells[:, :rows] / temperature
        return hint(
            (
                _near(value, -expected),
                "The sign: training makes the loss small, so take minus the logarithm.",
            ),
            (_near(value, loss(cells, same)), "Where does the temperature act?"),
            (
                _near(value, loss(cells * temperature, same)),
                "Divide by the temperature: a small one makes differences larger.",
            ),
            (
                _near(value, loss(cells / temperature)),
                "Row 0 is punished for its own right text in a further column: use `same`.",
            ),
            (
                _near(value, loss(zeros)),
                "A repeated text with similarity 0 still takes part, since exp(0) is 1.",
            ),
            (
                _near(value, loss(square)),
                "You use the first n columns only: further wrong texts belong to the softmax.",
            ),
            (
                rows == columns and _near(value, loss(square.T)),
                "Your softmax runs down the columns; a question chooses along its row.",
            ),
            (
                _near(value, rows * expected),
                "This is the sum over the questions; the loss is their mean.",
            ),
            otherwise="Per row: the softmax of the similarities over the temperature, without the "
            "columns in `same`, then minus the logarithm of the value in the row's own column; "
            "then the mean over rows.",
        )
    return right(
        "A batch of n pairs gives each question n - 1 wrong answers without encoding one text "
        "more. "
        "A repeated right text would push the question away from its own answer."
    )


def loss(logits: Floats, same: Truths | None = None) -> float:
    """The mean of minus log softmax on the diagonal; cells in `same` take no part."""
    powers = np.exp(logits) if same is None else np.where(same, 0, np.exp(logits))
    return float(np.mean(np.log(powers.sum(axis=1)) - np.diag(logits)))


@graded
def check_3(answer: Mapping[float, float]) -> Verdict:
    """The loss of the best encoder at two temperatures, in a batch of `BATCH`."""
    warm, cold = float(answer[1]), float(answer[0.05])
    others = BATCH - 1
    powers = {t: math.exp((WRONG_PAIR - RIGHT_PAIR) / t) for t in (1, 0.05)}
    expected = [math.log(1 + others * powers[t]) for t in (1, 0.05)]
    if abs(warm - expected[0]) < 0.01 and abs(cold - expected[1]) < 0.001:
        return right(
            f"{expected[0]:.2f} is hardly below the {math.log(BATCH):.2f} of ignorance; "
            f"{expected[1]:.3f} is far below. Cosines cannot differ by more than 2, so without a "
            "small temperature even the best encoder cannot make the loss small, and a loss is "
            "only comparable at the same temperature and batch size."
        )
    return hint(
        (
            abs(warm - 1 / (1 + others * powers[1])) < 1e-3,
            "This is the probability of the right one. The loss is minus its logarithm.",
        ),
        (
            abs(warm - expected[0] / math.log(2)) < 0.02,
            "These are bits. The loss has the natural logarithm.",
        ),
        (warm < 0 or cold < 0, "The sign: a loss of this kind is never negative."),
        (
            abs(warm - math.log(others * powers[1])) < 0.002,
            "The right text is itself among the 256 that the softmax adds up.",
        ),
        (
            warm == cold,
            "The temperature divides the similarities: it changes 1 - 0.5 into 10 at 0.05.",
        ),
        (warm == 0, "A loss of 0 needs probability 1 for the right one: what do 255 others take?"),
        (
            abs(warm - math.log(1 + powers[1])) < 0.01,
            "This is a batch of two: there are 255 wrong texts.",
        ),
        (
            abs(warm - expected[0]) < 0.01,
            "Temperature 1 is right. At 0.05, each power of e is exp(similarity / 0.05).",
        ),
        otherwise="The right text has the power exp(1 / t), each of 255 wrong ones exp(0.5 / t). "
        "Which share of the sum has the right one?",
    )


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
