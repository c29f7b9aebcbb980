"""Claims: what the text of a lesson relies on, checked where the lesson computes it."""

from typing import Any


class ClaimError(AssertionError):
    """A claim of a lesson does not hold."""


def claim(sentence: str, holds: Any, **values: Any) -> None:
    """Raise an error unless `holds`; `values` are the figures that the error shows.

    ```python
    claim("the right passages score higher", right > wrong, right=right, wrong=wrong)
    ```

    Raises:
        ClaimError: with the sentence and the values.
    """
    if not holds:
        figures = ", ".join(f"{name} = {value!r}" for name, value in values.items())
        raise ClaimError(f"no longer true: {sentence}" + (f" ({figures})" if figures else ""))
