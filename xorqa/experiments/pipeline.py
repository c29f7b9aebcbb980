"""The pipeline: translate, retrieve, rank, read, localise and choose, over one or more routes."""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

from ..caching import stages as cached
from ..caching.store import Cache, NoCache
from ..core.errors import ConfigError, InputError, Notice, one_of
from ..core.lang import language, limits
from ..core.named import check_name
from ..core.progress import StageTime, TaskProgress, announcing, silent
from ..core.registry import build
from ..core.stages import Chooser, Localiser, Ranker, Reader, Retriever, Service, Translator
from ..core.types import (
    Answer,
    Candidate,
    Hit,
    Query,
    Question,
    ReadingFailure,
    Trace,
    TranslationFailure,
)
from ..datasets.corpus import Corpus, pool_of
from ..io.files import indexes_dir
from ..io.progress_display import displayed
from ..retrieval import recorded
from ..retrieval.manifest import folder_of
from ..retrieval.over_corpus import retriever_over
from ..text.detection import question_language
from .confidence import estimate, least_confidence, shipped_is_calibrated
from .settings import DEFAULTS, ENGLISH, POOL, TARGET, PipelineSettings, Route, load_settings

ASKED = "asked"  # the qid of a typed question
HUMAN = "human"


@dataclass(frozen=True, slots=True)
class _Found:
    """What a route found for one question; `hits` are those `retrieved`, ranked."""

    query: Query
    retrieved: list[Hit]
    hits: list[Hit]
    read: list[Candidate]


class Stop(StrEnum):
    """The last stage to run; the first two produce XOR-Retrieve's and XOR-EnglishSpan's output."""

    RETRIEVE = "retrieve"  # with the ranker
    READ = "read"
    FULL = "full"


class Pipeline:
    """Answers questions over one or more routes, which share stages and corpora.

    Stages are names, tables or objects, as in `Route`. `corpora` maps languages (or any key that
    a route names) to passages; `translations` maps qid to a human translation; `indexes` is the
    folder of the indexes, by default the one that all commands share. `progress` is called with
    the progress of each stage, which is shown on standard error by default (`silent` shows
    nothing). If a `recorded` route has no corpus, the texts that it replays are its corpus.
    `failures` has the questions that could not be translated, by route, and `unread` those whose
    passages could not be read.

    Example:
        Pipeline([Route("eng", retriever=Hybrid([Bm25(), Dense("e5-small-q4")]))],
                 corpora=xorqa.load_dataset("mini").corpora, reader=SpanReader(passages=5))

    Raises:
        ConfigError: for a stage, a setting or a corpus that does not exist.
    """

    def __init__(
        self,
        routes: Sequence[Route],
        corpora: Mapping[str, Corpus],
        *,
        ranker: Any = DEFAULTS["ranker"],
        reader: Any = DEFAULTS["reader"],
        localiser: Any = DEFAULTS["localiser"],
        chooser: Any = DEFAULTS["chooser"],
        k: int = 100,
        name: str = "experiment",
        translations: Mapping[str, str] | None = None,
        indexes: Path | None = None,
        cache: Cache | None = None,
        progress: TaskProgress | None = None,
    ) -> None:
        self.settings = PipelineSettings(tuple(routes), name, k, ranker, reader, localiser, chooser)
        corpora = _with_recorded(corpora, self.settings.routes)
        self.corpora = _with_pool(corpora, routes)
        self.translations = translations or {}
        self.indexes = indexes or indexes_dir()
        self.cache = cache or NoCache()
        self.progress = progress
        self._check_routes(corpora)
        self.failures: dict[str, list[TranslationFailure]] = {route.name: [] for route in routes}
        self.unread: dict[str, list[ReadingFailure]] = {route.name: [] for route in routes}
        self.translators: dict[str, Translator] = {
            route.name: build(
                "translator",
                route.translator,
                translations=self.translations,
                failed=self.failures[route.name].append,
            )
            for route in routes
        }
        self._retrievers: dict[tuple[str, str], Retriever] = {}
        self._rankers: dict[tuple[str, str], Ranker] = {}
        self._readers: dict[str, Reader] = {
            route.name: build(
                "reader",
                self.settings.reader_of(route),
                cache=self.cache,
                failed=self.unread[route.name].append,
            )
            for route in routes
        }
        self._localiser: Localiser = build("localiser", self.settings.localiser, cache=self.cache)
        self._chooser: Chooser = build("chooser", self.settings.chooser)
        for route in routes:  # cheap to build, so a mistake is reported at once
            for key in [route.corpus] if route.corpus != TARGET else sorted({*corpora} - {POOL}):
                self.retriever(route, key)
                self._ranker(route, key)

    @classmethod
    def from_config(
        cls,
        config: str | Path | PipelineSettings,
        corpora: Mapping[str, Corpus],
        *,
        changes: Sequence[str] = (),
        **options: Any,
    ) -> Self:
        """Build the pipeline of a TOML file, or of a bundled example by its name.

        `changes` override single settings, such as `reader.passages=3`; `options` are those of the
        constructor from `translations` on.
        """
        if not isinstance(config, PipelineSettings):
            config = load_settings(config, changes=changes)
        settings = {field.name: getattr(config, field.name) for field in fields(config)}
        return cls(settings.pop("routes"), corpora, **settings, **options)

    def _check_routes(self, corpora: Mapping[str, Corpus]) -> None:
        names = [route.name for route in self.settings.routes]
        if len(set(names)) < len(names):
            raise ConfigError(f"routes need different names, not {', '.join(names)}")
        for route in self.settings.routes:
            check_name(route.name, where="a route's name", spaces=False)
            if route.corpus not in {TARGET, *self.corpora}:
                raise ConfigError(
                    f"route '{route.name}' has no corpus '{route.corpus}'; "
                    f"valid: {one_of({TARGET, POOL, *corpora})}"
                )

    def answer(
        self,
        questions: Sequence[Question],
        *,
        until: Stop = Stop.FULL,
        on_stage: StageTime = silent,
    ) -> list[Trace]:
        """Return one trace per question, in order; `Stop.READ` runs only routes over English.

        `on_stage` is called after each stage with its name and its seconds; if it raises, no other
        stage runs.

        Raises:
            InputError: for an empty question, or one that is not Unicode.
            ConfigError: for `Stop.READ` without a route over English, or for a language that the
                localiser does not support.
        """
        with self._reporting() as self._report:
            return self._answer(questions, until, on_stage)

    def _reporting(self) -> AbstractContextManager[TaskProgress]:
        """What stages report their progress to; `silent` also drops announcements."""
        if self.progress is None:
            return displayed()
        return _silence() if self.progress is silent else nullcontext(self.progress)

    def _answer(
        self, questions: Sequence[Question], until: Stop, on_stage: StageTime
    ) -> list[Trace]:
        if until is Stop.READ and all(r.corpus != ENGLISH for r in self.settings.routes):
            raise ConfigError(
                f"stopping after reading needs a route over '{ENGLISH}', and the config has none; "
                "use --until full or --until retrieve"
            )
        for question in questions:
            _check(question)
        if until is Stop.FULL:
            self._check_localiser(questions)
        for route in self.settings.routes:
            self.failures[route.name].clear()
            self.unread[route.name].clear()
        seconds: dict[str, float] = {}
        clock = partial(_timed, seconds, on_stage)
        by_route: list[dict[str, tuple[Query, Sequence[Hit]]]] = [{} for _ in questions]
        retrieved: list[dict[str, Sequence[Hit]]] = [{} for _ in questions]
        candidates: list[list[Candidate]] = [[] for _ in questions]
        for route in self.settings.routes:
            if until is Stop.READ and route.corpus != ENGLISH:
                continue
            for corpus, positions in self._by_corpus(route, questions).items():
                batch = [questions[at] for at in positions]
                results = self._follow(route, corpus, batch, until=until, clock=clock)
                for at, found in zip(positions, results, strict=True):
                    by_route[at][route.name] = (found.query, found.hits)
                    if self.settings.is_ranked(route):
                        retrieved[at][route.name] = found.retrieved
                    candidates[at] += found.read
        localised: Sequence[Sequence[Answer]] = [()] * len(questions)
        chosen: Sequence[Answer | None] = [None] * len(questions)
        with clock("answer"):
            if until is Stop.FULL:
                localised = self._localiser.localise(questions, candidates)
                chosen = self._chooser.choose(questions, localised)
        rows = zip(questions, by_route, candidates, chosen, localised, retrieved, strict=True)
        return [
            Trace(question, routes, tuple(read), answer, seconds, tuple(answers), retrieved=before)
            for question, routes, read, answer, answers, before in rows
        ]

    def ask(
        self, text: str, *, lang: str | None = None, min_confidence: float | None = None
    ) -> Trace:
        """Answer a question in the language `lang` (ISO 639-1), by default the detected one.

        The trace's answers have a confidence; `Trace.found` is false if that of the first is below
        `min_confidence`, from 0 to 1 (default: chosen on training questions).

        A `Notice` is issued if the detection is uncertain, or if the language lacks a stage.

        It has no human translation: routes over English use the translator `bundled` in place of
        `human`, others search with the original question, and a `Notice` is issued.
        """
        [trace] = self.ask_all([(text, lang)], min_confidence=min_confidence)
        return trace

    def ask_all(
        self,
        questions: Sequence[tuple[str, str | None]],
        *,
        min_confidence: float | None = None,
        on_stage: StageTime = silent,
    ) -> list[Trace]:
        """Answer questions, each with its language or None, in one batch; see `ask`, `answer`."""
        least = least_confidence(min_confidence)
        asked = [Question(ASKED, text, _language(text, lang)) for text, lang in questions]
        return [
            estimate(trace, calibrated=self._calibrated, min_confidence=least)
            for trace in self.answer(asked, on_stage=on_stage)
        ]

    def _check_localiser(self, questions: Sequence[Question]) -> None:
        """Let the localiser reject languages before retrieval."""
        langs: set[str] = set()
        for route in self.settings.routes:
            for corpus, positions in self._by_corpus(route, questions).items():
                question_langs = {questions[at].lang for at in positions}
                langs |= {
                    lang for lang in question_langs if self.corpora[corpus].languages != [lang]
                }
        self._localiser.check_languages(langs)

    def all_translators(self) -> dict[str, Translator]:
        """The translators of the routes, and the localiser's, if it has one."""
        translator = self._localiser.translator
        return self.translators | ({"localiser": translator} if translator else {})

    def services(self) -> dict[str, Service]:
        """The stages that may call a service: translators by route, readers by ROUTE.read."""
        readers = {f"{name}.read": each for name, each in self._readers.items()}
        return {
            name: each
            for name, each in (self.all_translators() | readers).items()
            if isinstance(each, Service)
        }

    def verify(self) -> list[str]:
        """Compare the indexes on disk with the checksums in their manifests; a note for each.

        Raises:
            DataError: if a file differs.
        """
        retrievers = self._retrievers.values()
        return list(dict.fromkeys(note for each in retrievers for note in each.verify()))

    def retriever(self, route: Route, corpus: str) -> Retriever:
        """The retriever of a route over one corpus, built once."""
        key = (route.name, corpus)
        if key not in self._retrievers:
            passages = self.corpora[corpus]
            indexes = folder_of(passages, self.indexes)
            self._retrievers[key] = retriever_over(passages, route.retriever, indexes)
        return self._retrievers[key]

    def _ranker(self, route: Route, corpus: str) -> Ranker:
        """The ranker of a route over one corpus, built once."""
        key = (route.name, corpus)
        if key not in self._rankers:
            table = self.settings.ranker_of(route)
            self._rankers[key] = build("ranker", table, corpus=self.corpora[corpus])
        return self._rankers[key]

    def reader(self, route: Route) -> Reader:
        """The reader of a route."""
        return self._readers[route.name]

    def _by_corpus(self, route: Route, questions: Sequence[Question]) -> dict[str, list[int]]:
        """The positions of the questions that a route serves, by the corpus it searches."""
        if route.corpus != TARGET:
            return {route.corpus: list(range(len(questions)))}
        groups: dict[str, list[int]] = {}
        for at, question in enumerate(questions):
            if question.lang in self.corpora and question.lang != ENGLISH:
                groups.setdefault(question.lang, []).append(at)
        return groups

    def _follow(
        self,
        route: Route,
        corpus: str,
        questions: Sequence[Question],
        *,
        until: Stop,
        clock: Callable[[str], AbstractContextManager[None]],
    ) -> Iterator[_Found]:
        """Translate, retrieve, rank and, unless `until` is earlier, read: one per question."""
        with clock(f"{route.name}.translate"):
            queries = self._translate(route, corpus, questions)
        with clock(f"{route.name}.index"):
            if queries:
                report = partial(self._report, f"index {self.corpora[corpus].name}")
                self.retriever(route, corpus).build(progress=report)
        with clock(f"{route.name}.retrieve"):
            hits = retrieved = self._retrieve(route, corpus, queries)
        if self.settings.is_ranked(route):
            with clock(f"{route.name}.rank"):
                hits = self._rank(route, corpus, queries, retrieved)
        read: list[list[Candidate]] = [[] for _ in queries]
        if until is not Stop.RETRIEVE:
            with clock(f"{route.name}.read"):
                read = self._read(route, queries, hits)
        return map(_Found, queries, retrieved, hits, read)

    def _translate(self, route: Route, corpus: str, questions: Sequence[Question]) -> list[Query]:
        languages = self.corpora[corpus].languages
        to = languages[0] if len(languages) == 1 else ENGLISH
        translator = self._translator(route, questions, to=to)
        report = partial(self._report, f"{route.name}: translate")
        return cached.translate(translator, questions, to=to, cache=self.cache, progress=report)

    def _translator(self, route: Route, questions: Sequence[Question], *, to: str) -> Translator:
        """The route's translator, or what replaces `human` for a typed question."""
        typed = {question.qid for question in questions} == {ASKED}
        if not typed or route.translator["use"] != HUMAN or ASKED in self.translations:
            return self.translators[route.name]
        translator = self._bundled if to == ENGLISH else self._untranslated
        if any(question.lang != to for question in questions):
            manner = "the bundled translator" if to == ENGLISH else "the original question"
            warnings.warn(
                f"route {route.name}: a typed question has no human translation; searched with "
                f"{manner}",
                Notice,
                stacklevel=2,
            )
        return translator

    @cached_property
    def _calibrated(self) -> bool:
        return shipped_is_calibrated(self.settings)

    @cached_property
    def _bundled(self) -> Translator:
        translator: Translator = build("translator", {"use": "bundled"})
        return translator

    @cached_property
    def _untranslated(self) -> Translator:
        translator: Translator = build("translator", {"use": "none"})
        return translator

    def _retrieve(self, route: Route, corpus: str, queries: Sequence[Query]) -> list[list[Hit]]:
        retriever, passages = self.retriever(route, corpus), self.corpora[corpus]
        k = self.settings.k if route.k is None else route.k
        report = partial(self._report, f"{route.name}: retrieve")
        return cached.retrieve(retriever, queries, passages, k=k, cache=self.cache, progress=report)

    def _rank(
        self, route: Route, corpus: str, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Hit]]:
        ranker, passages = self._ranker(route, corpus), self.corpora[corpus]
        report = partial(self._report, f"{route.name}: rank")
        return cached.rank(ranker, queries, hits, passages, cache=self.cache, progress=report)

    def _read(
        self, route: Route, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        reader, report = self._readers[route.name], partial(self._report, f"{route.name}: read")
        read = cached.read(reader, queries, hits, cache=self.cache, progress=report)
        return [[replace(each, route=route.name) for each in candidates] for candidates in read]


def _language(text: str, lang: str | None) -> str:
    """The code of a typed question's language; a `Notice` is issued if it lacks a stage."""
    code = language(lang).code if lang else question_language(text)
    if lacks := limits(code):
        warnings.warn(lacks, Notice, stacklevel=2)
    return code


def _check(question: Question) -> None:
    name = question.qid or "(unnamed)"
    if not question.text.strip():
        raise InputError(f"question {name} is empty; type one")
    try:
        question.text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"question {name} is not Unicode text: {error.reason}") from error


def _with_recorded(corpora: Mapping[str, Corpus], routes: Sequence[Route]) -> Mapping[str, Corpus]:
    """The corpora, and those of routes that replay recorded texts."""
    for route in routes:
        if route.corpus in (TARGET, ENGLISH) and route.corpus not in corpora:
            texts = recorded.corpora_of(route.retriever, english=route.corpus == ENGLISH)
            corpora = {**texts, **corpora}
    return corpora


def _with_pool(corpora: Mapping[str, Corpus], routes: Sequence[Route]) -> Mapping[str, Corpus]:
    """The corpora, and all of them as one pool if a route searches it and none was passed."""
    if POOL in corpora or all(route.corpus != POOL for route in routes):
        return corpora
    return {**corpora, POOL: pool_of(corpora)}


@contextmanager
def _silence() -> Iterator[TaskProgress]:
    with announcing(silent):
        yield silent


@contextmanager
def _timed(seconds: dict[str, float], on_stage: StageTime, name: str) -> Iterator[None]:
    """Add the seconds spent in the block to `seconds[name]`, and report them."""
    start = time.perf_counter()
    yield
    spent = time.perf_counter() - start
    seconds[name] = seconds.get(name, 0.0) + spent
    on_stage(name, spent)
