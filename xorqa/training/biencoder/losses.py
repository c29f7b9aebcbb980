"""What is learned: to tell what belongs together from the rest of the batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

Right = Mapping[str, Collection[str]]
"""Names of texts to those of the texts that belong to them."""


def ranking_loss(
    anchors: torch.Tensor,
    candidates: torch.Tensor,
    *,
    own: torch.Tensor,
    masked: torch.Tensor,
    scale: torch.Tensor,
    margin: float = 0.0,
) -> torch.Tensor:
    """In-batch sampled softmax: the mean over anchors of -log P(candidate own[i] | anchor i).

    `anchors` is (n, dimensions), `candidates` (m, dimensions); `own` (n) tells which candidate
    belongs to each anchor, and every other is wrong for it, save where `masked` (n, m) is true.
    P is the softmax over `scale` times the inner products, from those of what belongs
    together `margin` is taken off first: Yang et al. 2019 (additive margin softmax), section
    3; Feng et al. 2022 (LaBSE), section 3.1; without a margin Karpukhin et al. 2020 (DPR),
    section 3.2.
    """
    import torch

    similarity = anchors @ candidates.T
    similarity[torch.arange(len(own), device=own.device), own] -= margin
    logits = (scale * similarity).masked_fill(masked, -torch.inf)
    return torch.nn.functional.cross_entropy(logits, own)


def hidden(
    names: Sequence[str],
    places: Sequence[int],
    own: Sequence[int],
    among: Collection[int],
    right: Right,
) -> torch.Tensor:
    """(anchors, texts): what anchors are not ranked against, for `ranking_loss` over all texts.

    That is what is not `among` their candidates, themselves, and what is as right as their own.
    `names` has a name a text, `places` are those of the anchors among the texts, `own` those of
    what belongs to them, and `right` has for each name what else belongs to it.
    """
    import torch

    def is_hidden(at: int, name: str, anchor: str) -> bool:
        return at not in among or name == anchor or name in right[anchor]

    return torch.tensor(
        [
            [at != target and is_hidden(at, name, names[place]) for at, name in enumerate(names)]
            for place, target in zip(places, own, strict=True)
        ]
    )


def known_right(pairs: Iterable[tuple[str, str]]) -> Right:
    """Of names that belong together a look-up, both ways."""
    right: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in pairs:
        right[one].add(other)
        right[other].add(one)
    return right
