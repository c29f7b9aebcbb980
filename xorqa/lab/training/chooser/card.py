"""A chooser's card: its data, the F1 of its choices, and its calibration."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from ....answering.choosing.rule import Preference, RuleChooser
from ....io.files import sha256
from ...common.saved_run import SavedRun
from .rows import AnswerRows, Floats

BINS = 10


def make_card(
    runs: Sequence[SavedRun], rows: AnswerRows, odds: Floats, calibrated: Floats
) -> dict[str, Any]:
    """The card as plain values. `odds` and `calibrated` are log odds from the other folds.

    The calibration error is given before and after Platt scaling; choices are F1 in percent.
    """
    p = _probability(calibrated)
    return {
        "runs": [
            {
                "name": run.settings.name,
                "dataset": run.dataset.name,
                "manifest": sha256(run.folder / "manifest.json")[:16],
            }
            for run in runs
        ],
        "questions": _counts(rows),
        "answers": len(rows.target),
        "calibration": {
            "error_before": calibration_error(_probability(odds), rows.target, rows.weight),
            "error_after": calibration_error(p, rows.target, rows.weight),
            "reliability": reliability(p, rows.target, rows.weight),
        },
        "choices": _choices(rows, calibrated),
    }


def reliability(p: Floats, target: Floats, weight: Floats) -> list[dict[str, float]]:
    """Bins of equal width: answers, share, and the weighted means of probability and target."""
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    rows = []
    for number in range(BINS):
        inside = bins == number
        if inside.any():
            means = (float(np.average(v[inside], weights=weight[inside])) for v in (p, target))
            share = float(weight[inside].sum() / weight.sum())
            values = int(inside.sum()), share, *means
            rows.append(dict(zip(("answers", "share", "p", "right"), values, strict=True)))
    return rows


def calibration_error(p: Floats, target: Floats, weight: Floats) -> float:
    """Expected calibration error (Guo et al. 2017, section 2): the mean gap of the bins."""
    bins = reliability(p, target, weight)
    return sum(row["share"] * abs(row["p"] - row["right"]) for row in bins)


def _counts(rows: AnswerRows) -> dict[str, dict[str, int]]:
    """Questions by `answered_in` and language."""
    counts: dict[str, Counter[str]] = {}
    for example in rows.examples:
        counts.setdefault(example.answered_in or "", Counter())[example.question.lang] += 1
    return {part: dict(sorted(langs.items())) for part, langs in sorted(counts.items())}


def _choices(rows: AnswerRows, odds: Floats) -> dict[str, dict[str, float]]:
    """Mean F1 of each way to choose, by `answered_in`, over questions with answers."""
    scores: dict[str, dict[str, list[float]]] = {}
    for number in np.unique(rows.question):
        candidates = np.flatnonzero(rows.question == number).tolist()
        example, answers = rows.examples[number], [rows.answers[row] for row in candidates]
        chosen = {"learned": max(candidates, key=lambda row: odds[row])}
        for prefer in get_args(Preference):
            [answer] = RuleChooser(prefer=prefer).choose([example.question], [answers])
            chosen[prefer] = candidates[answers.index(answer)]
        chosen["oracle"] = max(candidates, key=lambda row: rows.target[row])
        for name, row in chosen.items():
            values = scores.setdefault(example.answered_in or "", {}).setdefault(name, [])
            values.append(float(rows.target[row]))
    return {
        part: {name: 100 * float(np.mean(values)) for name, values in ways.items()}
        for part, ways in sorted(scores.items())
    }


def _probability(odds: Floats) -> Floats:
    p: Floats = 1 / (1 + np.exp(-odds))
    return p
