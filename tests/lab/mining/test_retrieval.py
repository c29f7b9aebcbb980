"""Mining equals a brute-force reference that is written from the formulas."""

from random import Random

import numpy as np
import pytest

from xorqa.core.text.sentences import split_sentences
from xorqa.datasets.mini.world import load
from xorqa.lab.mining.encoding import encode_sides
from xorqa.lab.mining.margins import MARGINS, Margin
from xorqa.lab.mining.retrieval import RETRIEVALS, Candidates, Retrieval, mine
from xorqa.lab.mining.sentences import Sentences
from xorqa.models.checkpoints import DEFAULT, Checkpoint


def vectors(n: int, *, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Random vectors; the rows of the second side are noisy copies in another order."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 24)).astype(np.float32)
    y = (x + rng.standard_normal((n, 24)))[rng.permutation(n)].astype(np.float32)
    return x, y[: n - n // 10]


def brute_force(
    x: np.ndarray, y: np.ndarray, margin: str, retrieval: str, k: int = 4
) -> list[tuple[int, int, float]]:
    """All cosines at once, with 64 bits, and plain loops."""
    a, b = (side.astype(np.float64) for side in (x, y))
    a, b = (side / np.linalg.norm(side, axis=1, keepdims=True) for side in (a, b))
    cosines = a @ b.T
    order_x = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    order_y = np.argsort(-cosines.T, axis=1, kind="stable")[:, :k]
    mean_x = np.take_along_axis(cosines, order_x, 1).mean(1)
    mean_y = np.take_along_axis(cosines.T, order_y, 1).mean(1)

    def score(i: int, j: int) -> float:
        other = (mean_x[i] + mean_y[j]) / 2
        value = cosines[i, j]
        return float({"absolute": value, "distance": value - other, "ratio": value / other}[margin])

    from_x = [
        max(((score(i, j), -rank, i, j) for rank, j in enumerate(row)))
        for i, row in enumerate(order_x)
    ]
    from_y = [
        max(((score(i, j), -rank, i, j) for rank, i in enumerate(row)))
        for j, row in enumerate(order_y)
    ]
    forward = {(i, j): value for value, _, i, j in from_x}
    backward = {(i, j): value for value, _, i, j in from_y}
    if retrieval == "max":
        pairs, used_i, used_j = {}, set(), set()
        for (i, j), value in sorted((forward | backward).items(), key=lambda p: (-p[1], p[0])):
            if i not in used_i and j not in used_j:
                pairs[i, j] = value
                used_i.add(i)
                used_j.add(j)
    else:
        both = {pair: forward[pair] for pair in forward if pair in backward}
        pairs = {"forward": forward, "backward": backward, "intersection": both}[retrieval]
    return sorted(((i, j, value) for (i, j), value in pairs.items()), key=lambda row: -row[2])


def as_set(pairs: Candidates) -> set[tuple[int, int]]:
    return set(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True))


@pytest.mark.parametrize(
    ("margin", "retrieval"),
    [*(("ratio", way) for way in RETRIEVALS), *((margin, "max") for margin in MARGINS[:2])],
)
def test_mining_equals_brute_force_on_2000_vectors(margin: Margin, retrieval: Retrieval) -> None:
    x, y = vectors(2000)
    pairs = mine(x, y, margin=margin, retrieval=retrieval)
    expected = brute_force(x, y, margin, retrieval)
    assert as_set(pairs) == {(i, j) for i, j, _ in expected}
    np.testing.assert_allclose(pairs.scores, [value for *_, value in expected], rtol=1e-9)


@pytest.fixture(scope="module")
def sentences(e5: Checkpoint, tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    """Vectors of 2,000 sentences of the bundled world: 1,000 in English, as many in 7 languages."""
    texts: dict[str, list[str]] = {"en": [], "other": []}
    for lang, corpus in load().corpora.items():
        for passage in corpus:
            spans = split_sentences(passage.text, lang)
            of_side = texts["en" if lang == "en" else "other"]
            of_side += [passage.text[span.start : span.end] for span in spans]
    sides = []
    for name, of_side in texts.items():
        drawn = Random(1).sample([*dict.fromkeys(of_side)], 1000)
        sides.append(Sentences(name, name, tuple(map(str, range(1000))), tuple(drawn)))
    return encode_sides(DEFAULT, sides, folder=tmp_path_factory.mktemp("vectors"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("margin", "retrieval"),
    [*(("ratio", way) for way in RETRIEVALS), ("absolute", "max"), ("absolute", "intersection")],
)
def test_mining_equals_brute_force_on_2000_real_sentences(
    sentences: list[np.ndarray], margin: Margin, retrieval: Retrieval
) -> None:
    """As above, with vectors of the bundled encoder."""
    x, y = sentences
    assert x.shape == y.shape == (1000, 384)
    pairs = mine(x, y, margin=margin, retrieval=retrieval)
    expected = brute_force(x, y, margin, retrieval)
    assert as_set(pairs) == {(i, j) for i, j, _ in expected}
    np.testing.assert_allclose(pairs.scores, [value for *_, value in expected], rtol=1e-9)


def test_max_takes_each_row_once_and_the_best_first() -> None:
    x, y = vectors(60)
    pairs = mine(x, y)
    assert len(set(pairs.sources.tolist())) == len(set(pairs.targets.tolist())) == len(pairs)
    assert (np.diff(pairs.scores) <= 0).all()
    forward, backward = (as_set(mine(x, y, retrieval=way)) for way in ("forward", "backward"))
    assert as_set(mine(x, y, retrieval="intersection")) == forward & backward
    assert forward & backward <= as_set(pairs) <= forward | backward
    assert (len(forward), len(backward)) == (len(x), len(y))


def test_a_side_with_one_row() -> None:
    pairs = mine(np.eye(3)[:1], np.eye(3), margin="absolute")
    assert as_set(pairs) == {(0, 0)} and pairs.scores.tolist() == [1]
