"""The exercises of lesson 3a: each check computes the right answer and explains it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from xorqa.metrics.tasks import squad

from .grading import Verdict, graded, right, wrong
from .reading_spans_scores import same_language, score

Offsets = Sequence[tuple[int, int]]

CASES = {
    "a": ("ja", "「蒼氓」", "蒼氓"),
    "b": ("ja", "2010年6月13日に", "2010年6月13日"),
    "c": ("ru", "«Чайка»", "Чайка"),
    "d": ("de", "der Rhein", "Rhein"),
    "e": ("en", "the Louvre", "Louvre"),
    "f": ("fi", "Helsingissä", "Helsinki"),
}
"""Language, prediction and gold answer of exercise 4."""
HIDDEN_TEXTS: tuple[tuple[str, Offsets], ...] = (
    (
        "Ol Doinyo Lengai, a volcano",
        ((0, 2), (3, 6), (6, 9), (10, 14), (14, 16), (16, 17), (18, 19), (20, 27)),
    ),
    ("東京都で生まれた。", ((0, 2), (2, 3), (3, 4), (4, 7), (7, 8), (8, 9))),
    ("ﬁn de siècle", ((0, 2), (3, 5), (6, 12))),
    ("on 13 March 1781", ((0, 2), (2, 5), (5, 11), (11, 14), (14, 16))),
)
HIDDEN_ANSWERS = (
    ("the French Prime Minister", ("Prime Minister of France",)),
    ("in 1781", ("13 March 1781", "1780")),
    ("Paavo Nurmi", ("Paavo Nurmi",)),
)


@graded
def check_1(text_of: Callable[[str, Offsets, int, int], str]) -> Verdict:
    """Whether a function returns the text of a range of tokens."""
    for text, offsets in HIDDEN_TEXTS:
        for first, last in combinations_with_replacement(range(len(offsets)), 2):
            expected = text[offsets[first][0] : offsets[last][1]]
            answer = text_of(text, offsets, first, last)
            if answer != expected:
                return wrong(_token_hint(text, offsets[first : last + 1], answer))
    return right(
        "From the first character of the first token to the last character of the last token. "
        "Spaces between tokens and letters that the tokenizer normalises come from the passage."
    )


def _token_hint(text: str, offsets: Offsets, answer: str) -> str:
    """The hint for a wrong text of the tokens at `offsets`."""
    parts = [text[start:end] for start, end in offsets]
    if answer == text[offsets[0][0] : offsets[-1][0]] or answer == "".join(parts[:-1]):
        return f"In “{text}” the last token is missing: it belongs to the answer, with its end."
    if answer == text[offsets[0][0] : offsets[-1][1]].strip():
        return f"In “{text}” the first token begins with a space, which is part of the text."
    if answer in ("".join(parts), " ".join(parts)):
        return f"In “{text}” joined pieces differ from the passage: take one slice of the text."
    return f"In “{text}” your function returns {answer!r} for tokens made from {parts}."


@graded
def check_2(covered: Callable[..., float]) -> Verdict:
    """The probability that a token is in the answer, over all spans of at most `longest`."""
    draw = np.random.default_rng(4).normal
    start, end = draw(size=6), draw(size=6)
    for at, longest in ((2, 30), (0, 30), (5, 30), (2, 2), (3, 1)):
        given = float(covered(start.copy(), end.copy(), at, longest))
        expected = _covered(start, end, at, longest)
        if abs(given - expected) < 1e-6:
            continue
        called = f"For token {at} of 6 with longest = {longest}"
        if given > 1 + 1e-9:
            return wrong(f"{called} you give {given:.2f}: divide by the sum over all spans.")
        if abs(given - _covered(start, end, at, longest, backwards=True)) < 1e-6:
            return wrong(f"{called} you count spans that end before they start.")
        if longest < 30 and abs(given - _covered(start, end, at, 30)) < 1e-6:
            return wrong(f"{called} you count spans that are longer than that.")
        if abs(given - _covered(start, end, at, longest + 1)) < 1e-6:
            return wrong(f"{called} you count spans of {longest + 1} tokens.")
        return wrong(
            f"{called} it is {expected:.3f}, and yours is {given:.3f}. Which spans have the token, "
            "besides those that start or end at it?"
        )
    return right(
        "Spans that overlap add up. So a token may be in the answer for sure while no single span "
        "is likely, and the decoder counts on just that: overlapping spans support each other."
    )


def _covered(start: Any, end: Any, at: int, longest: int, *, backwards: bool = False) -> float:
    """The library's answer to exercise 2; with `backwards` also over spans that end too early."""
    first, last = np.indices((len(start), len(end)))
    weights = np.exp(start[:, None] + end[None]) * (last - first < longest)
    weights = weights * (backwards | (first <= last))
    return float(weights[(first <= at) & (at <= last)].sum() / weights.sum())


@graded
def check_3(best_f1: Callable[[str, list[str]], float]) -> Verdict:
    """Whether a function computes SQuAD's F1 over several gold answers."""
    probes = {
        ("Oslo", ("Bergen",)): "Without a shared word F1 is 0.",
        ("The Seagull!", ("the seagull",)): "Normalise both answers: case, “the” and “!”.",
        ("Prime Minister", ("Prime Minister of France",)): "Precision divides by the words of the "
        "prediction, recall by those of the gold answer; F1 is their harmonic mean.",
        ("New York New York", ("New York",)): "“New York New York” has each word twice, and shares "
        "each of them once: a set forgets how often a word occurs.",
        ("New York, New York", ("New York, New York",)): "A word that occurs twice in both answers "
        "is shared twice: a set forgets how often a word occurs.",
        ("Lake Baikal", ("Baikal", "Lake Baikal")): "The best gold answer counts, not the first.",
        ("Baikal", ("Baikal", "Lake Baikal")): "The best one counts: not the mean, not the last.",
        ("Kemi River", ("the Kemi", "a river")): "Compare with one gold answer at a time.",
    }
    probes |= dict.fromkeys(HIDDEN_ANSWERS, "F1 is 2 · precision · recall / (precision + recall).")
    for (prediction, golds), hint in probes.items():
        answer = float(best_f1(prediction, list(golds)))
        expected = max(squad.f1(prediction, gold) for gold in golds)
        if abs(answer - expected) > 1e-6:
            return wrong(f"best_f1({prediction!r}, {list(golds)}) is {answer:.3f}. {hint}")
    return right(
        "It agrees with the library. The harmonic mean is nearer to the smaller of the two, so a "
        "long prediction that contains the answer does not score well; more gold answers can only "
        "raise a score, so data sets with one and with five do not compare."
    )


@graded
def check_4(letters: Collection[str]) -> Verdict:
    """Whether letters are the cases that MLQA's scorer accepts and SQuAD's does not."""
    answer = set(letters)
    if unknown := answer - CASES.keys():
        return wrong(f"There is no case {', '.join(sorted(unknown))}; valid: {', '.join(CASES)}.")
    exact = {
        scorer: {letter for letter, case in CASES.items() if score(scorer, *case)[1]}
        for scorer in ("squad", "mlqa")
    }
    if both := answer & exact["squad"]:
        return wrong(f"SQuAD's scorer accepts {', '.join(sorted(both))} too.")
    if neither := answer - exact["mlqa"]:
        return wrong(
            f"MLQA's scorer refuses {', '.join(sorted(neither))}: particles and case endings are "
            "neither punctuation nor articles."
        )
    if answer != exact["mlqa"] - exact["squad"]:
        return wrong("One is missing: whose quotation marks and articles does SQuAD's script know?")
    return right(
        "SQuAD's script knows ASCII punctuation and English articles only. A particle and a "
        "case ending stay wrong with both. For the particle a scorer that splits Japanese into "
        "words gives a part (F1); the case ending needs the stem of the word (lesson 2a), which no "
        "scorer here has."
    )


@graded
def check_5(answer: tuple[int, int]) -> Verdict:
    """Whether two numbers count the Japanese predictions with an F1 between 0 and 1."""
    by_squad, by_strict = answer
    expected, exact = [], []
    for scorer in ("squad", "strict"):
        f1s = _japanese_f1s(scorer)
        expected.append(sum(0 < f1 < 1 for f1 in f1s))
        exact.append(sum(f1 == 1 for f1 in f1s))
    if [by_squad, by_strict] == expected:
        return right(
            f"With SQuAD's scorer all {len(f1s)} are 0 or 1. The strict one gives a part to "
            f"{by_strict}: to answers with a particle or a title too much, but also "
            "to 23.3km, the part of a tunnel under the sea, where its whole length is asked "
            "(53.85km)."
        )
    if [by_squad, by_strict] == expected[::-1]:
        return wrong("These are the right numbers in the wrong order: SQuAD's first.")
    if by_squad > expected[0]:
        return wrong(
            "For SQuAD's scorer a Japanese answer is one word. Count F1 above 0 and below 1 only."
        )
    if by_strict in (exact[1], expected[1] + exact[1]):
        return wrong("Leave out the predictions with F1 = 1: they are exact.")
    return wrong("Take the best F1 over all gold answers of a question, then count.")


def _japanese_f1s(scorer: str) -> list[float]:
    """F1 of each Japanese prediction, the best over its gold answers."""
    references, predictions = same_language()
    return [
        max(score(scorer, "ja", predictions[row.qid], gold)[0] for gold in row.answers)
        for row in references
        if row.lang == "ja"
    ]
