"""Say answers in the language of their question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...core.configured import Configured
from ...core.lang import cldr_version
from ...core.stages import BaseLocaliser
from ...core.types import Answer, Candidate, Question
from ...io.files import digest
from .rules import say

Say = Callable[[str, str], tuple[str, str] | None]
"""An English text and a language to the text in it and how it was made, or None."""


class NoLocalisation(Configured, BaseLocaliser):
    """Every candidate as it was read."""

    version: int = 1

    def fingerprint(self) -> str:
        return digest("none")

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer a candidate: "span" in the question's language, else "copied"."""
        return localised(questions, candidates, lambda text, lang: None)


class CldrLocaliser(Configured, BaseLocaliser):
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
        return localised(questions, candidates, say)


def localised(
    questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]], say: Say
) -> list[list[Answer]]:
    """One answer a candidate; an English one is said in another language as `say` says it.

    What `say` cannot say, or was found in a third language, is copied.
    """
    return [
        [_answer(question.lang, candidate, say) for candidate in row]
        for question, row in zip(questions, candidates, strict=True)
    ]


def _answer(lang: str, candidate: Candidate, say: Say) -> Answer:
    if candidate.lang == lang:
        return Answer(candidate.text, lang, candidate.score, "span", candidate)
    if candidate.lang == "en" and (said := say(candidate.text, lang)):
        text, made = said
        return Answer(text, lang, candidate.score, made, candidate)
    return Answer(candidate.text, candidate.lang, candidate.score, "copied", candidate)
