"""Localise answers: put them into the language of their question."""

from collections.abc import Callable, Sequence

from ...core.configured import Configured
from ...core.lang import cldr_version
from ...core.stages import BaseLocaliser
from ...core.types import Answer, Candidate, Question
from ...io.files import digest
from .rules import apply_rules

TextLocaliser = Callable[[str, str], tuple[str, str] | None]
"""From an English text and a language to the localised text and `Answer.made`, or None."""


class NoLocalisation(Configured, BaseLocaliser):
    """Every candidate unchanged."""

    version: int = 1

    def fingerprint(self) -> str:
        return digest("none")

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate: "span" in the question's language, else "copied"."""
        return localise_all(questions, candidates, lambda text, lang: None)


class CldrLocaliser(Configured, BaseLocaliser):
    """English dates, numbers and names by rule, with the words of the Unicode CLDR.

    Texts without a rule stay in English ("copied"), as do all for a language that
    `lang.LANGUAGES` or Babel does not have.
    """

    version: int = 2

    def fingerprint(self) -> str:
        return digest("cldr", cldr_version())

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate, in the same order, with the candidate's score."""
        return localise_all(questions, candidates, apply_rules)


def localise_all(
    questions: Sequence[Question],
    candidates: Sequence[Sequence[Candidate]],
    localise: TextLocaliser,
) -> list[list[Answer]]:
    """One answer per candidate; English ones are localised by `localise`.

    Texts that it cannot localise, or that are in a third language, are copied.
    """
    return [
        [_answer(question.lang, candidate, localise) for candidate in row]
        for question, row in zip(questions, candidates, strict=True)
    ]


def _answer(lang: str, candidate: Candidate, localise: TextLocaliser) -> Answer:
    if candidate.lang == lang:
        return Answer(candidate.text, lang, candidate.score, "span", candidate)
    if candidate.lang == "en" and (localised := localise(candidate.text, lang)):
        text, made = localised
        return Answer(text, lang, candidate.score, made, candidate)
    return Answer(candidate.text, candidate.lang, candidate.score, "copied", candidate)
