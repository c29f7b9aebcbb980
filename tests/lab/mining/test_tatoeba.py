import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.lab.mining.tatoeba import XTREME, XTREME_R, score_tatoeba, tatoeba_report
from xorqa.metrics.report import Report


def report(english: np.ndarray, other: np.ndarray) -> Report:
    return tatoeba_report(score_tatoeba(english, other, lang="fi"))


def plain(x: np.ndarray, y: np.ndarray) -> float:
    """XTREME: the share of rows of `x` whose nearest row of `y` by cosine has their number."""
    right = 0
    for i, u in enumerate(x):
        cosines = [u @ v / np.linalg.norm(u) / np.linalg.norm(v) for v in y]
        right += all(cosines[i] > other for j, other in enumerate(cosines) if j != i)
    return 100 * right / len(x)


@given(st.integers(0, 10_000), st.integers(1, 20))
def test_accuracy_equals_the_definition_in_both_directions(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    english = rng.standard_normal((n, 5))
    other = english + rng.standard_normal((n, 5))
    [values] = report(english, other).per_lang.values()
    assert values["accuracy"] == pytest.approx(plain(english, other), abs=1e-9)
    assert values["accuracy_to_en"] == pytest.approx(plain(other, english), abs=1e-9)


def test_a_tie_is_an_error() -> None:
    english = np.eye(3)
    other = np.array([[1, 0, 0], [2, 0, 0], [0, 0, 1]])  # two candidates of equal cosine
    [values] = report(english, other).per_lang.values()
    assert values == pytest.approx({"accuracy": 100 / 3, "accuracy_to_en": 200 / 3})


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    english = rng.standard_normal((20, 4))
    other = english + rng.standard_normal((20, 4))
    whole = report(english, other).per_lang
    monkeypatch.setattr("xorqa.lab.mining.tatoeba.BLOCK", 7)
    assert report(english, other).per_lang == whole


def test_the_macro_average_over_the_languages_of_each_benchmark() -> None:
    right, wrong = np.eye(2), np.eye(2)[::-1]
    scores = [
        *score_tatoeba(right, right, lang="fi"),
        *score_tatoeba(right, wrong, lang="pl"),
        *score_tatoeba(right, wrong, lang="ber"),
    ]
    result = tatoeba_report(scores)
    assert result.macro["accuracy"] == pytest.approx(100 / 3)
    assert result.subsets["XTREME"].macro["accuracy"] == 100
    assert result.subsets["XTREME-R"].macro["accuracy"] == 50
    assert (len(XTREME), len(XTREME_R)) == (36, 41)


def test_sides_of_different_size() -> None:
    with pytest.raises(DataError, match=r"fi: the vectors have the shapes \(2, 2\) and \(1, 2\)"):
        score_tatoeba(np.eye(2), np.eye(2)[:1], lang="fi")
