"""The stages of a route, and how questions pass through them: translate, retrieve, rank, read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ..core.progress import Progress, TaskProgress
from ..core.registry import build
from ..core.stages import Ranker, Reader, Retriever, Translator
from ..core.types import Candidate, Hit, Query, Question, ReadingFailure, TranslationFailure
from ..datasets.corpus import Corpus
from ..io import cached_stages as cached
from ..io.cache import Cache
from ..retrieval.manifest import folder_of
from ..retrieval.over_corpus import retriever_over
from .settings import ENGLISH, POOL, TARGET, PipelineSettings, Route
from .stage_progress import Clock
from .user_questions import TYPED_QID, HumanReplacement, are_typed

HUMAN = "human"


@dataclass(frozen=True, slots=True)
class RouteResult:
    """What a route did for one question; `hits` are those `retrieved`, ranked."""

    query: Query
    retrieved: Sequence[Hit]
    hits: Sequence[Hit]
    candidates: Sequence[Candidate]


class RouteStages:
    """The stages of a route, its retriever and its ranker once for each corpus that it may search.

    `failures` has the questions that could not be translated, and `unread` those whose passages
    could not be read.

    Raises:
        ConfigError: for a stage or a setting that does not exist.
    """

    def __init__(
        self,
        route: Route,
        settings: PipelineSettings,
        corpora: Mapping[str, Corpus],
        *,
        translations: Mapping[str, str],
        without_human: HumanReplacement,
        indexes: Path,
        cache: Cache,
    ) -> None:
        self.route, self.corpora, self.cache = route, corpora, cache
        self.is_ranked = settings.is_ranked(route)
        self.k = settings.k if route.k is None else route.k
        self.failures: list[TranslationFailure] = []
        self.unread: list[ReadingFailure] = []
        self.translator: Translator = build(
            "translator",
            route.translator,
            translations=translations,
            failed=self.failures.append,
        )
        self._translations, self._without_human = translations, without_human
        self.reader: Reader = build(
            "reader", settings.reader_of(route), cache=cache, failed=self.unread.append
        )
        self.retrievers: dict[str, Retriever] = {}
        self.rankers: dict[str, Ranker] = {}
        for key in [route.corpus] if route.corpus != TARGET else sorted({*corpora} - {POOL}):
            passages = corpora[key]  # stages are cheap to build, so a mistake is reported at once
            folder = folder_of(passages, indexes)
            self.retrievers[key] = retriever_over(passages, route.retriever, folder)
            self.rankers[key] = build("ranker", settings.ranker_of(route), corpus=passages)

    def by_corpus(self, questions: Sequence[Question]) -> dict[str, list[int]]:
        """The positions of the questions that the route serves, by the corpus that it searches."""
        if self.route.corpus != TARGET:
            return {self.route.corpus: list(range(len(questions)))}
        groups: dict[str, list[int]] = {}
        for at, question in enumerate(questions):
            if question.lang in self.corpora and question.lang != ENGLISH:
                groups.setdefault(question.lang, []).append(at)
        return groups

    def follow(
        self, questions: Sequence[Question], *, read: bool, clock: Clock, progress: TaskProgress
    ) -> Iterator[tuple[int, RouteResult]]:
        """The results of the questions that the route serves, with their positions.

        Without `read`, they have no candidates.
        """
        for corpus, positions in self.by_corpus(questions).items():
            batch = [questions[at] for at in positions]
            results = self._follow(corpus, batch, read=read, clock=clock, progress=progress)
            yield from zip(positions, results, strict=True)

    def _follow(
        self,
        corpus: str,
        questions: Sequence[Question],
        *,
        read: bool,
        clock: Clock,
        progress: TaskProgress,
    ) -> Iterator[RouteResult]:
        """Translate, retrieve, rank and, with `read`, read: one result per question."""
        name, cache, passages = self.route.name, self.cache, self.corpora[corpus]
        retriever = self.retrievers[corpus]

        def report(stage: str) -> Progress:
            return partial(progress, f"{name}: {stage}")

        with clock(f"{name}.translate"):
            queries = self._translate(questions, passages, report("translate"))
        with clock(f"{name}.index"):
            if queries:
                retriever.build(progress=partial(progress, f"index {passages.name}"))
        with clock(f"{name}.retrieve"):
            hits = retrieved = cached.retrieve(
                retriever, queries, passages, k=self.k, cache=cache, progress=report("retrieve")
            )
        if self.is_ranked:
            ranker = self.rankers[corpus]
            with clock(f"{name}.rank"):
                hits = cached.rank(
                    ranker, queries, retrieved, passages, cache=cache, progress=report("rank")
                )
        candidates: list[list[Candidate]] = [[] for _ in queries]
        if read:
            with clock(f"{name}.read"):
                candidates = self._read(queries, hits, report("read"))
        return map(RouteResult, queries, retrieved, hits, candidates)

    def _translate(
        self, questions: Sequence[Question], passages: Corpus, progress: Progress
    ) -> list[Query]:
        languages = passages.languages
        to = languages[0] if len(languages) == 1 else ENGLISH
        translator = self.translator
        lacks_human = self.route.translator["use"] == HUMAN and TYPED_QID not in self._translations
        if lacks_human and are_typed(questions):
            translator = self._without_human.translator(self.route.name, questions, to=to)
        return cached.translate(translator, questions, to=to, cache=self.cache, progress=progress)

    def _read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]], progress: Progress
    ) -> list[list[Candidate]]:
        read = cached.read(self.reader, queries, hits, cache=self.cache, progress=progress)
        name = self.route.name
        return [[replace(each, route=name) for each in candidates] for candidates in read]
