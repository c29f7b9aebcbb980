"""Vectors by language: two principal components, and a linear probe for the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HELD_OUT = 3  # one article in 3 is test data
MAX_STEPS = 200  # of L-BFGS


def principal_components(vectors: NDArray[Any], *, count: int = 2) -> NDArray[np.float64]:
    """Project vectors (n, dimensions) onto their principal components: (n, count).

    As in the plots of Roy et al. 2020. The largest weight of each component is positive; components
    beyond the vectors' dimensions are zero.
    """
    centred = np.asarray(vectors, np.float64)
    centred = centred - centred.mean(axis=0, keepdims=True)
    _, directions = np.linalg.eigh(centred.T @ centred)
    best = directions[:, ::-1][:, :count]
    largest = np.take_along_axis(best, np.abs(best).argmax(axis=0)[None], axis=0)
    projected = np.zeros((len(centred), count))
    projected[:, : best.shape[1]] = centred @ (best * np.where(largest < 0, -1, 1))
    return projected


def probe_accuracy(
    vectors: NDArray[Any], langs: Sequence[str], articles: Sequence[int | str], *, seed: int = 0
) -> float | None:
    """Accuracy (0 to 1) of a linear probe that predicts the language of held-out vectors.

    Multinomial logistic regression with an L2 penalty (the inverse strength C is 1 for vectors
    scaled to an average variance of 1 per dimension). A third of the articles is held out with
    all their translations, so that the probe cannot learn the topics.

    Args:
        vectors: shape (n, dimensions).
        langs, articles: the language and article of each vector.
        seed: selects the articles to hold out.

    Returns:
        None if there are fewer than two articles or two languages.
    """
    lang_names, lang = np.unique(np.asarray(langs), return_inverse=True)
    article_names, article = np.unique(np.asarray(articles), return_inverse=True)
    if len(article_names) < 2 or len(lang_names) < 2:
        return None
    shuffled = np.random.default_rng(seed).permutation(len(article_names))
    held_out = np.isin(article, shuffled[: max(1, len(article_names) // HELD_OUT)])
    rows = np.asarray(vectors, np.float32)
    mean = rows[~held_out].mean(axis=0)
    scale = float((rows[~held_out] - mean).std()) or 1.0
    rows = (rows - mean) / scale
    weights, bias = _fit(rows[~held_out], lang[~held_out], len(lang_names))
    predicted = (rows[held_out] @ weights + bias).argmax(axis=1)
    return float((predicted == lang[held_out]).mean())


def _fit(
    rows: NDArray[np.float32], targets: NDArray[np.intp], classes: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Fit weights (dimensions, classes) and bias; the problem is convex, so start from zero."""
    import torch
    from torch.nn.functional import cross_entropy

    inputs, labels = torch.from_numpy(rows), torch.from_numpy(targets)
    weights = torch.zeros(rows.shape[1], classes, requires_grad=True)
    bias = torch.zeros(classes, requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [weights, bias], max_iter=MAX_STEPS, history_size=10, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        penalty = weights.square().sum() / (2 * len(rows))
        value = cross_entropy(inputs @ weights + bias, labels) + penalty
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach().numpy(), bias.detach().numpy()
