from xorqa.core.types import Span
from xorqa.lab.common.spans import overlapping


def test_overlapping_shares_a_character() -> None:
    spans = [Span(0, 3), Span(4, 6), Span(6, 9)]
    assert overlapping(spans, Span(2, 5)) == [0, 1]
    assert overlapping(spans, Span(3, 4)) == []
    assert overlapping(spans, Span(5, 7)) == [1, 2]
