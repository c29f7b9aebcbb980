"""Localise answers: write them in the language of their question."""

from collections.abc import Callable, Sequence

from ...core.lang import cldr_version
from ...core.stages import BaseLocaliser, Configured
from ...core.types import Answer, Candidate, Question
from ...io.files import digest
from .rules import apply_rules

TextLocaliser = Callable[[str, str, str], tuple[str, str] | None]
"""From a text, the target language and its own to the result and `Answer.method`, or None."""


class NoLocalisation(Configured, BaseLocaliser):
    """Return every candidate unchanged.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa import NoLocalisation
        >>> question = Question("q", "아이다는 언제 초연되었나요?", "ko")
        >>> hit = Hit(Passage("aida", "Aida opened in Cairo on 24 December 1871."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(24, 40), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = NoLocalisation().localise([question], [[candidate]])
        >>> answer.text, answer.method
        ('24 December 1871', 'copied')
    """

    version: int = 1

    def fingerprint(self) -> str:
        return digest("none")

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate: "span" in the question's language, else "copied"."""
        return localise_all(questions, candidates, lambda text, lang, source: None)


class CldrLocaliser(Configured, BaseLocaliser):
    """Localise dates, numbers and names of any language by rule, with data of the Unicode CLDR.

    Texts without a rule stay unchanged ("copied"), and so do ambiguous texts such as "4/5/2010",
    and all texts from or into a language that `lang.LANGUAGES` or Babel lacks.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa import CldrLocaliser
        >>> question = Question("q", "아이다는 언제 초연되었나요?", "ko")
        >>> hit = Hit(Passage("aida", "Aida opened in Cairo on 24 December 1871."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(24, 40), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = CldrLocaliser().localise([question], [[candidate]])
        >>> answer.text, answer.method
        ('1871년 12월 24일', 'rule:date')
    """

    version: int = 4

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
    """One answer per candidate, localised by `localise` from the candidate's language.

    Texts that it cannot localise are copied.
    """
    return [
        [_answer(question.lang, candidate, localise) for candidate in row]
        for question, row in zip(questions, candidates, strict=True)
    ]


def _answer(lang: str, candidate: Candidate, localise: TextLocaliser) -> Answer:
    if candidate.lang == lang:
        method = "generated" if candidate.generated else "span"
        return Answer(candidate.text, lang, candidate.score, method, candidate)
    if localised := localise(candidate.text, lang, candidate.lang):
        text, method = localised
        return Answer(text, lang, candidate.score, method, candidate)
    return Answer(candidate.text, candidate.lang, candidate.score, "copied", candidate)
