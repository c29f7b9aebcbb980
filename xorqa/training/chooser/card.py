"""What a chooser's card says: the data, how well it chooses and how far it is to be believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from ...answering.choosing.rule import Preference, RuleChooser
from ...experiments.saved_run import SavedRun
from ...io.files import sha256
from .rows import Floats, Rows

BINS = 10


def make_card(
    runs: Sequence[SavedRun], rows: Rows, odds: Floats, calibrated: Floats
) -> dict[str, Any]:
    """All of it as plain values. `odds` and `calibrated` are log odds from the other folds.

    The calibration's error is before and after Platt's line; choices are in percent of F1.
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
        "answers": len(rows.right),
        "calibration": {
            "error_before": calibration_error(_probability(odds), rows.right, rows.weight),
            "error_after": calibration_error(p, rows.right, rows.weight),
            "reliability": reliability(p, rows.right, rows.weight),
        },
        "choices": _choices(rows, calibrated),
    }


def reliability(p: Floats, right: Floats, weight: Floats) -> list[dict[str, float]]:
    """Bins of equal width: answers, and the weighted means of probability and of being right."""
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    rows = []
    for at in range(BINS):
        some = bins == at
        if some.any():
            means = (float(np.average(v[some], weights=weight[some])) for v in (p, right))
            share = float(weight[some].sum() / weight.sum())
            rows.append(
                dict(
                    zip(
                        ("answers", "share", "p", "right"),
                        (int(some.sum()), share, *means),
                        strict=True,
                    )
                )
            )
    return rows


def calibration_error(p: Floats, right: Floats, weight: Floats) -> float:
    """Expected calibration error (Guo et al. 2017, section 2): the mean gap of the bins."""
    return sum(row["share"] * abs(row["p"] - row["right"]) for row in reliability(p, right, weight))


def _counts(rows: Rows) -> dict[str, dict[str, int]]:
    """Questions by part of the data and language."""
    found: dict[str, Counter[str]] = {}
    for example in rows.examples:
        found.setdefault(example.answered_in or "", Counter())[example.question.lang] += 1
    return {split: dict(sorted(counts.items())) for split, counts in sorted(found.items())}


def _choices(rows: Rows, odds: Floats) -> dict[str, dict[str, float]]:
    """Mean F1 of what each way to choose takes, by part of the data; of questions with answers."""
    right: dict[str, dict[str, list[float]]] = {}
    for at in np.unique(rows.asked):
        places = np.flatnonzero(rows.asked == at).tolist()
        example, answers = rows.examples[at], [rows.answers[place] for place in places]
        taken = {"learned": max(places, key=lambda place: odds[place])}
        for prefer in get_args(Preference):
            [one] = RuleChooser(prefer=prefer).choose([example.question], [answers])
            taken[prefer] = places[answers.index(one)]
        taken["best there is"] = max(places, key=lambda place: rows.right[place])
        for name, place in taken.items():
            values = right.setdefault(example.answered_in or "", {}).setdefault(name, [])
            values.append(float(rows.right[place]))
    return {
        split: {name: 100 * float(np.mean(values)) for name, values in ways.items()}
        for split, ways in sorted(right.items())
    }


def _probability(odds: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-odds))
    return found
