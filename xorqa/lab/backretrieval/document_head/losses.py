"""The losses of a document head: Triplet and TripletXL (Fain et al. 2021, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def triplet(anchors: torch.Tensor, positives: torch.Tensor, margin: float) -> torch.Tensor:
    """Equation 1: a body, the anchor, is nearer to its own title than to that of another document.

    The other document is the next one of the batch, which is shuffled.

    Args:
        anchors, positives: unit vectors (documents, dimensions); as printed, of bodies and titles.
    """
    own = 1 - (anchors * positives).sum(dim=1)
    other = 1 - (anchors * positives.roll(1, dims=0)).sum(dim=1)
    return (own - other + margin).clamp(min=0).mean()


def neighbour_gap(
    anchors: torch.Tensor,
    titles: torch.Tensor,
    langs: Sequence[str],
    neighbours: int,
    *,
    per_language: bool = False,
) -> torch.Tensor:
    """The term that equation 2 adds: are the nearest titles of other languages as near as its own?

    For each anchor, the mean distances to its nearest titles in each other language of the batch,
    summed, minus that to its nearest in its own language: once, as printed, or with `per_language`
    once for each other language. Its own document is no neighbour. The mean over the anchors; one
    whose language has no other document in the batch counts 0.
    """
    import torch

    distances = 1 - anchors @ titles.T
    distances = distances + torch.diag(torch.full((len(titles),), torch.inf))  # not its own
    names = sorted(set(langs))
    members = torch.tensor([[lang == name for lang in langs] for name in names])
    means = [_nearest(distances[:, columns], neighbours) for columns in members]
    total = titles.new_zeros(())
    for number, rows in enumerate(members):
        if int(rows.sum()) < 2:  # no other title in its language
            continue
        others = [mean for other, mean in enumerate(means) if other != number]
        if others:
            own = (len(others) if per_language else 1) * means[number]
            total = total + (sum(others) - own)[rows].sum()
    return total / len(titles)


def _nearest(distances: torch.Tensor, neighbours: int) -> torch.Tensor:
    """The mean of the smallest finite distances of each row, 0 if there is none."""
    import torch

    nearest = distances.topk(min(neighbours, distances.shape[1]), largest=False).values
    finite = torch.isfinite(nearest)
    return torch.where(finite, nearest, 0).sum(dim=1) / finite.sum(dim=1).clamp(min=1)
