"""The texts of a language, as encoders take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...core.errors import DataError


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

    def whole_bodies(self, encoder: str) -> list[str]:
        """The bodies; the title where there is none.

        Raises:
            DataError: if no text has a body, but `encoder` needs them.
        """
        if not any(self.bodies):
            raise DataError(f"{encoder} needs bodies, and no text in '{self.lang}' has one")
        return [body or title for title, body in zip(self.texts, self.bodies, strict=True)]
