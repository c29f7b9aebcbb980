import pytest
import torch
from torch.nn.functional import normalize

from xorqa.lab.backretrieval.document_head.losses import neighbour_gap, triplet

AXES = torch.eye(3)


def test_a_title_is_compared_with_its_own_body_and_with_the_next():
    assert triplet(AXES, AXES, 0.1) == 0, "the own bodies are nearer by 1"
    assert triplet(AXES, AXES.roll(-1, dims=0), 0.1) == pytest.approx(1.1)
    assert triplet(AXES, torch.ones(3, 3) / 3**0.5, 0.1) == pytest.approx(0.1)


def brute_force_gap(titles, langs, neighbours):
    distance = [[1 - float(a @ b) for b in titles] for a in titles]
    total = 0.0
    for i, lang in enumerate(langs):
        if langs.count(lang) < 2:
            continue
        means = {}
        for other in set(langs):
            rows = [distance[i][j] for j, name in enumerate(langs) if name == other and j != i]
            nearest = sorted(rows)[:neighbours]
            means[other] = sum(nearest) / len(nearest)
        total += sum(mean - means[lang] for other, mean in means.items() if other != lang)
    return total / len(titles)


@pytest.mark.parametrize("langs", ["aabbbcc", "aaaabbc", "abcdefg", "aaaaaaa"])
@pytest.mark.parametrize("neighbours", [1, 2, 5])
def test_the_gap_between_languages_is_that_of_brute_force(langs, neighbours):
    torch.manual_seed(len(langs) + neighbours)
    titles = normalize(torch.randn(7, 4), dim=1).requires_grad_()
    gap = neighbour_gap(titles, list(langs), neighbours)
    expected = brute_force_gap(titles.detach(), list(langs), neighbours)
    assert float(gap.detach()) == pytest.approx(expected, abs=1e-5)
    if len(set(langs)) > 1:
        (gap + titles.sum() * 0).backward()
        assert torch.isfinite(titles.grad).all()
