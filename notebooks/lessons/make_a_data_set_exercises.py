"""The exercises of lesson 10, graded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

from xorqa.lab.building.agreement import MAX_COPIED, answer_f1, copied_share
from xorqa.lab.building.check import check_rows
from xorqa.lab.building.qa import question_tasks
from xorqa.lab.building.read import Quote, Row
from xorqa.lab.building.units import Context, Unit
from xorqa.lab.mining.threshold import choose_threshold

from .grading import Verdict, graded, right, wrong
from .make_a_data_set_world import paragraphs

NEAR = 1e-6
LABELLED = (
    ([1.6, 1.5, 1.4, 1.3], [True, True, False, True], 0.9),
    ([1.6, 1.5, 1.4, 1.3, 1.2], [True, False, True, True, False], 0.75),
    ([1.2, 1.1, 1.1, 1.0], [True, True, False, False], 0.9),
)
ANSWERS = (
    ["Venice", "Venice", "in Venice"],
    ["5,895 metres", "5,895", "5,895 metres"],
    ["Denali", "Alaska", "North America"],
    ["1993", "1993"],
)
DOLLY = "Dolly"
"""What the sentence of exercise 2 begins with."""


@graded
def check_1(threshold: Callable[[list[float], list[bool], float], float]) -> Verdict:
    """The lowest score such that the labelled pairs not below it are precise enough."""
    for scores, labels, precision in LABELLED:
        returned = float(threshold([*scores], [*labels], precision))
        sample = {(str(number), ""): label for number, label in enumerate(labels)}
        by_pair = dict(zip(sample, scores, strict=True))
        expected, _ = choose_threshold(by_pair, sample, precision)
        if math.isclose(returned, expected, abs_tol=NEAR):
            continue
        shown = f"For {scores}, {labels} and {precision} it returns {returned:g}."
        if len(set(scores)) < len(scores):
            return wrong(f"{shown} Pairs of equal scores are kept or dropped together.")
        if returned > expected:
            return wrong(f"{shown} A lower score is precise enough, too: go through all of them.")
        return wrong(
            f"{shown} Of the pairs with at least this score, the share of right ones must be at "
            f"least {precision}."
        )
    return right(
        "Precision may fall and rise again, so every score has to be tried. `xorqa mine --sample` "
        "does this with pairs that you label."
    )


@graded
def check_2(answer: tuple[str, str]) -> Verdict:
    """A question about the sentence on Dolly, with its answer: accepted, and not copied."""
    question, text = answer
    unit = _unit(DOLLY)
    tasks = {task.id: task for task in question_tasks([unit], pivot="en")}
    [name] = tasks
    cells = {"id": name, "question": question, "answer": text}
    row = Row("yours.csv", "row 2", cells, (Quote(text),) if text else ())
    accepted, problems = check_rows([row], tasks)
    if not accepted:
        return wrong(f"Import leaves it out ({problems[-1].kind}): {problems[-1].detail}.")
    share = copied_share(question, unit.contexts["en"].sentence, "en")
    if share > MAX_COPIED:
        return wrong(
            f"{100 * share:.0f} % of the question's words are copied from the sentence, in its "
            "order: ask with other words."
        )
    return right(
        f"Import accepts it, and {100 * share:.0f} % of its words are copied. It sees form, not "
        'sense, and would accept "Why?" with the answer "was". Whether the question is a good one '
        "and the answer right, only another person can say: that is what the next round is for."
    )


def _unit(beginning: str) -> Unit:
    """A sentence of the bundled pool in its paragraph."""
    paragraph = next(p for p in paragraphs("en") if beginning in p["context"])
    sentences = zip(paragraph["sentences"], paragraph["sentence_breaks"], strict=True)
    start, end = next(place for text, place in sentences if text.startswith(beginning))
    return Unit("yours", {"en": Context("yours", "", paragraph["context"], start, end)})


@graded
def check_3(agreement: Callable[[list[str], Callable[[str, str], float]], float]) -> Verdict:
    """The mean F1 of all pairs of answers."""
    for answers in ANSWERS:
        returned = float(agreement([*answers], _f1))
        expected = _agreement(answers)
        if math.isclose(returned, expected, abs_tol=1e-4):
            continue
        shown = f"For {answers} it returns {returned:.3g}."
        if math.isclose(returned, 100 * expected, abs_tol=1e-2):
            return wrong(f"{shown} Almost: from 0 to 1, not in percent.")
        everyone = [_f1(answer, other) for answer in answers for other in answers]
        if math.isclose(returned, sum(everyone) / len(everyone), abs_tol=1e-4):
            return wrong(f"{shown} Nobody is compared with themselves.")
        with_first = [_f1(answers[0], other) for other in answers[1:]]
        if math.isclose(returned, sum(with_first) / len(with_first), abs_tol=1e-4):
            return wrong(f"{shown} The others are compared with each other, too.")
        return wrong(f"{shown} Take the mean of f1(one, other) over all pairs of annotators.")
    return right(
        "Three annotators make three pairs. If two agree fully and the third shares no word with "
        "them, it is 0.33, just above the 0.3 below which a question is left out."
    )


def _f1(answer: str, other: str) -> float:
    return answer_f1(answer, other, "en")


def _agreement(answers: Sequence[str]) -> float:
    pairs = [*combinations(answers, 2)]
    return sum(_f1(answer, other) for answer, other in pairs) / len(pairs)


@graded
def check_4(majority: Callable[[float], float]) -> Verdict:
    """The probability that at least two of three annotators are right."""
    for error in (0.0, 0.2, 0.5, 0.9):
        returned, correct = float(majority(error)), 1 - error
        expected = correct**3 + 3 * correct**2 * error
        if math.isclose(returned, expected, abs_tol=1e-4):
            continue
        shown = f"With errors in {100 * error:.0f} % it returns {returned:.3g}."
        if math.isclose(returned, 100 * expected, abs_tol=1e-2):
            return wrong(f"{shown} Almost: from 0 to 1, not in percent.")
        if math.isclose(returned, correct**3, abs_tol=1e-4):
            return wrong(f"{shown} This is the probability that all three are right.")
        if math.isclose(returned, correct**3 + correct**2 * error, abs_tol=1e-4):
            return wrong(f"{shown} Any of the three may be the one that errs.")
        return wrong(f"{shown} Add: all three are right, and exactly two of them are.")
    return right(
        "It is the share of questions that are kept and right: two who agree suffice. It holds if "
        "annotators err independently, which is not so where the question misleads all of them."
    )


@graded
def check_5(n: int) -> Verdict:
    """How many right answers in a row put the lower end of the interval above 90 %."""
    expected = next(n for n in range(1, 1000) if 0.9**n <= 0.025)
    if n == expected:
        return right(
            f"0.9 to the power of {expected} is {0.9**expected:.4f}. So many questions, and not "
            "one wrong answer: most test sets have thousands, and most readers err."
        )
    if n == next(n for n in range(1, 1000) if 0.9**n <= 0.05):
        return wrong("A 95 % interval has 2.5 % on each side.")
    if n <= 0:
        return wrong("Count questions.")
    return wrong(
        f"A reader that is right in 90 % of all cases answers {n} questions in a row with a "
        f"probability of {0.9 ** min(n, 1000):.2g}. The smallest n for which that is at most 0.025?"
    )
