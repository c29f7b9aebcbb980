"""Spans that overlap others."""

from collections.abc import Sequence

from ...core.types import Span


def overlapping(spans: Sequence[Span], span: Span) -> list[int]:
    """The indices of the spans that share a character with `span`."""
    return [position for position, other in enumerate(spans) if other.overlaps(span)]
