"""What the adapters share: queries of texts, hits of a stage, objects of another toolkit."""

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import Any
from uuid import uuid4

from ..core.errors import ConfigError, DataError
from ..core.lang import language
from ..core.named import import_named
from ..core.stages import BaseRetriever, Retriever, role_of
from ..core.text.detection import detect_language, question_language
from ..core.types import Hit, Passage, Query, Question, Trace, best_first
from ..datasets.corpus import Corpus
from ..experiments.pipeline import Pipeline, Stop
from ..experiments.route_stages import TYPED_QID
from ..io.files import digest
from ..retrieval.hybrid import fuse

CONSTANT = 60.0  # of the fusion of a pipeline's routes
ONE_CALL = RLock()
"""Other toolkits call from several threads, which cannot share a model."""


def kind_of(stage: object, *valid: str, until: str = Stop.FULL) -> str:
    """The role of a stage, or "pipeline"; a pipeline until "retrieve" is a retriever.

    Raises:
        ConfigError: if it is not one of `valid`, or `until` is another stage.
    """
    if until not in (Stop.RETRIEVE, Stop.FULL):
        raise ConfigError(f"until must be 'retrieve' or 'full', not '{until}'")
    kind = "pipeline" if isinstance(stage, Pipeline) else role_of(stage)
    if kind not in valid:
        given = f"{type(stage).__name__} is a {kind}" if kind else f"{stage!r:.60} is no stage"
        raise ConfigError(f"{given}; valid here: {', '.join(valid)}")
    return "retriever" if kind == "pipeline" and until == Stop.RETRIEVE else kind


def query_of(
    text: str,
    lang: str | None = None,
    *,
    qid: str = TYPED_QID,
    question: str | None = None,
    question_lang: str | None = None,
) -> Query:
    """A query in the language `lang`, of a question that may be another text (a translation).

    A language that is None is detected, with a `Notice` if the question's is uncertain.
    """
    asked = question or text
    code = question_lang or lang or question_language(asked)
    lang = lang or (code if asked == text else detect_language(text))
    return Query(Question(qid, asked, language(code).code), text, language(lang).code)


def passage_of(docid: str, text: str | None, title: str | None, lang: str | None) -> Passage:
    """A passage; a language that is None is detected."""
    return Passage(
        docid, text or "", title or "", language(lang).code if lang else detect_language(text or "")
    )


def given_hits(passages: Sequence[Passage], scores: Sequence[float | None]) -> list[Hit]:
    """Hits of another toolkit's documents, best first; without all scores, in the given order."""
    known = [float(score) for score in scores if score is not None]
    if len(known) < len(passages):
        known = [-float(rank) for rank in range(len(passages))]
    return best_first(map(Hit, passages, known))


def search(stage: Retriever | Pipeline, queries: Sequence[Query], k: int) -> list[list[Hit]]:
    """At most `k` hits per query, of a retriever or of a pipeline (`trace_hits`)."""
    with ONE_CALL:
        if not isinstance(stage, Pipeline):
            return stage.retrieve(queries, k=k)
        traces = stage.answer([query.question for query in queries], until=Stop.RETRIEVE)
    return [trace_hits(trace)[:k] for trace in traces]


def trace_hits(trace: Trace) -> list[Hit]:
    """The hits of a trace's route; of several, combined by reciprocal rank fusion."""
    rankings = [result.hits for result in trace.by_route.values()]
    if len(rankings) == 1:
        return list(rankings[0])
    return fuse(rankings, weights=[1.0] * len(rankings), constant=CONSTANT)


class Foreign:
    """An object of another toolkit with a `method`, given as itself or as `module:name`.

    The name may also be that of a function, which is called with the corpus on first use.
    `revision` identifies the object with its index: hits are cached under it, and without one every
    process computes them again.

    Raises:
        ConfigError: for an object without the method.
    """

    def __init__(self, given: Any, method: str, corpus: Corpus | None, revision: str) -> None:
        given = import_named(given, {}, kind="object") if isinstance(given, str) else given
        self.given, self.method, self.corpus = given, method, corpus
        self.name = getattr(given, "__qualname__", type(given).__qualname__)
        self.revision = revision or uuid4().hex
        if not inspect.isroutine(given):
            self._check(given)

    @cached_property
    def instance(self) -> Any:
        """The object, or what the function returns."""
        if not inspect.isroutine(self.given):
            return self.given
        made = self.given(self.corpus)
        self._check(made)
        return made

    def fingerprint(self) -> str:
        """A hash of the name, the revision and the corpus."""
        return digest(self.name, self.revision, self.corpus.sha if self.corpus else "")

    def hits(
        self, scores: Iterable[tuple[object, Any]], passages: Corpus | Mapping[str, Passage]
    ) -> list[Hit]:
        """Hits of the object's (docid, score) pairs, best first.

        Raises:
            DataError: for a docid without a passage, or a score that is not a number.
        """
        hits = []
        for docid, score in scores:
            found = passages.get(str(docid))
            if found is None:
                raise DataError(
                    f"{self.name} returned the document '{docid}', which is not a passage here; "
                    "its documents must have the docids of the route's corpus"
                )
            if score is None or not math.isfinite(score):
                raise DataError(f"{self.name} returned the document '{docid}' without a score")
            hits.append(Hit(found, float(score)))
        return best_first(hits)

    def _check(self, thing: Any) -> None:
        if inspect.isclass(thing) or not callable(getattr(thing, self.method, None)):
            raise ConfigError(
                f"{self.name} cannot be used as a stage: it is no object with a method "
                f"{self.method}, and no function that returns one"
            )


class ForeignRetriever(BaseRetriever):
    """The base of retrievers of other toolkits; their documents are passages of the corpus."""

    def __init__(self, given: Any, method: str, corpus: Corpus, revision: str) -> None:
        self.corpus = corpus
        self.foreign = Foreign(given, method, corpus, revision)

    def fingerprint(self) -> str:
        """A hash of the object's name, its revision and the corpus."""
        return self.foreign.fingerprint()
