"""Say answers in the language of their question."""

from __future__ import annotations

from collections.abc import Sequence

from ..files import digest
from ..lang import cldr_version
from ..types import Answer, Candidate, Question
from .rules import say


class NoLocalisation:
    """Every candidate as it was read."""

    version: int = 1

    def fingerprint(self) -> str:
        return digest("none")

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer a candidate: "span" in the question's language, else "copied"."""
        return [
            [as_read(question, candidate) for candidate in row]
            for question, row in zip(questions, candidates, strict=True)
        ]


class CldrLocaliser:
    """English dates, numbers and names by rule, with the words of the Unicode CLDR.

    What no rule knows stays English ("copied"), as does everything for a language that
    `lang.LANGUAGES` or Babel does not have.
    """

    version: int = 2

    def fingerprint(self) -> str:
        return digest("cldr", cldr_version())

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer a candidate, in the same order, with the candidate's score."""
        return [
            [_by_rule(question, candidate) for candidate in row]
            for question, row in zip(questions, candidates, strict=True)
        ]


def as_read(question: Question, candidate: Candidate) -> Answer:
    """A candidate unchanged: "span" in the language of its question, else "copied"."""
    made = "span" if candidate.lang == question.lang else "copied"
    return Answer(candidate.text, candidate.lang, candidate.score, made, candidate)


def _by_rule(question: Question, candidate: Candidate) -> Answer:
    """The rules read English only; a candidate in a third language is copied."""
    if candidate.lang != "en" or question.lang == "en":
        return as_read(question, candidate)
    said = say(candidate.text, question.lang)
    if said is None:
        return as_read(question, candidate)
    text, made = said
    return Answer(text, question.lang, candidate.score, made, candidate)
