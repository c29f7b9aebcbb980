"""Two pools compared, and the counts that LAReQA's authors publish."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.lab.building.pool_difference import (
    PUBLISHED,
    Difference,
    pool_differences,
    published_counts,
)
from xorqa.lab.lareqa.data import build_pool, open_pool, read_pool
from xorqa.lab.lareqa.pool import Pool, PoolQuestion, PoolSentence

XQUAD_R = Path(__file__).parents[3].parent / "shared" / "data" / "xquad-r"


def sentence(lang: str, text: str, *qids: str) -> PoolSentence:
    return PoolSentence(lang, text, "A. B. C.", frozenset(qids), 0)


POOL = Pool(
    "p",
    (PoolQuestion("q", "en", "?", 0), PoolQuestion("r", "en", "?", 0)),
    (sentence("en", "A.", "q"), sentence("en", "B. C.", "r"), sentence("fi", "A.")),
)


def test_a_pool_equals_itself() -> None:
    differences = pool_differences(open_pool(), open_pool())
    assert set(differences) == set(open_pool().langs)
    assert all(difference == Difference(24, 24, 24, 0) for difference in differences.values())
    assert all(difference.equal for difference in differences.values())


def test_what_differs_is_counted_per_language() -> None:
    split = (sentence("en", "A.", "q"), sentence("en", "B.", "r"), sentence("en", "C."))
    other = replace(POOL, sentences=(*split, sentence("fi", "A.")))
    assert pool_differences(POOL, other) == {
        "en": Difference(2, 3, shared=1, moved=1),
        "fi": Difference(1, 1, shared=1, moved=0),
    }
    assert not pool_differences(POOL, other)["en"].equal


def test_equal_candidates_may_have_other_targets() -> None:
    first, second, *others = POOL.sentences
    moved = (replace(first, answers=frozenset()), replace(second, answers=frozenset("qr")))
    differences = pool_differences(POOL, replace(POOL, sentences=(*moved, *others)))
    assert differences["en"] == Difference(2, 2, shared=2, moved=1)
    assert not differences["en"].equal


def test_languages_of_one_pool_are_left_out() -> None:
    english = replace(POOL, sentences=POOL.sentences[:2])
    assert pool_differences(POOL, english).keys() == {"en"}


def test_a_set_is_known_by_its_numbers_of_questions() -> None:
    assert published_counts(open_pool()) is None
    questions = tuple(PoolQuestion(str(number), "de", "?", number) for number in range(512))
    assert published_counts(Pool("d", questions, ())) == ("MLQA-R", PUBLISHED["MLQA-R"])
    assert published_counts(Pool("d", questions[1:], ())) is None


@pytest.mark.skipif(not XQUAD_R.is_dir(), reason="needs ../shared")
def test_xquad_r_has_the_published_counts_and_ours_differs() -> None:
    published = read_pool(XQUAD_R)
    assert published.counts() == PUBLISHED["XQuAD-R"]
    files = {path.stem: path for path in XQUAD_R.glob("*.json")}
    differences = pool_differences(build_pool(files, name="ours"), published)
    assert differences["en"] == Difference(1162, 1180, shared=1123, moved=39)
    assert differences["th"].shared < differences["th"].other / 10, "Thai has no full stop"
    assert not any(difference.equal for difference in differences.values())
