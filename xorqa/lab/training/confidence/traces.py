"""Ask the questions of all cases, each over its part of the corpus."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ....core.progress import Progress, TaskProgress, silent
from ....core.stages import BaseRetriever, Retriever
from ....core.types import Hit, Query, Trace
from ....datasets.corpus import Corpus
from ....experiments.pipeline import Pipeline
from ....experiments.settings import POOL, PipelineSettings, Route, load_settings, over_pool
from ....io.cache import Cache
from ....io.files import digest
from ....retrieval.late_interaction import first_stages
from ....retrieval.over_corpus import retriever_over
from .cases import Case, CaseSet


class PartRetriever(BaseRetriever):
    """Ranks, for each question, only the passages of its part: qid to docids.

    The ranking is that of the whole corpus without the other passages.
    """

    version = 1
    by_qid = True

    def __init__(
        self, inner: Retriever, corpus: Corpus, parts: Mapping[str, Collection[str]]
    ) -> None:
        self.inner, self.corpus, self.parts = inner, corpus, parts

    def fingerprint(self) -> str:
        """A hash of the retriever and the parts."""
        parts = digest({qid: sorted(docids) for qid, docids in self.parts.items()})
        return digest(self.inner.fingerprint(), parts)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index of the whole corpus."""
        self.inner.build(rebuild=rebuild, progress=progress)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The best `k` passages of each query's part."""
        rankings = self.inner.retrieve(queries, k=len(self.corpus))
        return [
            [hit for hit in hits if hit.passage.docid in self.parts[query.question.qid]][:k]
            for query, hits in zip(queries, rankings, strict=True)
        ]


def settings_for(config: str, reader: str, lang: str) -> PipelineSettings:
    """The experiment as `ask` runs it over passages in one language, with a reader's weights."""
    settings = over_pool(load_settings(config), {lang})
    [route] = settings.routes
    table = {**settings.reader_of(route), "adapter": reader}
    return replace(settings, routes=(replace(route, reader=None),), reader=table)


def trace_cases(
    cases: CaseSet,
    settings: Mapping[str, PipelineSettings],
    *,
    indexes: Path,
    cache: Cache,
    progress: TaskProgress = silent,
) -> list[Trace]:
    """One trace per case, by the settings of the language that its question is answered in.

    The index, and everything in the cache, is not computed again.
    """
    traces: dict[str, Trace] = {}
    for lang, of_lang in settings.items():
        of_lang_cases = [case for case in cases.cases if case.answers_in == lang]
        pipeline = _pipeline(cases.corpus, of_lang_cases, of_lang, indexes, cache, progress)
        answered = pipeline.answer([case.example.question for case in of_lang_cases])
        traces |= {trace.question.qid: trace for trace in answered}
    return [traces[case.example.question.qid] for case in cases.cases]


def _pipeline(
    corpus: Corpus,
    cases: Sequence[Case],
    settings: PipelineSettings,
    indexes: Path,
    cache: Cache,
    progress: TaskProgress,
) -> Pipeline:
    """The pipeline in which each case's question searches its part of the corpus."""
    [route] = settings.routes
    parts = {case.example.question.qid: case.docids for case in cases}
    retriever = over_parts(corpus, parts, route.retriever, indexes / corpus.name)
    return Pipeline(
        [Route(route.name, retriever, corpus=POOL)],
        {POOL: corpus},
        reader=settings.reader,
        localiser=settings.localiser,
        chooser=settings.chooser,
        k=settings.k,
        indexes=indexes,
        cache=cache,
        progress=progress,
    )


def over_parts(
    corpus: Corpus,
    parts: Mapping[str, Collection[str]],
    table: Mapping[str, Any],
    indexes: Path,
) -> Retriever:
    """The retriever of a table over each question's part, qid to docids.

    A second stage compares what the first ones find in the part, and `hybrid` fuses such rankings.
    """
    if table["use"] == "hybrid":
        fused = [over_parts(corpus, parts, one, indexes) for one in table["parts"]]
        return retriever_over(corpus, {**table, "parts": fused}, indexes)
    if first := table.get("first"):
        of_parts = [over_parts(corpus, parts, stage, indexes) for stage in first_stages(first)]
        return retriever_over(corpus, {**table, "first": of_parts}, indexes)
    return PartRetriever(retriever_over(corpus, table, indexes), corpus, parts)
