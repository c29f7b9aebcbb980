"""What a diagnosis starts from: questions, and what each system made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...core.errors import ConfigError
from ...core.types import AnsweredIn

Value = float | str | None
"""A feature of a question: a number, a category, or None if it is unknown."""

QUESTIONS = "questions"
"""In place of a system, where there are no predictions."""


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """A question with its gold answers; an unknown text is empty.

    Attributes:
        qid: its id in the data.
        lang: the question's language; `answer_lang` that of its answers and its context.
        context: the gold passage, and `answer_start` the offset of the first answer in it.
        english, english_answer: the same question and its first answer in English, by people.
        translation: a machine translation of the question into English.
        answered_in: the Wikipedia that answers it, if only one does.
    """

    qid: str
    lang: str
    text: str
    answers: tuple[str, ...]
    answer_lang: str
    context: str = ""
    answer_start: int | None = None
    english: str = ""
    english_answer: str = ""
    translation: str = ""
    answered_in: AnsweredIn | None = None

    @property
    def in_english(self) -> str:
        """The question in English: as people wrote it, or else translated."""
        return self.english or (self.text if self.lang == "en" else self.translation)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system made of a question.

    Attributes:
        values: its metrics, from 0 to 1; None if the scorer does not count the question.
        answer: the answer to show.
        translation: the English query that the system searched with.
        gold_rank: the rank of the first gold passage, from 1; None if it was not retrieved.
    """

    values: Mapping[str, float] | None
    answer: str = ""
    translation: str = ""
    gold_rank: int | None = None


@dataclass(frozen=True, slots=True)
class DiagnosisInput:
    """Questions and, by system, an outcome for each of them."""

    task: str
    scorer: str
    questions: Sequence[QuestionFacts]
    systems: Mapping[str, Sequence[Outcome]]

    def metrics(self) -> tuple[str, ...]:
        """The metrics of all systems, the main one first: F1 where there is F1.

        Raises:
            ConfigError: if a system has no score at all, or the systems share no metric.
        """
        shared: list[str] | None = None
        for name, outcomes in self.systems.items():
            first = next((row.values for row in outcomes if row.values is not None), None)
            if first is None:
                raise ConfigError(
                    f"{name}: no question can be scored; do data and predictions share ids?"
                )
            shared = [*first] if shared is None else [m for m in shared if m in first]
        if not shared:
            raise ConfigError("the systems share no metric")
        return tuple(sorted(shared, key=lambda metric: metric != "f1"))
