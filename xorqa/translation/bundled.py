"""The translators shipped with this package, and those trained with it."""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

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


class BundledTranslator(Configured, BaseTranslator):
    """Translates questions of any language of the encoder into English.

    `model` is a shipped translator or a file written by `xorqa train translator`; one trained
    with `targets` translates from English into these. One beam is greedy search. Into English,
    the translation is the hypothesis with the highest mean log-probability of its tokens plus
    `similarity` times the cosine of its vector and the question's, by the bundled encoder.

    Example:
        >>> from xorqa import BundledTranslator, Question
        >>> question = Question("q", "Missä maassa Pariisi on?", "fi")
        >>> [query] = BundledTranslator(beams=1).translate([question], to="en")
        >>> query.text
        'In which country is Paris?'
    """

    version = 4

    def __init__(
        self,
        *,
        model: str = BUNDLED_MODEL,
        beams: Count = 8,
        similarity: NonNegative = 4.0,
        max_tokens: Count = 64,
    ) -> None:
        self.model, self.beams, self.max_tokens = model, beams, max_tokens
        self.similarity = similarity

    def fingerprint(self) -> str:
        """A hash of the weights and settings."""
        adapter = self._model.adapter
        table = bundled_words().hashes if self._model.shape.glosses else []
        settings = self.beams, self.similarity, self.max_tokens
        return digest(
            "bundled", adapter.sha, adapter.base.sha, *settings, self._encoder.fingerprint(), *table
        )

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
        compares = to == ENGLISH and self.similarity and self.beams > 1
        best = self._closest(texts, rankings) if compares else [one for one, *_ in rankings]
        translations = dict(zip(sources, best, strict=True))
        return [
            Query(question, question.text, to)
            if question.lang == to
            else _query(question, *translations[question.text, question.lang], to)
            for question in questions
        ]

    def _closest(
        self, texts: Sequence[str], rankings: Sequence[Sequence[tuple[str, float]]]
    ) -> list[tuple[str, float]]:
        """The hypothesis of each text that is the best by probability and similarity."""
        compared = [
            [text, *(one for one, _ in ranking)]
            for text, ranking in zip(texts, rankings, strict=True)
        ]
        vectors = iter(self._encoder.queries(list(chain(*compared))))
        best = []
        for ranking in rankings:
            source = next(vectors)
            scores = [
                score + self.similarity * float(next(vectors) @ source) for _, score in ranking
            ]
            best.append(ranking[scores.index(max(scores))])
        return best

    @cached_property
    def _encoder(self) -> Encoder:
        return Encoder(EncoderSettings(dtype="float32"))

    @cached_property
    def _model(self) -> TranslatorModel:
        return TranslatorModel(self.model)


def _query(question: Question, text: str, score: float, to: str) -> Query:
    confidence = None if to == ENGLISH else math.exp(score) if text else 0.0
    return Query(question, text or question.text, to, confidence)
