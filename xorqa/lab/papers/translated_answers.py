"""Answers in the question's language by a translator alone, as XOR QA's baselines write them."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...answering.localising.localisers import localise_all
from ...core.errors import ConfigError, Notice
from ...core.lang import ENGLISH, LANGUAGES
from ...core.progress import quantity
from ...core.registry import build
from ...core.stages import BaseLocaliser, Configured, Translator
from ...core.types import Answer, Candidate, Question
from ...core.validation import Count
from ...io.cache import Cache, NoCache
from ...io.files import digest


class TranslatedAnswers(Configured, BaseLocaliser):
    """Translate the best English answer into the question's language, whatever it is.

    Asai et al. 2021, section 3.3. Unlike `chain`, no rule and no table comes first, so that runs
    with two translators differ in nothing else. The best `answers` in English of a question are
    translated: the chooser `rule` needs one. The others are copied; so are answers that
    `translator` does not translate, which a `Notice` counts.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa.lab.papers.translated_answers import TranslatedAnswers
        >>> localiser = TranslatedAnswers(translator={"use": "none"})
        >>> hit = Hit(Passage("kiel", "Kiel is a port."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(0, 4), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = localiser.localise([Question("q", "어디?", "ko")], [[candidate]])
        >>> answer.text, answer.method
        ('Kiel', 'copied')

    Raises:
        ConfigError: for a translator that does not exist, or that translates only questions.
    """

    version: int = 1

    def __init__(
        self,
        *,
        translator: Translator | Mapping[str, Any],
        answers: Count = 1,
        cache: Cache | None = None,
    ) -> None:
        if isinstance(translator, Mapping) and translator.get("use") == "human":
            raise ConfigError(
                "[localiser] 'translate' cannot use the translator 'human', which has translations "
                "of questions, not of answers"
            )
        self.translator: Translator = (
            build("translator", translator, translations={})
            if isinstance(translator, Mapping)
            else translator
        )
        self.answers, self.cache = answers, cache or NoCache()

    def fingerprint(self) -> str:
        """A hash of the translator and the settings."""
        return digest("translate", self.answers, self.translator.fingerprint())

    def check_languages(self, langs: Collection[str]) -> None:
        """Check that the translator translates into each language. Raises ConfigError."""
        for lang in sorted(set(langs) & set(LANGUAGES) - {ENGLISH}):
            self.translator.translate([], to=lang)

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate, in the same order, with the candidate's score."""
        rows = localise_all(questions, candidates, lambda text, lang, source: None)
        best = [
            self._best(row) if question.lang != ENGLISH else []
            for question, row in zip(questions, rows, strict=True)
        ]
        texts: dict[str, dict[str, None]] = {}
        for question, row, positions in zip(questions, rows, best, strict=True):
            if positions:
                of_lang = texts.setdefault(question.lang, {})
                of_lang.update(dict.fromkeys(row[at].text for at in positions))
        translations = self._translations(texts)
        untranslated = 0
        for question, row, positions in zip(questions, rows, best, strict=True):
            for at in positions:
                if text := translations.get((question.lang, row[at].text)):
                    row[at] = replace(row[at], text=text, lang=question.lang, method="translated")
                else:
                    untranslated += 1
        if untranslated:
            message = f"{quantity(untranslated, 'English answer')} left untranslated and copied"
            warnings.warn(f"[localiser] 'translate': {message}", Notice, stacklevel=2)
        return rows

    def _best(self, row: Sequence[Answer]) -> list[int]:
        """The positions of the best English answers, best first (ties: the earlier)."""
        english = [at for at, a in enumerate(row) if a.lang == ENGLISH and a.text.strip()]
        return sorted(english, key=lambda at: -row[at].score)[: self.answers]

    def _translations(self, texts: Mapping[str, Iterable[str]]) -> dict[tuple[str, str], str]:
        """The translations, by language and English text."""
        return {
            (lang, query.question.text): query.text
            for lang, of_lang in sorted(texts.items())
            for query in self.cache.translate_texts(self.translator, of_lang, lang=ENGLISH, to=lang)
            if query.lang == lang
        }
