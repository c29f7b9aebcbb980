"""Train the learned chooser on the saved answers of runs over training questions."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ....answering.choosing.features import FEATURES
from ....answering.choosing.learned import ChooserWeights, save_chooser
from ....core.errors import ConfigError, DataError, one_of
from ....core.named import expect
from ....datasets.catalog import CATALOG
from ....experiments.run_folder import RunFolder
from ...common.saved_run import open_run
from .card import make_card
from .rows import FOLDS, AnswerRows, Floats, collect_rows

TRAINABLE = ("chooser-train",)
"""Data sets of the catalogue that may be trained on; the others are for evaluation only."""


def train_chooser(folders: Sequence[Path], out: Path, *, trust: bool = False) -> ChooserWeights:
    """Fit, calibrate and write weights with their card to `out`, deterministically.

    A logistic regression on soft targets (an answer's F1), calibrated as by Platt (1999): a linear
    function of the log odds of models that were trained without the question's fold.

    Raises:
        ConfigError: for an unfinished run, or one over questions of the catalogue that are for
            evaluation.
        DataError: if no answer is right, or all are, or there are fewer articles than folds.
    """
    runs = [open_run(folder, trust=trust) for folder in folders]
    for run in runs:
        listed = run.dataset.name in CATALOG and not RunFolder(run.folder).keeps_data
        if listed and run.dataset.name not in TRAINABLE:
            raise ConfigError(
                f"{run.folder} is a run over {run.dataset.name}, which is for evaluation; "
                f"data sets to train a chooser on: {one_of(TRAINABLE)}, or your own"
            )
    rows = collect_rows(runs)
    _check(rows)
    odds = np.zeros(len(rows.target))
    for fold in range(FOLDS):
        rest = rows.fold != fold
        weights, intercept = fit(rows.x[rest], rows.target[rest], rows.weight[rest])
        odds[~rest] = rows.x[~rest] @ weights + intercept
    [slope], shift = fit(odds[:, None], rows.target, rows.weight)
    weights, intercept = fit(rows.x, rows.target, rows.weight)
    card = make_card(runs, rows, odds, slope * odds + shift)
    chooser = ChooserWeights(
        FEATURES, tuple((slope * weights).tolist()), float(slope * intercept + shift), card
    )
    save_chooser(out, chooser)
    return chooser


def fit(x: Floats, target: Floats, weight: Floats) -> tuple[Floats, float]:
    """Weights and intercept of a logistic regression; a soft target counts for both classes."""
    expect("sklearn", extra="train")
    from sklearn.linear_model import LogisticRegression

    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale < 1e-9] = 1.0
    z = (x - mean) / scale
    model = LogisticRegression(max_iter=1000)
    model.fit(
        np.concatenate([z, z]),
        np.repeat([1, 0], len(x)),
        sample_weight=np.concatenate([weight * target, weight * (1 - target)]),
    )
    weights: Floats = model.coef_[0] / scale
    return weights, float(model.intercept_[0] - (weights * mean).sum())


def _check(rows: AnswerRows) -> None:
    for fold in range(FOLDS):
        targets = rows.target[rows.fold != fold]
        if not 0 < targets.sum() < len(targets) or len(targets) == len(rows.target):
            raise DataError(
                f"too few answers to train a chooser on: {len(rows.target)} answers do not fill "
                f"{FOLDS} folds by passage with right and wrong ones; add runs"
            )
