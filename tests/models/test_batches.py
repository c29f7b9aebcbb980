import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from xorqa.models.batches import FLOAT32_STEP, STEP, by_length, pad, step_for, width

LENGTHS = st.lists(st.integers(0, 700), max_size=60)


@given(LENGTHS, st.integers(1, 4000))
def test_every_position_is_in_one_batch_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = list(by_length(lengths, budget=budget))
    assert sorted(at for batch in batches for at in batch) == list(range(len(lengths)))
    for batch in batches:
        longest = max(lengths[at] for at in batch)
        assert len(batch) == 1 or len(batch) * width(longest) <= budget


@given(LENGTHS)
def test_batches_go_from_long_to_short(lengths: list[int]) -> None:
    order = [lengths[at] for batch in by_length(lengths) for at in batch]
    assert order == sorted(lengths, reverse=True)


def test_equal_lengths_keep_their_order() -> None:
    assert list(by_length([5, 9, 5, 9], budget=64)) == [[1, 3], [0, 2]]


@given(st.integers(0, 5000))
def test_widths_are_few_and_wide_enough(length: int) -> None:
    assert width(length) % STEP == 0
    assert max(1, length) <= width(length) < max(1, length) + STEP


@given(st.lists(st.lists(st.integers(5, 99), max_size=70), min_size=1, max_size=8))
def test_padding_adds_and_the_mask_tells(rows: list[list[int]]) -> None:
    ids, mask = pad(rows, value=1)
    assert ids.shape == mask.shape == (len(rows), width(max(map(len, rows))))
    for row, padded, attended in zip(rows, ids, mask, strict=True):
        assert padded[attended == 1].tolist() == row
        assert attended.tolist() == sorted(attended.tolist(), reverse=True)
        assert set(padded[attended == 0].tolist()) <= {1}
    assert ids.dtype == mask.dtype == torch.int64


def test_a_width_of_32_by_hand() -> None:
    ids, mask = pad([[7, 8], [9]], value=0)
    assert ids.shape == (2, 32)
    assert ids[:, :3].tolist() == [[7, 8, 0], [9, 0, 0]]
    assert mask.sum(1).tolist() == [2, 1]
    assert width(32) == 32 and width(33) == pytest.approx(64)


def test_float32_needs_no_wide_steps() -> None:
    assert step_for(torch.float32) == FLOAT32_STEP < STEP == step_for(torch.bfloat16)
    ids, _ = pad([[7] * 9], value=0, step=FLOAT32_STEP)
    assert ids.shape == (1, 16)
    assert list(by_length([5, 9, 5], budget=32, step=FLOAT32_STEP)) == [[1, 0], [2]]
