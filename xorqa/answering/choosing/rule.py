"""Choose one answer per question by a rule."""

from collections.abc import Sequence
from typing import Literal

from ...core.configured import Configured
from ...core.types import Answer, Question
from ...io.files import digest

Preference = Literal["score", "target"]


class RuleChooser(Configured):
    """The best answer by score, or the question's language first.

    `prefer="score"`: the best score over all routes. `prefer="target"`: the best answer read
    in the question's language, else the best read in English, else the best of the rest
    (Asai et al. 2021, section 5: baselines that join both languages). The language is that of
    the passage, before localisation. Ties: the earlier in the list.
    """

    version: int = 1

    def __init__(self, *, prefer: Preference = "score") -> None:
        self.prefer = prefer

    def fingerprint(self) -> str:
        return digest("rule", self.prefer)

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]:
        """One answer per question; without candidates an empty one, made "none"."""
        return [self._best(question, row) for question, row in zip(questions, answers, strict=True)]

    def _best(self, question: Question, answers: Sequence[Answer]) -> Answer:
        nothing = Answer("", question.lang, float("-inf"), made="none")
        if self.prefer == "score":
            return max(answers, key=lambda answer: answer.score, default=nothing)
        order = (question.lang, "en")  # max keeps the first of equals
        return max(
            answers,
            key=lambda answer: (-_priority(_source_lang(answer), order), answer.score),
            default=nothing,
        )


def _source_lang(answer: Answer) -> str:
    return answer.source.lang if answer.source else answer.lang


def _priority(lang: str, order: Sequence[str]) -> int:
    return order.index(lang) if lang in order else len(order)
