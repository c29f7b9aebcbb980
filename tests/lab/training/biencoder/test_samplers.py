import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError
from xorqa.lab.training.biencoder.pairs import Item
from xorqa.lab.training.biencoder.samplers import (
    Pick,
    allowed_picks,
    pair_batches,
    question_batches,
)

SAMPLERS = ("en-en", "x-x", "x-x-mono", "x-y", "x-y-different")


def item(name: str, asked: str = "en fi sw", answered: str = "en fi sw") -> Item:
    return Item(
        name,
        {lang: f"{name}? {lang}" for lang in asked.split()},
        {lang: f"{name}. {lang}" for lang in answered.split()},
    )


GROUPS = [item(str(at)) for at in range(20)]


def draw(
    *sources: list[Item],
    sampler: str,
    steps: int = 30,
    size: int = 8,
    weights: tuple[float, ...] = (1.0,),
    together: int = 1,
) -> list[list[Pick]]:
    rng = random.Random(1)
    return question_batches(
        sources, weights, sampler=sampler, size=size, steps=steps, rng=rng, together=together
    )


def test_en_en_is_english_only() -> None:
    for batch in draw(GROUPS, sampler="en-en"):
        assert {(pick.question, pick.answer) for pick in batch} == {("en", "en")}


def test_x_x_mixes_languages_but_not_within_a_pair() -> None:
    batches = draw(GROUPS, sampler="x-x")
    assert all(pick.question == pick.answer for batch in batches for pick in batch)
    assert {pick.answer for batch in batches for pick in batch} == {"en", "fi", "sw"}
    assert sum(len({pick.answer for pick in batch}) > 1 for batch in batches) > 25


def test_x_x_mono_has_one_language_a_batch() -> None:
    batches = draw(GROUPS, sampler="x-x-mono")
    assert all(pick.question == pick.answer for batch in batches for pick in batch)
    langs = [{pick.answer for pick in batch} for batch in batches]
    assert all(len(some) == 1 for some in langs)
    assert set.union(*langs) == {"en", "fi", "sw"}


def test_x_x_mono_has_one_language_a_step_of_several_batches() -> None:
    batches = draw(GROUPS, sampler="x-x-mono", steps=40, together=4)
    langs = [
        {pick.answer for batch in batches[at : at + 4] for pick in batch} for at in range(0, 40, 4)
    ]
    assert all(len(some) == 1 for some in langs)
    assert set.union(*langs) == {"en", "fi", "sw"}


def test_x_y_different_has_two_languages_in_every_pair() -> None:
    batches = draw(GROUPS, sampler="x-y-different")
    pairs = Counter((pick.question, pick.answer) for batch in batches for pick in batch)
    assert len(pairs) == 6
    assert all(question != answer for question, answer in pairs)
    assert all(len({pick.answer for pick in batch}) > 1 for batch in batches)


@pytest.mark.parametrize("sampler", ["x-y", "any"])
def test_x_y_has_all_pairs_of_languages(sampler: str) -> None:
    batches = draw(GROUPS, sampler=sampler)
    pairs = {(pick.question, pick.answer) for batch in batches for pick in batch}
    assert len(pairs) == 9


def test_what_each_sampler_can_use() -> None:
    english, korean, both = item("a", "en", "en"), item("b", "ko", "ko"), item("c", "ko en", "ko")
    usable = {
        sampler: [len(allowed_picks(one, 0, sampler)) for one in (english, korean, both)]
        for sampler in SAMPLERS
    }
    assert usable == {
        "en-en": [1, 0, 0],
        "x-x": [1, 1, 1],
        "x-x-mono": [1, 1, 1],
        "x-y": [1, 1, 2],
        "x-y-different": [0, 0, 1],
    }
    assert allowed_picks(both, 5, "x-y-different") == [Pick(5, "en", "ko")]
    with pytest.raises(ConfigError, match="that sampler 'x-y-different' can use"):
        draw([english, korean], sampler="x-y-different")
    with pytest.raises(ConfigError, match="no question is left"):
        draw(GROUPS, sampler="x-x", weights=(0.0,))


def test_sources_count_by_weight_and_small_ones_come_again() -> None:
    small = [item("s", "ko", "ko")]
    batches = draw(GROUPS, small, sampler="x-x", weights=(3.0, 1.0), steps=200)
    share = sum(pick.item == len(GROUPS) for batch in batches for pick in batch) / 1600
    assert share == pytest.approx(0.25, abs=0.05)


def test_mono_batches_come_as_often_as_their_language() -> None:
    source = [item(str(at), "fi", "fi") for at in range(30)] + [item("k", "ko", "ko")] * 10
    batches = draw(source, sampler="x-x-mono", steps=400)
    share = sum(batch[0].answer == "ko" for batch in batches) / 400
    assert share == pytest.approx(0.25, abs=0.07)


@given(st.sampled_from(SAMPLERS), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_batches_are_full_repeatable_and_within_the_rules(
    sampler: str, size: int, steps: int, seed: int
) -> None:
    def drawn() -> list[list[Pick]]:
        return question_batches(
            [GROUPS], [1.0], sampler=sampler, size=size, steps=steps, rng=random.Random(seed)
        )

    batches = drawn()
    assert [len(batch) for batch in batches] == [size] * steps
    assert drawn() == batches
    for batch in batches:
        assert all(pick in allowed_picks(GROUPS[pick.item], pick.item, sampler) for pick in batch)


def test_all_picks_come_before_any_comes_again() -> None:
    batches = draw(GROUPS, sampler="x-x", size=6, steps=20)
    times = Counter(pick for batch in batches for pick in batch)
    assert (len(times), set(times.values())) == (60, {2})


def test_small_languages_are_drawn_more_often_than_their_share() -> None:
    pairs = [("fi", f"f{at}", "en", f"e{at}") for at in range(900)]
    pairs += [("te", f"t{at}", "en", f"e{at}") for at in range(100)]
    batches = pair_batches(pairs, size=10, steps=400, rng=random.Random(1))
    assert {len(batch) for batch in batches} == {10}
    share = sum(pair[0] == "te" for batch in batches for pair in batch) / 4000
    assert share == pytest.approx(0.25, abs=0.05)
