"""All ways to say an English answer in the question's language, the surest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...caching import stages as cached
from ...caching.store import Cache, NoCache
from ...core.configured import Configured
from ...core.lang import LANGUAGES, cldr_version
from ...core.registry import build
from ...core.stages import BaseLocaliser, Translator
from ...core.types import Answer, Candidate, Question
from ...io.files import digest
from ..transliteration.name_table import BUNDLED, key, read_titles
from ..transliteration.transliterate import is_name, transliterate
from .localisers import localised
from .rules import say
from .units import metric


class ChainLocaliser(Configured, BaseLocaliser):
    """Rules, names that are known, transliteration, a translator; else the English copied.

    What comes first is taken, and `Answer.made` says what it was:

    1. "rule:...": dates, numbers, measures and CLDR's names (`rules.RULES`);
    2. "title": the name a table knows, first the user's `titles` (see `titles`), then ours;
    3. "name": a name (`transliterate.is_name`) where the language writes Latin letters, as it is;
       "transliterated": a name in another script;
    4. "translated": by `translator`, a stage or its table of settings, if there is one;
    5. "copied": the English text.

    `metric` says imperial measures in metric units first. Translations are kept in the cache.

    Raises:
        ConfigError: for a translator that does not exist.
        DataError: for a file of titles that cannot be read.
    """

    version: int = 1

    def __init__(
        self,
        *,
        titles: str | None = None,
        translator: Translator | Mapping[str, Any] | None = None,
        metric: bool = False,
        cache: Cache | None = None,
    ) -> None:
        files = [Path(titles)] if titles else []
        self.titles = [read_titles(path) for path in (*files, BUNDLED)]
        self.translator: Translator | None = (
            build("translator", translator, translations={})
            if isinstance(translator, Mapping)
            else translator
        )
        self.metric, self.cache = metric, cache or NoCache()

    def fingerprint(self) -> str:
        titles = [sorted(names.items()) for names in self.titles]
        by = self.translator.fingerprint() if self.translator else None
        return digest("chain", cldr_version(), titles, by, self.metric)

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer a candidate, in the same order, with the candidate's score."""
        rows = localised(questions, candidates, self.say)
        return self._translated(questions, rows) if self.translator else rows

    def say(self, text: str, lang: str) -> tuple[str, str] | None:
        """An English text in `lang` and how it was made; None where only a translator is left."""
        if said := say(metric(text) if self.metric else text, lang):
            return said
        for titles in self.titles:
            if name := titles.get((lang, key(text))):
                return name, "title"
        if lang in LANGUAGES and LANGUAGES[lang].script == "Latn" and is_name(text):
            return text, "name"
        name = transliterate(text, lang)
        return (name, "transliterated") if name else None

    def _translated(
        self, questions: Sequence[Question], rows: list[list[Answer]]
    ) -> list[list[Answer]]:
        """The English answers that were copied, through the translator, equal ones once."""
        made = dict[tuple[str, str], str]()
        for lang in sorted({question.lang for question in questions} & set(LANGUAGES)):
            texts = dict.fromkeys(
                answer.text
                for question, row in zip(questions, rows, strict=True)
                for answer in row
                if question.lang == lang and _left(answer)
            )
            made |= {(lang, text): said for text, said in self._translate(list(texts), lang)}
        return [
            [_replaced(question, answer, made) for answer in row]
            for question, row in zip(questions, rows, strict=True)
        ]

    def _translate(self, texts: Sequence[str], lang: str) -> list[tuple[str, str]]:
        """Those of the texts that the translator can say in `lang`."""
        if self.translator is None or not texts:
            return []
        queries = cached.translate_each(
            self.translator, texts, lang="en", to=lang, cache=self.cache
        )
        return [(q.question.text, q.text) for q in queries if q.text and q.lang == lang]


def _left(answer: Answer) -> bool:
    return answer.made == "copied" and answer.lang == "en" and bool(answer.text.strip())


def _replaced(question: Question, answer: Answer, made: Mapping[tuple[str, str], str]) -> Answer:
    text = made.get((question.lang, answer.text)) if _left(answer) else None
    if text is None:
        return answer
    return Answer(text, question.lang, answer.score, "translated", answer.source)
