"""The texts of a language, as encoders take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a language; `rows` are their positions in the language's data, of `total`.

    `bodies` are the bodies of the documents whose titles the texts are, empty where there is none.
    """

    lang: str
    texts: Sequence[str]
    rows: Sequence[int] = ()
    total: int = 0
    bodies: Sequence[str] = ()
