"""What is learnt: to tell what belongs together from the rest of the batch."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def ranking_loss(
    queries: torch.Tensor,
    candidates: torch.Tensor,
    *,
    scale: torch.Tensor,
    margin: float = 0.0,
    masked: torch.Tensor | None = None,
) -> torch.Tensor:
    """In-batch sampled softmax: the mean over rows of -log P(candidate i | query i).

    `queries` is (n, dimensions); of `candidates` (n or more, dimensions) row i belongs to
    query i and every other is wrong for it, save where `masked` (n, candidates) is true.
    P is the softmax over `scale` times the inner products, from those of what belongs
    together `margin` is taken off first: Yang et al. 2019 (additive margin softmax), section
    3; Feng et al. 2022 (LaBSE), section 3.1; without a margin Karpukhin et al. 2020 (DPR),
    section 3.2.
    """
    import torch

    own = torch.arange(len(queries), device=queries.device)
    similarity = queries @ candidates.T
    similarity[own, own] -= margin
    logits = scale * similarity
    if masked is not None:
        logits = logits.masked_fill(masked, -torch.inf)
    return torch.nn.functional.cross_entropy(logits, own)


def question_loss(
    questions: torch.Tensor,
    answers: torch.Tensor,
    *,
    scale: torch.Tensor,
    margin: float = 0.0,
    masked: torch.Tensor,
    both_ways: bool = True,
) -> torch.Tensor:
    """The loss of questions (n, dimensions) for answers; also of answers for questions, if so told.

    Rows of `answers` beyond the n-th are hard negatives of the questions.
    """
    forth = ranking_loss(questions, answers, scale=scale, margin=margin, masked=masked)
    if not both_ways:
        return forth
    n = len(questions)
    back = ranking_loss(answers[:n], questions, scale=scale, margin=margin, masked=masked[:, :n].T)
    return (forth + back) / 2


def translation_loss(
    left: torch.Tensor,
    right: torch.Tensor,
    *,
    scale: torch.Tensor,
    margin: float = 0.0,
    masked: torch.Tensor,
) -> torch.Tensor:
    """Translation ranking: each sentence's translation against all other sentences.

    `left` and `right` are (n, dimensions) with translations in the same row. The others are
    those of both sides, so a sentence of its own language is no better than one of another.
    `masked` (2n, 2n) has rows in the order left, right and columns in the order right, left;
    it must cover each sentence's column for itself.
    """
    import torch

    anchors, others = torch.cat([left, right]), torch.cat([right, left])
    return ranking_loss(anchors, others, scale=scale, margin=margin, masked=masked)


def also_right(rows: Sequence[Collection[str]], columns: Sequence[str]) -> torch.Tensor:
    """(rows, columns): which candidates other than its own a row knows by name."""
    import torch

    return torch.tensor(
        [[name in known and at != row for at, name in enumerate(columns)]
         for row, known in enumerate(rows)]
    )  # fmt: skip


def also_translations(left: Sequence[str], right: Sequence[str]) -> torch.Tensor:
    """The mask of `translation_loss`: each sentence for itself, and its other translations."""
    known: dict[str, set[str]] = {}
    for a, b in zip(left, right, strict=True):
        for text in (a, b):
            known.setdefault(text, set()).update((a, b))
    return also_right([known[text] for text in (*left, *right)], [*right, *left])
