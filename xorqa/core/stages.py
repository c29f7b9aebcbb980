"""What a stage of the road must be able to do.

Stages are batch first, cheap to build, load weights on first use, and return one result
per input in the same order. `version` rises whenever a stage's output changes, and
`fingerprint` names everything else its output depends on (settings, weights, index).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .types import Answer, Candidate, Hit, Query, Question


class Stage(Protocol):
    """What the cache needs to know of any stage."""

    version: int

    def fingerprint(self) -> str: ...


class Translator(Stage, Protocol):
    """Makes a query of every question, of one that it cannot translate in its own language.

    It may have `black_box` (a service's name, for manifests) and `spent` (counts of tokens and
    money, added up by runs), and take a callback `failed(question, reason)` when built.
    """

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]: ...


class Retriever(Stage, Protocol):
    """Finds at most `k` passages a query, best first, equal scores by docid."""

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]: ...


class Reader(Stage, Protocol):
    """Reads candidates from hits, best first; empty where there are no hits."""

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]: ...


class Localiser(Stage, Protocol):
    """Says every candidate in its question's language, as far as it can."""

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]: ...


class Chooser(Stage, Protocol):
    """Picks one answer a question, from all routes."""

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]: ...
