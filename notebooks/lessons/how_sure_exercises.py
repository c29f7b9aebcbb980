"""The exercises of lesson 3b: each check computes the right answer and explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from xorqa.reading.pairs import Reading

from .bundled_reader import read
from .grading import Verdict, graded, right, wrong
from .hints import hint
from .how_sure_languages import Truths, Values, error_of
from .how_sure_passages import KINDS, readings, without_answer

Bins = Sequence[tuple[int, float, float]]
Error = Callable[[Values, Truths], float]

WINDOWS = (
    (100, 236, 64),
    (50, 236, 64),
    (236, 236, 64),
    (237, 236, 64),
    (1100, 236, 64),
    (408, 236, 64),
    (600, 100, 20),
)
"""Tokens of a passage, tokens that fit into a window, tokens that neighbours share."""
BINS: tuple[Bins, ...] = (
    [(10, 0.25, 0.25), (30, 0.75, 0.75)],
    [(10, 0.2, 0.4), (30, 0.9, 0.7)],
    [(50, 0.1, 0.3), (50, 0.8, 0.6)],
    [(1, 0.5, 0.0), (99, 0.95, 0.9), (20, 0.1, 0.4)],
)
REFUSING_ALL = 1.1  # a threshold that refuses every passage


@graded
def check_1(windows_needed: Callable[[int, int, int], int]) -> Verdict:
    """Whether a function computes the number of windows of a passage."""
    for tokens, room, shared in WINDOWS:
        answer, expected = windows_needed(tokens, room, shared), _windows(tokens, room, shared)
        if answer == expected:
            continue
        call = f"For {tokens} tokens, room for {room} and {shared} shared, yours is {answer}."
        if tokens <= room:
            return wrong(f"{call} A passage that fits is one window.")
        if answer == -(-tokens // room):
            return wrong(
                f"{call} Neighbours share tokens, so each next window adds fewer new ones."
            )
        if answer == -(-tokens // (room - shared)):
            return wrong(f"{call} Only the windows after the first share tokens with one before.")
        return wrong(f"{call} How many new tokens does each window after the first add?")
    return right(
        "The first window holds as many tokens as fit, each other one adds all but the shared "
        "ones. Sharing more makes cut answers rarer and reading slower."
    )


def _windows(tokens: int, room: int, shared: int) -> int:
    """The number of windows, counted by moving one along the passage."""
    end, count = room, 1
    while end < tokens:
        end, count = end + room - shared, count + 1
    return count


@graded
def check_2(calibration_error: Callable[[Bins], float]) -> Verdict:
    """Whether a function computes the expected calibration error of bins."""
    for rows in BINS:
        sizes, sure, share = (np.array(column) for column in zip(*rows, strict=True))
        gaps = sure - share
        expected = float(sizes @ abs(gaps) / sizes.sum())
        answer = float(calibration_error(rows))
        if np.isclose(answer, expected):
            continue
        call = f"For {rows} the error is not {answer:.3f}."
        if np.isclose(abs(answer), abs(sizes @ gaps / sizes.sum())):
            return wrong(f"{call} Too sure in one bin does not make up for too unsure in another.")
        if np.isclose(answer, abs(gaps).mean()):
            return wrong(f"{call} Bins with more pairs count more.")
        if np.isclose(answer, sizes @ abs(gaps)):
            return wrong(f"{call} Divide by the number of pairs.")
        return wrong(f"{call} Weight each bin's |mean probability - share| by its pairs.")
    return right(
        "Each bin's gap counts as often as it has pairs, whatever its direction. It agrees with "
        "the library's."
    )


@graded
def check_3(error_if_calibrated: Callable[[Values, Error, np.random.Generator], float]) -> Verdict:
    """Whether a function computes the mean error of a calibrated reader."""
    chances = np.linspace(0.02, 0.72, 24)

    def answer(seed: int, values: Values = chances) -> float:
        return float(error_if_calibrated(values, error_of, np.random.default_rng(seed)))

    errors = [answer(seed) for seed in range(5)]
    first, expected = errors[0], _mean_error(chances, lambda draw: draw < chances)
    call = f"For {len(chances)} pairs yours is {first:.3f}."
    if first > 1:
        return wrong(f"{call} An error is at most 1: divide by the number of draws.")
    if max(errors) - min(errors) > 0.02:
        return wrong(f"Streams give {min(errors):.3f} to {max(errors):.3f}: one draw is chance.")
    if first == 0:
        return wrong(f"{call} With endless pairs it would be. Draw labels for these.")
    if abs(first - expected) < 0.008:
        few, many = first, answer(0, np.repeat(chances, 100))
        return right(
            f"With {len(chances)} evenly spread probabilities a calibrated reader has a mean error "
            f"of {few:.1%}, with {100 * len(chances):,} of {many:.1%}. An error is worth reading "
            "only beside this one."
        )
    mistakes = {
        error_of(chances, chances): "Average the errors of the draws, not their labels.",
        _mean_error(chances, lambda draw: draw > chances): "A label is true with its P(passage); "
        "yours are true with 1 - P(passage).",
        _mean_error(chances, lambda draw: draw < 0.5): "Your labels are a coin's. Where does "
        "P(passage) act?",
        error_of(chances, chances >= 0.5): "You give each pair its likelier label. Draw it.",
        _mean_error(chances, lambda draw: draw[0] < chances): "You draw one number for all pairs. "
        "Each pair has its own label.",
    }
    near = min(mistakes, key=lambda error: abs(error - first))
    if abs(near - first) < 0.01:
        return wrong(f"{call} {mistakes[near]}")
    return wrong(
        f"{call} Per draw: a random number for each pair, labels, the error; then the mean."
    )


def _mean_error(chances: Values, label: Callable[[Values], Truths]) -> float:
    """The mean error over draws of a number for each pair, which `label` makes a label of."""
    stream = np.random.default_rng(9)
    return float(
        np.mean([error_of(chances, label(stream.random(len(chances)))) for _ in range(1000)])
    )


@graded
def check_4(best_threshold: Callable[[Values, Truths, float], float]) -> Verdict:
    """Whether a function returns a threshold of the lowest cost."""
    for chances, answers, cost in _passages():
        threshold = float(best_threshold(chances, answers, cost))
        lowest = min(
            _cost(chances, answers, cost, candidate) for candidate in (*chances, REFUSING_ALL)
        )
        paid = _cost(chances, answers, cost, threshold)
        if paid > lowest + 1e-9:
            return wrong(_cost_hint(chances, answers, cost, paid, lowest))
    return right(
        "The dearer a wrong answer, the higher the threshold, up to refusing everything. No "
        "threshold is best for all: it follows from what mistakes cost."
    )


def _passages() -> Iterator[tuple[Values, Truths, float]]:
    """Probabilities, whether the passages answer, and the cost of a wrong answer."""
    rng = np.random.default_rng(3)
    for cost in (0.1, 1.0, 3.0, 100.0):
        for _ in range(5):
            answers = rng.random(30) < 0.5
            chances = np.clip(rng.normal(0.4 + 0.3 * answers, 0.2), 0.01, 0.99).round(2)
            yield chances, answers, cost
    yield np.array([0.3, 0.9]), np.array([True, False]), 100.0  # best refused


def _cost(chances: Values, answers: Truths, cost: float, threshold: float) -> float:
    """1 for each right passage refused, `cost` for each wrong one accepted."""
    accepted = chances >= threshold
    return float((answers & ~accepted).sum() + cost * (accepted & ~answers).sum())


def _cost_hint(chances: Values, answers: Truths, cost: float, paid: float, lowest: float) -> str:
    call = (
        f"Where a wrong answer costs {cost:g}, your threshold costs {paid:g}, another {lowest:g}."
    )
    if lowest == _cost(chances, answers, cost, REFUSING_ALL):
        return f"{call} It can be cheapest to refuse everything: try a threshold above 1 too."
    return f"{call} Try each probability as the threshold: it accepts those that are not below it."


@graded
def check_5(share: float) -> Verdict:
    """The percentage of the distance from random to right passages that the answer makes."""
    chances = {kind: _chances(readings()[kind]) for kind in KINDS}
    right_one, alike, random = (float(chances[kind][::4].mean()) for kind in KINDS)
    cut = _chances(read(without_answer()))
    lost, distance = right_one - float(cut.mean()), right_one - random
    expected = 100 * lost / distance
    if abs(share - expected) < 1:
        pairs = np.array(
            [chances["right"][::4] - cut, chances["right"][::4] - chances["random"][::4]]
        )
        drawn = np.random.default_rng(1).integers(len(cut), size=(2000, len(cut)))
        low, high = np.quantile(np.divide(*pairs[:, drawn].sum(axis=2)), [0.025, 0.975])
        return right(
            f"{expected:.0f} % [{100 * low:.0f}, {100 * high:.0f}]: the reader does look for the "
            f"answer. The rest it gives to the subject: without the sentence a right passage has "
            f"{cut.mean():.2f}, an alike one {alike:.2f}. The interval is wide: n = {len(cut)}."
        )
    whole = [float(chances[kind].mean()) for kind in ("right", "random")]
    return hint(
        (abs(share - expected / 100) < 0.01, "Almost: in percent."),
        (abs(share - (100 - expected)) < 1, "This is what is left without the sentence."),
        (
            abs(share - 100 * lost / right_one) < 1,
            "You divided by all that a right passage gets. A random one gets something, too: "
            "divide by the distance between the two.",
        ),
        (abs(share - 100 * lost) < 1, "These are points. How many are there from random to right?"),
        (
            abs(share - 100 * (whole[0] - cut.mean()) / (whole[0] - whole[1])) < 1,
            "Compare the same questions: every fourth, from the first one.",
        ),
        (
            abs(share - 100 * lost / (right_one - alike)) < 1,
            "This is the distance to an alike passage; the question is about random ones.",
        ),
        otherwise="The mean of the right passages less that without the sentence, divided by the "
        "mean of the right ones less that of the random ones; every fourth question.",
    )


def _chances(read_passages: Sequence[Reading]) -> Values:
    return np.exp([reading.passage_score for reading in read_passages])
