import pytest
import torch
from torch.nn.functional import normalize

from xorqa.lab.backretrieval.document_head.losses import neighbour_gap, triplet

AXES = torch.eye(3)
LANGS = ["aabbbcc", "aaaabbc", "abcdefg", "aaaaaaa"]


def vectors(seed: int) -> list[torch.Tensor]:
    """Unit vectors of seven bodies and titles, in double precision."""
    torch.manual_seed(seed)
    return [normalize(torch.randn(7, 4, dtype=torch.float64), dim=1) for _ in range(2)]


def test_a_body_is_compared_with_its_own_title_and_with_the_next() -> None:
    assert triplet(AXES, AXES, 0.1) == 0, "the own titles are nearer by 1"
    assert triplet(AXES, AXES.roll(-1, dims=0), 0.1) == pytest.approx(1.1)
    assert triplet(AXES, torch.ones(3, 3) / 3**0.5, 0.1) == pytest.approx(0.1)


def test_equation_1() -> None:
    bodies, titles = vectors(1)
    expected = 0.0
    for r in range(7):
        n = (r - 1) % 7  # the title of another document of the shuffled batch
        own, other = 1 - bodies[r] @ titles[r], 1 - bodies[r] @ titles[n]
        expected += max(0.0, float(own - other + 0.1)) / 7
    assert float(triplet(bodies, titles, 0.1)) == pytest.approx(expected, abs=1e-9)


def equation_2(bodies: torch.Tensor, titles: torch.Tensor, langs: str, k: int, own: int) -> float:
    """L_XL, the mean over r; `own` is how often the own language's term is subtracted."""
    total = 0.0
    for r, lang in enumerate(langs):
        nearest = {}
        for other in sorted(set(langs)):
            of_lang = [n for n, name in enumerate(langs) if name == other and n != r]
            distances = sorted(1 - float(bodies[r] @ titles[n]) for n in of_lang)[:k]
            nearest[other] = sum(distances) / max(1, len(distances))
        if langs.count(lang) > 1 and len(nearest) > 1:
            total += sum(nearest.values()) - nearest[lang] - own * nearest[lang]
    return total / len(langs)


@pytest.mark.parametrize("langs", LANGS)
@pytest.mark.parametrize("neighbours", [1, 2, 5])
@pytest.mark.parametrize("per_language", [False, True])
def test_equation_2(langs: str, neighbours: int, per_language: bool) -> None:
    bodies, titles = vectors(len(set(langs)) + neighbours)
    bodies.requires_grad_()
    gap = neighbour_gap(bodies, titles, list(langs), neighbours, per_language=per_language)
    own = len(set(langs)) - 1 if per_language else 1
    expected = equation_2(bodies.detach(), titles, langs, neighbours, own)
    assert float(gap.detach()) == pytest.approx(expected, abs=1e-9)
    (gap + bodies.sum() * 0).backward()
    assert torch.isfinite(bodies.grad).all()
