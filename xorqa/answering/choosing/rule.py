"""Choose one answer per question by a rule."""

import math
from collections.abc import Sequence
from typing import Literal

from ...core.errors import ConfigError
from ...core.stages import BaseChooser, Configured
from ...core.types import Answer, Question
from ...core.validation import Share
from ...io.files import digest
from ...models.adapters import no_answer_threshold

Preference = Literal["score", "target"]


class RuleChooser(Configured, BaseChooser):
    """Choose the answer with the best score, or prefer the question's language.

    `prefer="score"`: the best score over all routes. `prefer="target"`: the best answer read
    in the question's language, else the best read in English, else the best of the rest
    (Asai et al. 2021, section 3.3: baselines that join both languages). The language is that of
    the passage, before localisation. Ties: the earlier in the list.

    A reader always finds a span, so with `prefer="target"` an answer in the question's language
    always wins. With `no_answer`, an answer counts as not found if the probability that its
    passage answers is lower: `no_answer` is that probability, or the reader whose fitted
    threshold to use (the name of a bundled reader, or the path of its weights). Such an answer is
    chosen only if there is no other in the question's language and none in English.

    Example:
        >>> from xorqa import Answer, Question, RuleChooser
        >>> question = Question("q", "아이다는 언제 초연되었나요?", "ko")
        >>> answers = [Answer("1871", "en", -0.1, "copied"), Answer("1872년", "ko", -0.9, "span")]
        >>> [best] = RuleChooser(prefer="score").choose([question], [answers])
        >>> [korean] = RuleChooser(prefer="target").choose([question], [answers])
        >>> best.text, korean.text
        ('1871', '1872년')

    Raises:
        ConfigError: if `no_answer` is not from 0 to 1, or given without `prefer="target"`.
        WeightsError: if `no_answer` names a reader without a threshold.
    """

    version: int = 1

    def __init__(
        self, *, prefer: Preference = "score", no_answer: Share | str | None = None
    ) -> None:
        if no_answer is not None and prefer != "target":
            raise ConfigError('[chooser] no_answer needs prefer = "target"')
        if isinstance(no_answer, str):
            no_answer = no_answer_threshold(no_answer)
        self.prefer = prefer
        self.threshold = no_answer

    def fingerprint(self) -> str:
        """A hash of the settings, with the threshold of a reader instead of its name."""
        return digest("rule", self.prefer, *(() if self.threshold is None else (self.threshold,)))

    def choose(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Answer]]
    ) -> list[Answer]:
        """One answer per question; without candidates an empty one of method "none"."""
        return [self._best(question, row) for question, row in zip(questions, answers, strict=True)]

    def _best(self, question: Question, answers: Sequence[Answer]) -> Answer:
        nothing = Answer("", question.lang, float("-inf"), method="none")
        if self.prefer == "score":
            return max(answers, key=lambda answer: answer.score, default=nothing)
        return max(  # the first of equals
            answers,
            key=lambda answer: (-self._priority(answer, question), answer.score),
            default=nothing,
        )

    def _priority(self, answer: Answer, question: Question) -> int:
        """0 for an answer found in the question's language, 1 for English, 2 for the others."""
        lang = answer.source.lang if answer.source else answer.lang
        if lang == question.lang:
            if self.threshold is None or answer.source is None:
                return 0
            if math.exp(min(answer.source.scores.passage, 0.0)) >= self.threshold:
                return 0
        return 1 if lang == "en" else 2
