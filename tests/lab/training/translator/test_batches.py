import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from xorqa.lab.training.translator.batches import make_batches
from xorqa.models.batches import width
from xorqa.models.source_encoding import STEP

LENGTHS = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=60)


@given(LENGTHS, st.integers(1, 4), st.integers(40, 200), st.integers(0, 5))
def test_every_pair_comes_as_often_as_its_passes_say(
    lengths: list[tuple[int, int]], passes: int, budget: int, seed: int
) -> None:
    batches = make_batches(
        lengths, [float(passes)] * len(lengths), budget=budget, rng=random.Random(seed)
    )
    drawn = Counter(at for batch in batches for at in batch.pairs)
    assert drawn == dict.fromkeys(range(len(lengths)), passes)
    assert [batch.number for batch in batches] == list(range(len(batches)))
    for batch in batches:
        longest = max(lengths[at][0] for at in batch.pairs)
        assert width(longest, step=STEP) * len(batch.pairs) <= budget or len(batch.pairs) == 1
    again = make_batches(
        lengths, [float(passes)] * len(lengths), budget=budget, rng=random.Random(seed)
    )
    assert again == batches


def test_a_share_of_a_pass_is_a_chance() -> None:
    batches = make_batches([(5, 5)] * 1000, [1.5] * 1000, budget=100, rng=random.Random(1))
    assert 1400 < sum(len(batch.pairs) for batch in batches) < 1600
    assert make_batches([(5, 5)] * 9, [0.0] * 9, budget=100, rng=random.Random(1)) == []
