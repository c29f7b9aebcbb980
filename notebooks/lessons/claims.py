"""Claims: what the text of a lesson relies on, checked where the lesson computes it."""

from __future__ import annotations

from numbers import Real
from typing import Any

from . import wording


class ClaimError(AssertionError):
    """A claim of a lesson does not hold."""


def claim(words: str, holds: Any, /, **values: Any) -> None:
    """Raise an error unless the words are true; `values` are the figures that the error shows.

    ```python
    claim("the right passages score higher", right > wrong, right=right, wrong=wrong)
    claim("reading loses nearly a quarter", 1 - right_spans / read)
    claim("vectors are worse at the first rank", (low, high))
    ```

    Words with a phrase of the table in CONTRIBUTING are a quotation of the lesson's text and get
    the figure itself: the phrase decides which figures it allows. "better" and "worse" get an
    interval of the difference, which must exclude 0; where the difference "could be chance", it
    must not. All other words get a truth value.

    Raises:
        ClaimError: with the words and the figures.
    """
    if isinstance(holds, Real) and not isinstance(holds, bool):
        holds, values = _measured(words, float(holds), values)
    elif isinstance(holds, tuple) and len(holds) == 2 and wording.compared(words):
        holds, values = _compared(words, (float(holds[0]), float(holds[1])), values)
    if not holds:
        figures = ", ".join(f"{name} = {value!r}" for name, value in values.items())
        raise ClaimError(f"no longer true: {words}" + (f" ({figures})" if figures else ""))


def uncounted(words: str, why: str) -> None:
    """Words of the text with a phrase of the table that no cell computes: a definition, say."""


def _measured(words: str, figure: float, values: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
    """Whether the one phrase of `words` allows the figure, and what an error shows."""
    bounds = wording.bounds(words)
    if len(bounds) != 1:
        phrases = [bound.phrase for bound in bounds]
        raise ClaimError(f"one phrase of the table per figure, not {phrases}: {words}")
    [bound] = bounds
    return bound.allows(figure), {
        "figure": figure,
        "from": bound.low,
        "to": bound.high,
        **values,
    }


def _compared(
    words: str, interval: tuple[float, float], values: dict[str, Any]
) -> tuple[bool, dict[str, Any]]:
    """Whether an interval of a difference is on the side that the words name."""
    low, high = interval
    sides = {"better": low > 0, "worse": high < 0, "chance": low <= 0 <= high}
    return sides[wording.compared(words) or ""], {"low": low, "high": high, **values}
