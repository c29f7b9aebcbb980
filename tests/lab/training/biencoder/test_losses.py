import math
from collections.abc import Sequence

import pytest
import torch

from xorqa.lab.training.biencoder.losses import candidate_mask, positives_of, ranking_loss

SCALE = torch.tensor(5.0)
NOTHING = torch.zeros(7, 7, dtype=torch.bool)


def vectors(rows: int, seed: int) -> torch.Tensor:
    values = torch.randn(rows, 6, generator=torch.Generator().manual_seed(seed))
    return torch.nn.functional.normalize(values, dim=-1)


def by_hand(
    anchor: torch.Tensor, right: torch.Tensor, wrong: Sequence[torch.Tensor], margin: float
) -> float:
    """-log P(right | anchor) among right and wrong."""
    own = math.exp(float(SCALE) * (float(anchor @ right) - margin))
    return -math.log(own / (own + sum(math.exp(float(SCALE * (anchor @ x))) for x in wrong)))


@pytest.mark.parametrize("margin", [0.0, 0.3])
def test_sampled_softmax_with_hard_negatives_by_hand(margin: float) -> None:
    questions, answers = vectors(4, 1), vectors(7, 2)
    wanted = [
        by_hand(questions[i], answers[i], [answers[j] for j in range(7) if j != i], margin)
        for i in range(4)
    ]
    found = ranking_loss(
        questions,
        answers,
        targets=torch.arange(4),
        masked=NOTHING[:4, :7],
        scale=SCALE,
        margin=margin,
    )
    assert float(found) == pytest.approx(sum(wanted) / 4, rel=1e-5)


def test_the_match_may_be_left_out_of_the_denominator_as_lareqa_prints_it() -> None:
    questions, answers = vectors(4, 1), vectors(7, 2)
    similarity = (SCALE * questions @ answers.T).tolist()
    printed = [
        row[i] - math.log(sum(math.exp(value) for j, value in enumerate(row) if j != i))
        for i, row in enumerate(similarity)
    ]
    loss = ranking_loss(
        questions,
        answers,
        targets=torch.arange(4),
        masked=NOTHING[:4, :7],
        scale=SCALE,
        exclude_positive=True,
    )
    assert float(loss) == pytest.approx(-sum(printed) / 4, rel=1e-5)


def test_what_is_masked_counts_for_nothing() -> None:
    questions, answers = vectors(3, 1), vectors(4, 2)
    own = [2, 0, 1]
    masked = torch.zeros(3, 4, dtype=torch.bool)
    masked[0, 1] = masked[1, 3] = True
    wanted = [
        by_hand(
            questions[i],
            answers[own[i]],
            [answers[j] for j in range(4) if j != own[i] and not masked[i, j]],
            0.0,
        )
        for i in range(3)
    ]
    found = ranking_loss(questions, answers, targets=torch.tensor(own), masked=masked, scale=SCALE)
    assert float(found) == pytest.approx(sum(wanted) / 3, rel=1e-5)


def test_an_anchor_is_not_ranked_against_itself_its_equals_and_what_is_right_too() -> None:
    names = ["who?", "what?", "she", "that", "she", "elle", "nobody"]
    right = positives_of([("who?", "she"), ("who?", "elle"), ("what?", "that")])
    masked = candidate_mask(names, [0, 1, 2], [2, 3, 0], range(7), right)
    seen = [
        [name for name, dark in zip(names, row, strict=True) if not dark] for row in masked.tolist()
    ]
    assert seen == [
        ["what?", "she", "that", "nobody"],
        ["who?", "she", "that", "she", "elle", "nobody"],
        ["who?", "what?", "that", "elle", "nobody"],
    ]


def test_an_anchor_is_ranked_among_its_candidates_only() -> None:
    names = ["who?", "what?", "she", "that", "nobody"]
    masked = candidate_mask(names, [0, 1], [2, 3], [2, 3, 4], positives_of([]))
    assert masked.tolist() == [[True, True, False, False, False]] * 2


def test_the_scale_is_learnt() -> None:
    log_scale = torch.nn.Parameter(torch.tensor(1.0))
    questions = vectors(4, 1).requires_grad_()
    ranking_loss(
        questions, questions, targets=torch.arange(4), masked=NOTHING[:4, :4], scale=log_scale.exp()
    ).backward()
    assert log_scale.grad is not None and float(log_scale.grad) < 0  # sure where it is right
    assert questions.grad is not None and questions.grad.abs().sum() > 0


def test_the_loss_falls_as_what_belongs_together_comes_together() -> None:
    answers = torch.eye(4)
    losses = [
        float(
            ranking_loss(
                answers * near,
                answers,
                targets=torch.arange(4),
                masked=NOTHING[:4, :4],
                scale=SCALE,
            )
        )
        for near in (0.1, 0.5, 1.0)
    ]
    assert losses == sorted(losses, reverse=True)
