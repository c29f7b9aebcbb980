"""Train the learned chooser on what runs over training questions left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...answering.choosing.features import FEATURES
from ...answering.choosing.learned import ChooserWeights, save_chooser
from ...core.errors import ConfigError, DataError, one_of
from ...core.lazy import expect
from ...experiments.saved_run import open_run
from .card import make_card
from .rows import FOLDS, Floats, Rows, gather

TRAINABLE = ("chooser-train",)
"""The data sets that may be trained on; all others are for evaluation."""


def train_chooser(folders: Sequence[Path], out: Path, *, trust: bool = False) -> ChooserWeights:
    """Fit, calibrate and write weights with their card to `out`; the same runs, the same file.

    A logistic regression on soft targets (how right an answer is), calibrated after Platt
    (1999): a line through the log odds that models without a question's fold give it.

    Raises:
        ConfigError: for a run over questions that are not for training, or without an end.
        DataError: if no answer is right, or all are, or there are fewer articles than folds.
    """
    runs = [open_run(folder, trust=trust) for folder in folders]
    for run in runs:
        if run.dataset.name not in TRAINABLE:
            raise ConfigError(
                f"{run.folder} is a run over {run.dataset.name}, which is for evaluation; "
                f"data sets to train a chooser on: {one_of(TRAINABLE)}"
            )
    rows = gather(runs)
    _check(rows)
    odds = np.zeros(len(rows.right))
    for fold in range(FOLDS):
        rest = rows.fold != fold
        weights, intercept = fit(rows.x[rest], rows.right[rest], rows.weight[rest])
        odds[~rest] = rows.x[~rest] @ weights + intercept
    [slope], shift = fit(odds[:, None], rows.right, rows.weight)
    weights, intercept = fit(rows.x, rows.right, rows.weight)
    card = make_card(runs, rows, odds, slope * odds + shift)
    found = ChooserWeights(
        FEATURES, tuple((slope * weights).tolist()), float(slope * intercept + shift), card
    )
    save_chooser(out, found)
    return found


def fit(x: Floats, right: Floats, weight: Floats) -> tuple[Floats, float]:
    """Weights and intercept of a logistic regression; a soft target is both, in its shares."""
    expect("sklearn", extra="train")
    from sklearn.linear_model import LogisticRegression

    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-9] = 1.0
    z = (x - mean) / scale
    model = LogisticRegression(max_iter=1000)
    model.fit(
        np.concatenate([z, z]),
        np.repeat([1, 0], len(x)),
        sample_weight=np.concatenate([weight * right, weight * (1 - right)]),
    )
    weights: Floats = model.coef_[0] / scale
    return weights, float(model.intercept_[0] - (weights * mean).sum())


def _check(rows: Rows) -> None:
    for fold in range(FOLDS):
        right = rows.right[rows.fold != fold]
        if not 0 < right.sum() < len(right) or len(right) == len(rows.right):
            raise DataError(
                "too few answers to train a chooser on: it takes questions with right and wrong "
                f"answers from many passages, in {FOLDS} parts; these are {len(rows.right)} answers"
            )
