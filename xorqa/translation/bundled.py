"""Our own translator of questions into English."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..core.configured import Configured
from ..core.errors import ConfigError
from ..core.stages import BaseTranslator
from ..core.types import Query, Question
from ..io.files import digest
from ..models.translator import TranslatorModel

BUNDLED_MODEL = "translator"
ENGLISH = "en"


class BundledTranslator(Configured, BaseTranslator):
    """Questions of any language the encoder knows, into English; those already there stay.

    `model` is a shipped translator or a file that `xorqa train translator` wrote. One beam is
    greedy search.
    """

    version = 3

    def __init__(self, *, model: str = BUNDLED_MODEL, beams: int = 4, max_tokens: int = 64) -> None:
        if beams < 1 or max_tokens < 1:
            raise ConfigError("[translator] beams and max_tokens must be 1 or more")
        self.model, self.beams, self.max_tokens = model, beams, max_tokens

    def fingerprint(self) -> str:
        """A hash of the weights and settings."""
        return digest(
            "bundled",
            self._model.adapter.sha,
            self._model.adapter.base.sha,
            self.beams,
            self.max_tokens,
        )

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query a question; an empty translation gives way to the question's own text.

        Raises:
            ConfigError: if `to` is not English.
        """
        if to != ENGLISH:
            raise ConfigError(
                f"[translator] 'bundled' translates into '{ENGLISH}', not into '{to}'"
            )
        texts = list(dict.fromkeys(question.text for question in questions if question.lang != to))
        made = self._model.translate(texts, beams=self.beams, max_tokens=self.max_tokens)
        found = dict(zip(texts, made, strict=True))
        return [
            Query(
                question,
                question.text if question.lang == to else found[question.text] or question.text,
                to,
            )
            for question in questions
        ]

    @cached_property
    def _model(self) -> TranslatorModel:
        return TranslatorModel(self.model)
