"""How vectors lie by language: two principal components, and a probe that guesses the language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

HELD_OUT = 3  # one article of so many tests the probe
STEPS = 200  # of L-BFGS at most


def principal_components(vectors: NDArray[Any], *, count: int = 2) -> NDArray[np.float64]:
    """The vectors (n, dimensions) on their directions of most variance: (n, count).

    Figure 5 of Roy et al. 2020 shows two languages so. Each direction's sign is such that its
    largest weight is positive; directions that the vectors do not have are zero.
    """
    centred = np.asarray(vectors, np.float64)
    centred = centred - centred.mean(axis=0, keepdims=True)
    _, directions = np.linalg.eigh(centred.T @ centred)
    best = directions[:, ::-1][:, :count]
    largest = np.take_along_axis(best, np.abs(best).argmax(axis=0)[None], axis=0)
    shown = np.zeros((len(centred), count))
    shown[:, : best.shape[1]] = centred @ (best * np.where(largest < 0, -1, 1))
    return shown


def probe_accuracy(
    vectors: NDArray[Any], langs: Sequence[str], articles: Sequence[int | str], *, seed: int = 0
) -> float | None:
    """How often a linear probe names the language of a vector it was not trained on, from 0 to 1.

    Multinomial logistic regression with an L2 penalty (the inverse strength C is 1 for vectors
    scaled to a variance of 1 a dimension on average). A third of the articles is held out, and
    with an article all its translations, so that the probe cannot learn the topics.

    Args:
        vectors: shape (n, dimensions).
        langs, articles: of each vector.
        seed: decides which articles are held out.

    Returns:
        None if there are fewer than two articles or two languages.
    """
    names, number = np.unique(np.asarray(langs), return_inverse=True)
    there, article = np.unique(np.asarray(articles), return_inverse=True)
    if len(there) < 2 or len(names) < 2:
        return None
    shuffled = np.random.default_rng(seed).permutation(len(there))
    held_out = np.isin(article, shuffled[: max(1, len(there) // HELD_OUT)])
    rows = np.asarray(vectors, np.float32)
    mean = rows[~held_out].mean(axis=0)
    scale = float((rows[~held_out] - mean).std()) or 1.0
    rows = (rows - mean) / scale
    weights, bias = _fit(rows[~held_out], number[~held_out], len(names))
    guessed = (rows[held_out] @ weights + bias).argmax(axis=1)
    return float((guessed == number[held_out]).mean())


def _fit(
    rows: NDArray[np.float32], targets: NDArray[np.intp], classes: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights (dimensions, classes) and bias of the regression, from zero: it is convex."""
    import torch
    from torch.nn.functional import cross_entropy

    inputs, wanted = torch.from_numpy(rows), torch.from_numpy(targets)
    weights = torch.zeros(rows.shape[1], classes, requires_grad=True)
    bias = torch.zeros(classes, requires_grad=True)
    search = torch.optim.LBFGS(
        [weights, bias], max_iter=STEPS, history_size=10, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        search.zero_grad()
        penalty = weights.square().sum() / (2 * len(rows))
        value = cross_entropy(inputs @ weights + bias, wanted) + penalty
        value.backward()  # type: ignore[no-untyped-call]
        return value

    search.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach().numpy(), bias.detach().numpy()
