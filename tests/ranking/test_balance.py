from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.ranking.balance import Balance

QUERY = Query(Question("q", "Where?", "en"), "Where?", "en")
LANGS = st.lists(st.sampled_from(["en", "fi", "ko"]), max_size=12)


def hits(langs: list[str]) -> list[Hit]:
    return [Hit(Passage(f"{at:02}", "...", lang=lang), 20.0 - at) for at, lang in enumerate(langs)]


def ranked(langs: list[str], ranker: Balance) -> list[str]:
    [found] = ranker.rank([QUERY], [hits(langs)])
    return [hit.passage.docid for hit in found]


def test_languages_take_turns_in_the_order_of_their_best_hits() -> None:
    langs = ["ko", "ko", "ko", "en", "fi", "en"]
    assert ranked(langs, Balance()) == ["00", "03", "04", "01", "05", "02"]
    assert ranked(langs, Balance(quota={"ko": 2})) == ["00", "01", "03", "04", "02", "05"]
    assert ranked(langs, Balance(keep=2)) == ["00", "03"]
    assert ranked(langs, Balance(depth=4)) == ["00", "03", "01", "02", "04", "05"]


@given(LANGS)
def test_no_language_is_more_than_one_turn_ahead(langs: list[str]) -> None:
    order = [langs[int(docid)] for docid in ranked(langs, Balance())]
    left = Counter(langs)
    taken: Counter[str] = Counter()
    for lang in order:
        taken[lang] += 1
        waiting = [taken[other] for other in left if taken[other] < left[other]]
        assert taken[lang] <= min(waiting, default=taken[lang]) + 1


@given(LANGS)
def test_the_order_within_a_language_stays(langs: list[str]) -> None:
    order = ranked(langs, Balance(quota={"en": 2}))
    assert sorted(order) == [f"{at:02}" for at in range(len(langs))]
    for lang in set(langs):
        mine = [docid for docid in order if langs[int(docid)] == lang]
        assert mine == sorted(mine)


def test_quotas_are_counts() -> None:
    with pytest.raises(ConfigError, match="quota en must be 1 or more, not 0"):
        build("ranker", {"use": "balance", "quota": {"en": 0}})
