"""In-batch contrastive learning: rank each match above the rest of the batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

Positives = Mapping[str, Collection[str]]
"""Names of texts to the names of all texts that match them."""


def ranking_loss(
    anchors: torch.Tensor,
    candidates: torch.Tensor,
    *,
    targets: torch.Tensor,
    masked: torch.Tensor,
    scale: torch.Tensor,
    margin: float = 0.0,
    exclude_positive: bool = False,
) -> torch.Tensor:
    """In-batch sampled softmax: the mean over anchors of -log P(candidate targets[i] | anchor i).

    `anchors` is (n, dimensions), `candidates` (m, dimensions); `targets` (n) has the position of
    each anchor's match, and every other candidate is a negative unless `masked` (n, m) is true.
    P is the softmax over `scale` times the inner products; `margin` is subtracted from those of
    the matches first: Yang et al. 2019 and Feng et al. 2022 (LaBSE), additive margin softmax;
    without a margin Karpukhin et al. 2020 (DPR), section 3.2. With `exclude_positive` the
    denominator leaves out the match itself, as Roy et al. 2020 print it (Equation 2); the loss
    can then be negative.
    """
    import torch

    similarity = anchors @ candidates.T
    similarity[torch.arange(len(targets), device=targets.device), targets] -= margin
    logits = (scale * similarity).masked_fill(masked, -torch.inf)
    if not exclude_positive:
        return torch.nn.functional.cross_entropy(logits, targets)
    matches = targets[:, None]
    others = logits.scatter(1, matches, -torch.inf).logsumexp(dim=1)
    return (others - logits.gather(1, matches).squeeze(1)).mean()


def candidate_mask(
    names: Sequence[str],
    anchors: Sequence[int],
    targets: Sequence[int],
    candidates: Collection[int],
    positives: Positives,
) -> torch.Tensor:
    """A mask (anchors, texts): true for the texts that `ranking_loss` must ignore.

    These are the texts that are not `candidates`, the anchor itself, and its other positives.
    `names` has a name per text; `anchors` and `targets` are positions of texts.
    """
    import torch

    def ignored(position: int, name: str, anchor: str) -> bool:
        return position not in candidates or name == anchor or name in positives[anchor]

    return torch.tensor(
        [
            [
                position != target and ignored(position, name, names[anchor])
                for position, name in enumerate(names)
            ]
            for anchor, target in zip(anchors, targets, strict=True)
        ]
    )


def positives_of(pairs: Iterable[tuple[str, str]]) -> Positives:
    """A table of the names that match each name, in both directions."""
    positives: defaultdict[str, set[str]] = defaultdict(set)
    for name, other in pairs:
        positives[name].add(other)
        positives[other].add(name)
    return positives
