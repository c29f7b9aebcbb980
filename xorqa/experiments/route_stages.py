"""The stages of a route, and how questions pass through them: translate, retrieve, rank, read.

A pipeline checks its routes and chooses the corpora that they search with `check_routes` and
`searched_corpora`.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from ..core.errors import ConfigError, Notice, one_of
from ..core.lang import ENGLISH
from ..core.named import check_name
from ..core.progress import Progress, StageTime, TaskProgress
from ..core.registry import build
from ..core.stages import Ranker, Reader, Retriever, Translator
from ..core.types import Candidate, Query, Question, ReadingFailure, RouteResult, TranslationFailure
from ..datasets.corpus import Corpus, pool_of
from ..io.cache import Cache
from ..retrieval import recorded
from ..retrieval.manifest import folder_of
from ..retrieval.over_corpus import retriever_over
from .settings import POOL, TARGET, PipelineSettings, Route

HUMAN = "human"
TYPED_QID = "asked"
"""The id of a question that a user typed."""

Clock = Callable[[str], AbstractContextManager[None]]
"""Times a block, by the name of its stage."""


class HumanReplacement:
    """The translators that replace `human` for typed questions, each built on first use."""

    def __init__(self) -> None:
        self._built: dict[str, Translator] = {}

    def translator(self, route: str, questions: Sequence[Question], *, to: str) -> Translator:
        """`bundled` for a route over English, otherwise `none`.

        A `Notice` is issued if a question is not in the language `to`.
        """
        name, manner = "none", "the original question"
        if to == ENGLISH:
            name, manner = "bundled", "the bundled translator"
        if any(question.lang != to for question in questions):
            warnings.warn(
                f"route {route}: a typed question has no human translation; searched with {manner}",
                Notice,
                stacklevel=2,
            )
        if name not in self._built:
            self._built[name] = build("translator", {"use": name})
        return self._built[name]


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
            "translator", route.translator, translations=translations, failed=self.failures.append
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
            self.rankers[key] = build(
                "ranker", settings.ranker_of(route), corpus=passages, cache=cache
            )

    def by_corpus(self, questions: Sequence[Question]) -> dict[str, list[int]]:
        """The positions of the questions that the route serves, by the corpus that it searches."""
        if self.route.corpus != TARGET:
            return {self.route.corpus: list(range(len(questions)))}
        groups: dict[str, list[int]] = {}
        for position, question in enumerate(questions):
            # English questions are left to the routes over English passages.
            if question.lang in self.corpora and question.lang != ENGLISH:
                groups.setdefault(question.lang, []).append(position)
        return groups

    def follow(
        self,
        corpus: str,
        questions: Sequence[Question],
        *,
        read: bool,
        clock: Clock,
        progress: TaskProgress,
    ) -> list[RouteResult]:
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
            hits = retrieved = cache.retrieve(
                retriever, queries, passages, k=self.k, progress=report("retrieve")
            )
        if self.is_ranked:
            ranker = self.rankers[corpus]
            with clock(f"{name}.rank"):
                hits = cache.rank(ranker, queries, retrieved, passages, progress=report("rank"))
        candidates: list[list[Candidate]] = [[] for _ in queries]
        if read:
            with clock(f"{name}.read"):
                candidates = cache.read(self.reader, queries, hits, progress=report("read"))
        return [
            RouteResult(
                query,
                ranked,
                [replace(candidate, route=name) for candidate in spans],
                unranked if self.is_ranked else None,
            )
            for query, ranked, spans, unranked in zip(
                queries, hits, candidates, retrieved, strict=True
            )
        ]

    def _translate(
        self, questions: Sequence[Question], passages: Corpus, progress: Progress
    ) -> list[Query]:
        languages = passages.languages
        to = languages[0] if len(languages) == 1 else ENGLISH
        translator = self.translator
        lacks_human = self.route.translator["use"] == HUMAN and TYPED_QID not in self._translations
        if lacks_human and {question.qid for question in questions} == {TYPED_QID}:
            translator = self._without_human.translator(self.route.name, questions, to=to)
        return self.cache.translate(translator, questions, to=to, progress=progress)


@contextmanager
def timed(seconds: dict[str, float], on_stage: StageTime, name: str) -> Iterator[None]:
    """Add the seconds spent in the block to `seconds[name]`, and report them."""
    start = time.perf_counter()
    yield
    spent = time.perf_counter() - start
    seconds[name] = seconds.get(name, 0.0) + spent
    on_stage(name, spent)


def searched_corpora(
    corpora: Mapping[str, Corpus], routes: Sequence[Route]
) -> Mapping[str, Corpus]:
    """The corpora, with the texts that routes replay and, if a route searches it, the pool.

    Corpora that are given are not replaced.
    """
    for route in routes:
        if route.corpus in (TARGET, ENGLISH) and route.corpus not in corpora:
            texts = recorded.corpora_of(route.retriever, english=route.corpus == ENGLISH)
            corpora = {**texts, **corpora}
    if POOL in corpora or all(route.corpus != POOL for route in routes):
        return corpora
    return {**corpora, POOL: pool_of(corpora)}


def check_routes(routes: Sequence[Route], corpora: Mapping[str, Corpus]) -> None:
    """Check the names of the routes, and that each has a corpus. Raises ConfigError."""
    names = [route.name for route in routes]
    if len(set(names)) < len(names):
        raise ConfigError(f"routes need different names, not {', '.join(names)}")
    for route in routes:
        check_name(route.name, where="a route's name", spaces=False)
        if route.corpus not in {TARGET, *corpora}:
            raise ConfigError(
                f"route '{route.name}' has no corpus '{route.corpus}'; "
                f"valid: {one_of({TARGET, POOL, *corpora})}"
            )
