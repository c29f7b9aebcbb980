import math
from collections.abc import Sequence

import pytest
import torch

from xorqa.training.biencoder.losses import (
    also_right,
    also_translations,
    question_loss,
    ranking_loss,
    translation_loss,
)

SCALE = torch.tensor(5.0)


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
    found = ranking_loss(questions, answers, scale=SCALE, margin=margin)
    assert float(found) == pytest.approx(sum(wanted) / 4, rel=1e-5)


def test_what_is_masked_counts_for_nothing() -> None:
    questions, answers = vectors(3, 1), vectors(4, 2)
    masked = torch.zeros(3, 4, dtype=torch.bool)
    masked[0, 2] = masked[1, 3] = True
    wanted = [
        by_hand(questions[i], answers[i],
                [answers[j] for j in range(4) if j != i and not masked[i, j]], 0.0)
        for i in range(3)
    ]  # fmt: skip
    found = ranking_loss(questions, answers, scale=SCALE, masked=masked)
    assert float(found) == pytest.approx(sum(wanted) / 3, rel=1e-5)


def test_both_ways_is_the_mean_of_the_two() -> None:
    questions, answers = vectors(3, 1), vectors(5, 2)
    masked = torch.zeros(3, 5, dtype=torch.bool)
    masked[0, 1] = True
    forth = ranking_loss(questions, answers, scale=SCALE, margin=0.1, masked=masked)
    back = ranking_loss(answers[:3], questions, scale=SCALE, margin=0.1, masked=masked[:, :3].T)
    both = question_loss(questions, answers, scale=SCALE, margin=0.1, masked=masked)
    assert float(both) == pytest.approx(float(forth + back) / 2)
    one = question_loss(questions, answers, scale=SCALE, margin=0.1, masked=masked,
                        both_ways=False)  # fmt: skip
    assert float(one) == pytest.approx(float(forth))


def test_translation_ranking_by_hand() -> None:
    left, right = vectors(3, 1), vectors(3, 2)
    texts = ["a", "b", "c"], ["x", "y", "z"]
    wanted = []
    for mine, theirs in ((left, right), (right, left)):
        for i in range(3):
            others = [side[j] for side in (mine, theirs) for j in range(3) if j != i]
            wanted.append(by_hand(mine[i], theirs[i], others, 0.2))
    found = translation_loss(left, right, scale=SCALE, margin=0.2,
                             masked=also_translations(*texts))  # fmt: skip
    assert float(found) == pytest.approx(sum(wanted) / 6, rel=1e-5)


def test_other_translations_are_not_wrong() -> None:
    masked = also_translations(["hi", "hi", "go"], ["moi", "terve", "mene"])
    columns = ["moi", "terve", "mene", "hi", "hi", "go"]
    hidden = [{columns[at] for at in range(6) if row[at]} for row in masked.tolist()]
    assert hidden == [{"terve", "hi"}, {"moi", "hi"}, {"go"}, {"moi", "hi"}, {"terve", "hi"},
                      {"mene"}]  # fmt: skip
    assert not masked.diagonal().any()


def test_answers_that_are_right_too() -> None:
    rows = [{"one", "yksi"}, {"two"}, {"one"}]
    masked = also_right(rows, ["one", "two", "one", "yksi", "four"])
    assert masked.tolist() == [[False, False, True, True, False],
                               [False, False, False, False, False],
                               [True, False, False, False, False]]  # fmt: skip


def test_the_scale_is_learnt() -> None:
    log_scale = torch.nn.Parameter(torch.tensor(1.0))
    questions = vectors(4, 1).requires_grad_()
    nothing = torch.zeros(4, 4, dtype=torch.bool)
    question_loss(questions, questions, scale=log_scale.exp(), masked=nothing).backward()
    assert log_scale.grad is not None and float(log_scale.grad) < 0  # sure where it is right
    assert questions.grad is not None and questions.grad.abs().sum() > 0


def test_the_loss_falls_as_what_belongs_together_comes_together() -> None:
    answers = torch.eye(4)
    losses = [float(ranking_loss(answers * near, answers, scale=SCALE)) for near in (0.1, 0.5, 1.0)]
    assert losses == sorted(losses, reverse=True)
