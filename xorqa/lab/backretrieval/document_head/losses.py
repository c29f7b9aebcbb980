"""The losses of a document head: Triplet and TripletXL (Fain et al. 2021, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def triplet(titles: torch.Tensor, bodies: torch.Tensor, margin: float) -> torch.Tensor:
    """Equation 1: a title is nearer to its own body than to that of another document.

    The other document is the next one of the batch, which is shuffled.

    Args:
        titles, bodies: unit vectors (documents, dimensions).
    """
    own = 1 - (titles * bodies).sum(dim=1)
    other = 1 - (titles * bodies.roll(1, dims=0)).sum(dim=1)
    return (own - other + margin).clamp(min=0).mean()


def neighbour_gap(titles: torch.Tensor, langs: Sequence[str], neighbours: int) -> torch.Tensor:
    """The term that equation 2 adds: are the nearest titles of other languages as near as its own?

    For each title, the mean distance to its nearest titles in another language minus that to its
    nearest in its own, summed over the other languages of the batch; the mean over the titles.
    """
    import torch

    distances = 1 - titles @ titles.T
    distances = distances + torch.diag(torch.full((len(titles),), torch.inf))  # not itself
    names = sorted(set(langs))
    members = torch.tensor([[lang == name for lang in langs] for name in names])
    means = [_nearest(distances[:, columns], neighbours) for columns in members]
    total = titles.new_zeros(())
    for number, rows in enumerate(members):
        if int(rows.sum()) < 2:  # no other title in its language
            continue
        others = [mean for other, mean in enumerate(means) if other != number]
        total = total + sum(
            ((mean - means[number])[rows].sum() for mean in others), total.new_zeros(())
        )
    return total / len(titles)


def _nearest(distances: torch.Tensor, neighbours: int) -> torch.Tensor:
    """The mean of the smallest finite distances of each row, 0 if there is none."""
    import torch

    nearest = distances.topk(min(neighbours, distances.shape[1]), largest=False).values
    finite = torch.isfinite(nearest)
    return torch.where(finite, nearest, 0).sum(dim=1) / finite.sum(dim=1).clamp(min=1)
