"""The translators shipped with this package, and those trained with it."""

import math
from collections.abc import Sequence
from functools import cached_property

from ..core.errors import ConfigError
from ..core.lang import ENGLISH
from ..core.stages import BaseTranslator, Configured
from ..core.types import Query, Question
from ..core.validation import Count, NonNegative
from ..io.files import digest
from ..models.encoder import Encoder
from ..models.encoder_settings import EncoderSettings
from ..models.translator import TranslatorModel
from ..models.word_translations import bundled_words

BUNDLED_MODEL = "translator"
COMPARED = 3  # hypotheses; with all eight, BLEU is the same


class BundledTranslator(Configured, BaseTranslator):
    """Translates questions of any language of the encoder into English.

    `model` is a shipped translator or a file written by `xorqa train translator`; one trained
    with `targets` translates from English into these. One beam is greedy search. Into English,
    the likeliest hypotheses are compared: by the mean log-probability of their tokens plus
    `similarity` times the cosine of their vector and the question's, by the bundled encoder.

    Example:
        >>> from xorqa import BundledTranslator, Question
        >>> question = Question("q", "Missä maassa Pariisi on?", "fi")
        >>> [query] = BundledTranslator(beams=1).translate([question], to="en")
        >>> query.text
        'In which country is Paris located?'
    """

    version = 3

    def __init__(
        self,
        *,
        model: str = BUNDLED_MODEL,
        beams: Count = 8,
        similarity: NonNegative = 4.0,
        max_tokens: Count = 64,
    ) -> None:
        self.model, self.beams, self.max_tokens = model, beams, max_tokens
        self.similarity = float(similarity)

    def fingerprint(self) -> str:
        """A hash of the weights and settings."""
        adapter = self._model.adapter
        table = bundled_words().hashes if self._model.shape.glosses else []
        settings = self.beams, self.max_tokens, *table
        if self._compares:
            settings += self.similarity, self._encoder.fingerprint()
        return digest("bundled", adapter.sha, adapter.base.sha, *settings)

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        """One query per question; the question's text replaces an empty translation.

        Translations from English have a confidence, the mean probability of their tokens.

        Raises:
            ConfigError: if the model cannot translate into `to`, or only from English.
        """
        self._model.check_target(to)
        others = [question for question in questions if question.lang != to]
        unknown = {question.lang for question in others} - {ENGLISH}
        if to != ENGLISH and unknown:
            raise ConfigError(
                f"[translator] model '{self.model}' translates from '{ENGLISH}', "
                f"not from '{min(unknown)}'"
            )
        sources = list(dict.fromkeys((question.text, question.lang) for question in others))
        texts, langs = zip(*sources, strict=True) if sources else ((), ())
        rankings = self._model.translate(
            texts, langs=langs, to=to, beams=self.beams, max_tokens=self.max_tokens
        )
        best = map(self._best, texts, rankings)
        translations = dict(zip(sources, best, strict=True))
        return [
            Query(question, question.text, to)
            if question.lang == to
            else _query(question, *translations[question.text, question.lang], to)
            for question in questions
        ]

    def _best(self, question: str, ranking: Sequence[tuple[str, float]]) -> tuple[str, float]:
        """The likeliest hypothesis, or the best of the first by probability and similarity."""
        first = ranking[: COMPARED if self._compares else 1]
        if len(first) == 1:
            return first[0]
        source, *vectors = self._encoder.queries([question, *(text for text, _ in first)])
        scores = [
            log_p + self.similarity * float(vector @ source)
            for vector, (_, log_p) in zip(vectors, first, strict=True)
        ]
        return first[scores.index(max(scores))]

    @property
    def _compares(self) -> bool:
        return self.similarity > 0 and self.beams > 1 and not self._model.targets

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(EncoderSettings(dtype="float32"))  # as the translator computes

    @cached_property
    def _model(self) -> TranslatorModel:
        return TranslatorModel(self.model)


def _query(question: Question, text: str, score: float, to: str) -> Query:
    confidence = None if to == ENGLISH else math.exp(score) if text else 0.0
    return Query(question, text or question.text, to, confidence)
