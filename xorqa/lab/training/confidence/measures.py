"""What a confidence model is worth: its calibration error, refusals, and the right answers lost."""

from typing import Any

import numpy as np

from ..chooser.card import calibration_error, reliability
from ..chooser.rows import Floats
from .rows import ConfidenceRows, Mask

MEASURES = (
    "questions",  # with and without an answer in the corpus
    "right",  # share of the answerable questions that are answered rightly, at any confidence
    "error",  # expected calibration error
    "answered",  # share of the unanswerable questions that are answered
    "kept",  # share of the right answers that are answered
)
WHOLE = "all passages"


def measure(
    rows: ConfidenceRows, p: Floats, threshold: float, measured: Mask
) -> dict[str, dict[str, float | None]]:
    """`MEASURES` of the chosen answers of the rows `measured`: for all, by group and by size."""
    groups = np.array([case.group for case in rows.cases])[rows.case]
    sizes = np.array([case.size for case in rows.cases])[rows.case]
    parts = {"all": np.ones(len(rows.case), dtype=bool)}
    parts |= {str(group): groups == group for group in np.unique(groups)}
    parts |= {f"{size} passages" if size else WHOLE: sizes == size for size in np.unique(sizes)}
    chosen = rows.chosen & measured
    return {
        name: _measure(rows, p, threshold, part & chosen)
        for name, part in parts.items()
        if (part & chosen).any()
    }


def _measure(
    rows: ConfidenceRows, p: Floats, threshold: float, part: Mask
) -> dict[str, float | None]:
    answerable = part & rows.answerable
    right = answerable & (rows.right > 0)
    values = (
        float(part.sum()),
        _mean(rows.right[answerable]),
        calibration_error(p[part], rows.right[part], np.ones(int(part.sum()))),
        _mean(p[part & ~rows.answerable] >= threshold),
        _mean(p[right] >= threshold),
    )
    return dict(zip(MEASURES, values, strict=True))


def reliability_table(rows: ConfidenceRows, p: Floats, measured: Mask) -> list[dict[str, float]]:
    """The bins of the calibration error of the chosen answers."""
    part = rows.chosen & measured
    return reliability(p[part], rows.right[part], np.ones(int(part.sum())))


def others_error(rows: ConfidenceRows, p: Floats, measured: Mask) -> float:
    """The expected calibration error of the answers that were not chosen."""
    part = ~rows.chosen & measured
    return calibration_error(p[part], rows.right[part], np.ones(int(part.sum())))


def _mean(values: Any) -> float | None:
    return float(np.mean(values)) if len(values) else None
