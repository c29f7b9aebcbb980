"""The translators `human`, the translations of a data set, and `none`, the original question."""

from collections.abc import Mapping, Sequence

from ..core.errors import DataError
from ..core.stages import BaseTranslator, Configured
from ..core.types import Query, Question
from ..io.files import digest


class HumanTranslation(Configured, BaseTranslator):
    """Uses the translations that a data set contains: an oracle, not a system.

    `translations` maps qid to text.

    Example:
        >>> from xorqa import HumanTranslation, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> translator = HumanTranslation(translations=world.translations)
        >>> [query] = translator.translate([world.examples[0].question], to="en")
        >>> query.question.text, query.text
        ('Kuka löysi frankiumin?', 'Who discovered francium?')
    """

    version = 1

    def __init__(self, *, translations: Mapping[str, str]) -> None:
        self.translations = translations

    def fingerprint(self) -> str:
        """A hash of all translations."""
        return digest("human", dict(self.translations))

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; questions already in `to` stay unchanged.

        Raises:
            DataError: for a question without a translation.
        """
        queries = []
        for question in questions:
            text = question.text if question.lang == to else self.translations.get(question.qid)
            if text is None:
                raise DataError(
                    f"question {question.qid} has no human translation; "
                    "use translator = 'none' or a data set with translations"
                )
            queries.append(Query(question, text, to))
        return queries


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
