"""A localiser that tries all methods, the most reliable first.

Lists of answers ("Angola, Benin and Ghana") are localised item by item. Phrases go to the
translator from English, if its weights are installed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import ConfigError
from ...core.lang import ENGLISH, LANGUAGES, cldr_version, locale
from ...core.registry import build
from ...core.stages import BaseLocaliser, Configured, Translator
from ...core.types import Answer, Candidate, Question
from ...io.cache import Cache, NoCache
from ...io.files import digest
from ...models.adapters import shipped
from ..transliteration.name_table import BUNDLED, FAMOUS, USUAL, key, read_titles
from ..transliteration.transliterate import (
    TABLES,
    is_name,
    open_learned,
    transliterate,
    without_article,
)
from .localisers import apply_rules, localise_all
from .names import read_english_generic
from .numbers import metric

LEAST_CONFIDENCE = 0.7
"""Below it, the first translator from English got no short held-out text right."""
TERMS = Path(__file__).parent / "terms.tsv"
"""Frequent answers that are no names of persons or places: "oxygen", "the Renaissance"."""
_NAMES = {"name", "title", "transliterated"}

_MOST_ITEMS = 10
_AND = re.compile(r",? and ")
_COMMAS = {"ar": "، "}  # its list pattern in the CLDR has no comma
_BARE_NUMBER = re.compile(r"[\d.,]+")
BUNDLED_MODEL = "translator-from-english"


class ChainLocaliser(Configured, BaseLocaliser):
    """Localise by rules, a table of names, transliteration or a translator; else copy the text.

    The first method that applies is used; `Answer.method` names it:

    1. "rule:...": dates, numbers, measures and CLDR's names (`localisers.ENGLISH`);
    2. "title": a name or a term in a table, first the user's `titles`, then ours;
    3. "name": a name (`transliterate.is_name`), unchanged if the language uses Latin letters;
       "transliterated": a name in another script, by `transliterator` where it is sure enough,
       and else by rule; a generic word in it is translated ("Lake", "University");
    4. "list": each item of a list by the methods above, joined as the language does;
    5. "translated": by `translator`, a stage or its table of settings, or else by `phrases`, into
       the languages that it has; not if the confidence it returns is below `least_confidence`;
    6. "copied": the unchanged text.

    Methods 1 and 2 work for every pair of languages, 3 to 5 only for English texts. `metric`
    first converts imperial measures in English texts to metric units. Translations are cached.
    `transliterator` is a file of weights, "bundled" for ours, or None or "" for rules alone;
    `phrases` is the weights of a translator from English, "bundled" for ours if they are
    installed, or None or "" for none.

    Example:
        >>> from xorqa import Candidate, CandidateScores, Hit, Passage, Question, Span
        >>> from xorqa import ChainLocaliser
        >>> question = Question("q", "그라츠에는 누가 살았나요?", "ko")
        >>> hit = Hit(Passage("graz", "Kepler lived in Graz."), 1.0)
        >>> candidate = Candidate(hit, 0, Span(0, 6), CandidateScores(-0.1, -0.2))
        >>> [[answer]] = ChainLocaliser().localise([question], [[candidate]])
        >>> answer.text, answer.method
        ('케플러', 'title')

    Raises:
        ConfigError: for a translator that does not exist, or that translates only questions.
        DataError: for a file of titles that cannot be read.
        WeightsError: for weights that are missing or are not a transliterator's.
    """

    version: int = 8

    def __init__(
        self,
        *,
        titles: str | None = None,
        translator: Translator | Mapping[str, Any] | None = None,
        transliterator: str | None = "bundled",
        phrases: str | None = "bundled",
        least_confidence: float = LEAST_CONFIDENCE,
        metric: bool = False,
        cache: Cache | None = None,
    ) -> None:
        if isinstance(translator, Mapping) and translator.get("use") == "human":
            raise ConfigError(
                "[localiser] 'chain' cannot use the translator 'human', which has translations "
                "of questions, not of answers"
            )
        self.paths = [*([Path(titles)] if titles else []), FAMOUS, BUNDLED, TERMS, USUAL]
        self.titles = [read_titles(path) for path in self.paths]
        self.translator: Translator | None = (
            build("translator", translator, translations={})
            if isinstance(translator, Mapping)
            else translator
        )
        self.transliterator = open_learned(transliterator)
        self.phrases = None if self.translator else open_phrases(phrases)
        self.least_confidence = least_confidence
        self.metric, self.cache = metric, cache or NoCache()

    def fingerprint(self) -> str:
        words = (read_titles(path) for path in TABLES if path not in self.paths)
        tables = *self.titles, *words
        titles = [sorted(names.items()) for names in tables]
        translator = self.translator or self.phrases
        by = translator.fingerprint() if translator else None
        learned = [self.transliterator.sha] if self.transliterator else []
        least = [self.least_confidence] if by and self.least_confidence != LEAST_CONFIDENCE else []
        return digest("chain", cldr_version(), titles, by, self.metric, *learned, *least)

    def check_languages(self, langs: Collection[str]) -> None:
        """Check that `translator`, if there is one, translates into each language.

        Raises:
            ConfigError: if it does not.
        """
        for lang in sorted(set(langs) & set(LANGUAGES) - {ENGLISH}):
            try:
                if self.translator:
                    self.translator.translate([], to=lang)
            except ConfigError as error:
                message = f"[localiser] 'chain' cannot write answers in '{lang}': {error}"
                raise ConfigError(message) from error

    def localise(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> list[list[Answer]]:
        """One answer per candidate, in the same order, with the candidate's score."""
        self._prepare(questions, candidates)
        rows = localise_all(questions, candidates, self.localise_text)
        return self._translated(questions, rows) if self.translator or self.phrases else rows

    def localise_text(self, text: str, lang: str, source: str = ENGLISH) -> tuple[str, str] | None:
        """The text in `lang` and its `Answer.method`; None if it needs a translator."""
        localised = self._localise_item(text, lang, source)
        if localised or source != ENGLISH or not (read := read_english_list(text)):
            return localised
        items = [self._localise_item(item, lang, source, whole=False) for item in read.items]
        written = [item for item in items if item]
        one_name = read.joins_two_words and all(method in _NAMES for _, method in written)
        if len(written) < len(items) or one_name:
            return None
        joined = write_list([text for text, _ in written], lang, conjunction=read.conjunction)
        return (joined, "list") if joined else None

    def _localise_item(
        self, text: str, lang: str, source: str, *, whole: bool = True
    ) -> tuple[str, str] | None:
        """A text that is no list, as `localise_text`; not `whole` if it is part of an answer."""
        english = source == ENGLISH
        if localised := apply_rules(
            metric(text) if self.metric and english else text, lang, source
        ):
            return localised
        # "Troy, Ohio" is not Homer's: USUAL, the last table, is for whole names
        usual = whole and (not english or is_name(text.removeprefix("the ")))
        for path in self.paths if usual else self.paths[:-1]:
            if name := read_titles(path, source=source).get((lang, key(text))):
                return name, "title"
        if not english:
            return None
        if (generic := read_english_generic(text)) and lang in generic.patterns:
            named = self._localise_item(generic.name, lang, source, whole=False)
            written = named and generic.patterns[lang].replace("{}", named[0])
            return (written, "transliterated") if written else None
        if lang in LANGUAGES and LANGUAGES[lang].script == "Latn" and is_name(text):
            return text, "name"
        learned, name = self.transliterator, without_article(text, lang)
        name = (learned and learned.transliterate(name, lang)) or transliterate(name, lang)
        return (name, "transliterated") if name else None

    def _prepare(
        self, questions: Sequence[Question], candidates: Sequence[Sequence[Candidate]]
    ) -> None:
        """Transliterate the names of all candidates in one batch per language."""
        if self.transliterator is None:
            return
        texts: dict[str, list[str]] = {}
        for question, row in zip(questions, candidates, strict=True):
            for candidate in row:
                if candidate.lang == ENGLISH:
                    read = read_english_list(candidate.text)
                    items = read.items if read else (candidate.text,)
                    names = (without_article(item, question.lang) for item in items)
                    texts.setdefault(question.lang, []).extend(names)
        for lang, of_lang in sorted(texts.items()):
            self.transliterator.prepare(of_lang, lang)

    def _translated(
        self, questions: Sequence[Question], rows: list[list[Answer]]
    ) -> list[list[Answer]]:
        """The rows with copied English answers translated; equal texts are translated once."""
        translations = dict[tuple[str, str], str]()
        for lang in sorted({question.lang for question in questions} & set(LANGUAGES)):
            texts = dict.fromkeys(
                answer.text
                for question, row in zip(questions, rows, strict=True)
                for answer in row
                if question.lang == lang and _is_untranslated(answer)
            )
            translations |= {
                (lang, text): translation
                for text, translation in self._translate(list(texts), lang)
            }
        for question, row in zip(questions, rows, strict=True):
            for position, answer in enumerate(row):
                text = translations.get((question.lang, answer.text))
                if text is not None and _is_untranslated(answer):
                    row[position] = replace(
                        answer, text=text, lang=question.lang, method="translated"
                    )
        return rows

    def _translate(self, texts: Sequence[str], lang: str) -> list[tuple[str, str]]:
        """The (text, translation) pairs of the texts that it can translate into `lang`."""
        translator = self.translator or self.phrases
        if self.phrases and not translates_into(self.phrases, lang):
            return []
        if translator is None or not texts:
            return []
        queries = self.cache.translate_texts(translator, texts, lang=ENGLISH, to=lang)
        return [
            (query.question.text, query.text)
            for query in queries
            if query.text
            and query.lang == lang
            and (query.confidence is None or query.confidence >= self.least_confidence)
        ]


def _is_untranslated(answer: Answer) -> bool:
    return answer.method == "copied" and answer.lang == ENGLISH and bool(answer.text.strip())


class EnglishList(NamedTuple):
    """The items of a list, and whether the last one follows "and"."""

    items: tuple[str, ...]
    conjunction: bool

    @property
    def joins_two_words(self) -> bool:
        """Whether it is "A and B", which may also be one name (Simon and Garfunkel)."""
        return self.conjunction and len(self.items) == 2 and not any(" " in i for i in self.items)


def read_english_list(text: str) -> EnglishList | None:
    """Read "A, B", "A and B" or "A, B, and C".

    A number beside words is no item: it lacks its unit ("10 and 20 percent").
    """
    conjunctions = list(_AND.finditer(text))
    first, last = text, []
    if len(conjunctions) == 1:
        [conjunction] = conjunctions
        first, last = text[: conjunction.start()], [text[conjunction.end() :]]
    items = tuple(item.strip() for item in [*first.split(", "), *last])
    if not 2 <= len(items) <= _MOST_ITEMS or not all(items):
        return None
    if len({_BARE_NUMBER.fullmatch(item) is None for item in items}) > 1:
        return None
    return EnglishList(items, conjunction=bool(last))


def write_list(items: Sequence[str], lang: str, *, conjunction: bool) -> str | None:
    """Join items as the CLDR's list patterns of a language do; None if it has none."""
    from babel.lists import format_list

    to = locale(lang)
    if to is None:
        return None
    if conjunction:
        return str(format_list(list(items), style="standard", locale=to))
    comma = str(to.list_patterns["standard"]["middle"]).replace("{0}", "").replace("{1}", "")
    return _COMMAS.get(lang, comma).join(items)


def open_phrases(model: str | None) -> Translator | None:
    """The translator of a setting: "bundled" is ours if it is shipped; None or "" is none."""
    if model == "bundled":
        model = BUNDLED_MODEL if BUNDLED_MODEL in shipped() else None
    table = {"use": "bundled", "model": model}
    return build("translator", table, translations={}) if model else None


def translates_into(translator: Translator, lang: str) -> bool:
    """Whether a translator has a language among its targets."""
    try:
        translator.translate([], to=lang)
    except ConfigError:
        return False
    return True
