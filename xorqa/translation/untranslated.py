"""The translator `none`: questions are searched untranslated."""

from collections.abc import Sequence

from ..core.stages import BaseTranslator, Configured
from ..core.types import Query, Question
from ..io.files import digest


class NoTranslation(Configured, BaseTranslator):
    """Searches with the question in its own language.

    Example:
        >>> from xorqa import NoTranslation, Question
        >>> question = Question("q", "Missä on Inari?", "fi")
        >>> [query] = NoTranslation().translate([question], to="en")
        >>> query.text, query.lang
        ('Missä on Inari?', 'fi')
    """

    version = 1

    def fingerprint(self) -> str:
        """It has no settings."""
        return digest("none")

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question, in the question's own language."""
        return [Query(question, question.text, question.lang) for question in questions]
