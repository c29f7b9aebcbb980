"""The pipeline: translate, retrieve, rank, read, localise and choose, over one or more routes."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import Self, TypedDict, Unpack

from ..core.errors import ConfigError, InputError, Notice
from ..core.lang import ENGLISH, language, limits
from ..core.progress import StageTime, TaskProgress, announcing, displayed, silent
from ..core.registry import build
from ..core.stages import (
    BaseRetriever,
    Chooser,
    Localiser,
    Ranker,
    Reader,
    Retriever,
    Service,
    StageLike,
)
from ..core.text.detection import question_language
from ..core.types import Answer, Question, RouteResult, Trace
from ..datasets.corpus import Corpus
from ..io.cache import Cache, NoCache
from ..io.files import indexes_dir
from .confidence import estimate, least_confidence, shipped_is_calibrated
from .route_stages import (
    TYPED_QID,
    HumanReplacement,
    RouteStages,
    check_routes,
    searched_corpora,
    timed,
)
from .settings import DEFAULTS, PipelineSettings, Route, drawing, load_settings


class Stop(StrEnum):
    """The last stage to run; the first two produce XOR-Retrieve's and XOR-EnglishSpan's output."""

    RETRIEVE = "retrieve"  # with the ranker
    READ = "read"
    FULL = "full"


class PipelineOptions(TypedDict, total=False):
    """The parameters of a `Pipeline` that are no settings of its experiment."""

    translations: Mapping[str, str] | None
    indexes: Path | None
    cache: Cache | None
    progress: TaskProgress | None


class Pipeline:
    """Answers questions over one or more routes, which share stages and corpora.

    Stages are names, tables or objects, as in `Route`. `corpora` maps languages (or any key that
    a route names) to passages; `translations` maps qid to a human translation; `indexes` is the
    folder of the indexes, by default the one that all commands share. `cache` stores the output of
    translators, retrievers, rankers and readers; without one, `answer` and `ask` compute
    everything again. `progress` is called with the progress of each stage, which is shown on
    standard error by default (`silent` shows nothing). If a `recorded` route has no corpus, the
    texts that it replays are its corpus. `failures` has the questions that could not be
    translated, by route, and `unread` those whose passages could not be read.

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
        ranker: StageLike[Ranker] = DEFAULTS["ranker"],
        reader: StageLike[Reader] = DEFAULTS["reader"],
        localiser: StageLike[Localiser] = DEFAULTS["localiser"],
        chooser: StageLike[Chooser] = DEFAULTS["chooser"],
        k: int = 100,
        name: str = "experiment",
        translations: Mapping[str, str] | None = None,
        indexes: Path | None = None,
        cache: Cache | None = None,
        progress: TaskProgress | None = None,
    ) -> None:
        self.settings = PipelineSettings(tuple(routes), name, k, ranker, reader, localiser, chooser)
        self.corpora = searched_corpora(corpora, routes)
        self.indexes = indexes or indexes_dir()
        self.translations, self.cache, self.progress = translations, cache, progress
        check_routes(routes, self.corpora)
        stage_cache, without_human = cache or NoCache(), HumanReplacement()
        self._routes = {
            route.name: RouteStages(
                route,
                self.settings,
                self.corpora,
                translations=translations or {},
                without_human=without_human,
                indexes=self.indexes,
                cache=stage_cache,
            )
            for route in routes
        }
        self.failures = {name: route.failures for name, route in self._routes.items()}
        self.unread = {name: route.unread for name, route in self._routes.items()}
        self._localiser: Localiser = build("localiser", self.settings.localiser, cache=stage_cache)
        self._chooser: Chooser = build("chooser", self.settings.chooser)

    def __repr__(self) -> str:
        """The routes, a line each."""
        return f"{type(self).__name__} {self.settings.name}\n{drawing(self.settings)}"

    @classmethod
    def from_config(
        cls,
        config: str | Path | PipelineSettings,
        corpora: Mapping[str, Corpus],
        *,
        changes: Sequence[str] = (),
        **options: Unpack[PipelineOptions],
    ) -> Self:
        """Build the pipeline of a TOML file, or of a bundled example by its name.

        `changes` override single settings, such as `reader.passages=3`; `options` are those of the
        constructor from `translations` on.
        """
        if not isinstance(config, PipelineSettings):
            config = load_settings(config, changes=changes)
        settings = {field.name: getattr(config, field.name) for field in fields(config)}
        return cls(settings.pop("routes"), corpora, **settings, **options)

    def with_options(self, **options: Unpack[PipelineOptions]) -> Self:
        """The same experiment over the same corpora with other options, those of `from_config`.

        Stages that are objects are shared; without options, it is this pipeline itself.
        """
        if not options:
            return self
        present = PipelineOptions(
            translations=self.translations,
            indexes=self.indexes,
            cache=self.cache,
            progress=self.progress,
        )
        present.update(options)
        return self.from_config(self.settings, self.corpora, **present)

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
        seconds: dict[str, float] = {}
        clock = partial(timed, seconds, on_stage)
        by_route: list[dict[str, RouteResult]] = [{} for _ in questions]
        with _reporting(self.progress) as progress:
            self._check(questions, until)
            for stages in self._routes.values():
                stages.failures.clear()
                stages.unread.clear()
            for name, stages in self._routes.items():
                if until is Stop.READ and stages.route.corpus != ENGLISH:
                    continue
                for corpus, positions in stages.by_corpus(questions).items():
                    batch = [questions[position] for position in positions]
                    read = until is not Stop.RETRIEVE
                    results = stages.follow(
                        corpus, batch, read=read, clock=clock, progress=progress
                    )
                    for position, result in zip(positions, results, strict=True):
                        by_route[position][name] = result
            candidates = [
                tuple(candidate for result in results.values() for candidate in result.candidates)
                for results in by_route
            ]
            localised: Sequence[Sequence[Answer]] = [()] * len(questions)
            chosen: Sequence[Answer | None] = [None] * len(questions)
            with clock("answer"):
                if until is Stop.FULL:
                    localised = self._localiser.localise(questions, candidates)
                    chosen = self._chooser.choose(questions, localised)
        return [
            Trace(question, results, spans, answer, seconds, tuple(answers))
            for question, results, spans, answer, answers in zip(
                questions, by_route, candidates, chosen, localised, strict=True
            )
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
        least = least_confidence(min_confidence)
        [trace] = self.answer([_typed_question(text, lang)])
        return estimate(trace, calibrated=self._calibrated, min_confidence=least)

    def ask_all(
        self,
        questions: Sequence[tuple[str, str | None]],
        *,
        min_confidence: float | None = None,
        on_stage: StageTime = silent,
    ) -> list[Trace]:
        """Answer questions, each with its language or None, in one batch; see `ask`, `answer`."""
        least = least_confidence(min_confidence)
        typed = [_typed_question(text, lang) for text, lang in questions]
        return [
            estimate(trace, calibrated=self._calibrated, min_confidence=least)
            for trace in self.answer(typed, on_stage=on_stage)
        ]

    @cached_property
    def _calibrated(self) -> bool:
        return shipped_is_calibrated(self.settings)

    def _check(self, questions: Sequence[Question], until: Stop) -> None:
        """Reject questions and languages before any stage runs."""
        if until is Stop.READ and all(r.corpus != ENGLISH for r in self.settings.routes):
            raise ConfigError(
                f"stopping after reading needs a route over '{ENGLISH}', and the config has none; "
                "use --until full or --until retrieve"
            )
        for question in questions:
            name = question.qid or "(unnamed)"
            if not question.text.strip():
                raise InputError(f"question {name} is empty; type one")
            try:
                question.text.encode()
            except UnicodeEncodeError as error:
                raise InputError(f"question {name} is not Unicode text: {error.reason}") from error
        if until is Stop.FULL:
            # The languages of questions that are answered from passages in other languages.
            langs = {
                questions[position].lang
                for stages in self._routes.values()
                for corpus, positions in stages.by_corpus(questions).items()
                for position in positions
                if self.corpora[corpus].languages != [questions[position].lang]
            }
            self._localiser.check_languages(langs)

    def services(self) -> dict[str, Service]:
        """The stages that may call a service.

        They are translators, named by their routes or `localiser`, readers, as ROUTE.read, and
        rankers, as ROUTE.rank.CORPUS.
        """
        stages: dict[str, object] = {name: r.translator for name, r in self._routes.items()}
        stages["localiser"] = self._localiser.translator
        for name, route in self._routes.items():
            stages[f"{name}.read"] = route.reader
            for corpus, ranker in route.rankers.items():
                stages[f"{name}.rank.{corpus}"] = ranker
        return {name: stage for name, stage in stages.items() if isinstance(stage, Service)}

    def verify(self) -> list[str]:
        """Compare the indexes on disk with the checksums in their manifests; a note for each.

        Raises:
            DataError: if a file differs.
        """
        return list(dict.fromkeys(note for each in self._retrievers() for note in each.verify()))

    def is_indexed(self) -> bool:
        """Whether every retriever has its index, so that no question waits for one to be built.

        Raises:
            IndexMismatchError, DataError: if one has another index, or a damaged one.
        """
        return all(r.is_complete() for r in self._retrievers() if isinstance(r, BaseRetriever))

    def _retrievers(self) -> Iterator[Retriever]:
        for route in self._routes.values():
            yield from route.retrievers.values()

    def retriever(self, route: Route, corpus: str) -> Retriever:
        """The retriever of a route over one corpus."""
        return self._routes[route.name].retrievers[corpus]

    def reader(self, route: Route) -> Reader:
        """The reader of a route."""
        return self._routes[route.name].reader


def _typed_question(text: str, lang: str | None) -> Question:
    """The question, in `lang` or the detected language, with a `Notice` if that lacks a stage."""
    code = language(lang).code if lang else question_language(text)
    if lacks := limits(code):
        warnings.warn(lacks, Notice, stacklevel=2)
    return Question(TYPED_QID, text, code)


@contextmanager
def _reporting(progress: TaskProgress | None) -> Iterator[TaskProgress]:
    """What stages report their progress to: by default standard error."""
    if progress is None:
        with displayed() as display:
            yield display
    elif progress is silent:
        with announcing(silent):  # announcements are dropped, too
            yield silent
    else:
        yield progress
