"""The queries and hits of a saved run, to read its passages again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...core.types import Hit, Passage, Query
from ...datasets.corpus import Corpus, pool_of
from ...datasets.dataset import Dataset
from ...experiments.run_folder import RunFolder
from ...experiments.settings import POOL, TARGET, Route
from ...io.trec import Run

Hits = Mapping[str, list[Hit]]
"""Qid to hits, best first."""


@dataclass(frozen=True, slots=True)
class RouteHits:
    """The queries of a route by qid, and its hits, `ranked` and as they were `retrieved`."""

    route: Route
    queries: Mapping[str, Query]
    ranked: Hits
    retrieved: Hits


def hits_of(
    folder: Path, dataset: Dataset, routes: Sequence[Route], *, texts: bool = True
) -> list[RouteHits]:
    """The queries and hits of each route; without `texts`, passages have their docids alone.

    Raises:
        DataError: if a file of the run is damaged, or a passage is not in the data set.
    """
    run = RunFolder(folder)
    ranked = run.rankings()
    retrieved = {**ranked, **run.retrieved()}
    hits = partial(_hits, dataset) if texts else _without_texts
    with run.complete():
        queries = run.queries()
        return [
            RouteHits(
                route,
                _queries(dataset, route, queries),
                hits(route, ranked.get(route.name, {})),
                hits(route, retrieved.get(route.name, {})),
            )
            for route in routes
        ]


def _queries(
    dataset: Dataset, route: Route, rows: Mapping[str, Mapping[str, Any]]
) -> dict[str, Query]:
    questions = (example.question for example in dataset.examples)
    return {
        question.qid: Query(question, rows[question.qid]["queries"][route.name], question.lang)
        for question in questions
        if route.name in rows[question.qid]["queries"]
    }


def _hits(dataset: Dataset, route: Route, run: Run) -> Hits:
    corpora = dict(dataset.corpora)
    if route.corpus == POOL and POOL not in corpora:
        corpora[POOL] = pool_of(corpora)
    langs = {example.question.qid: example.question.lang for example in dataset.examples}
    hits = {}
    for qid, docs in run.items():
        corpus: Corpus = corpora[langs[qid] if route.corpus == TARGET else route.corpus]
        hits[qid] = [Hit(corpus[docid], score) for docid, score in docs.items()]
    return hits


def _without_texts(_: Route, run: Run) -> Hits:
    return {
        qid: [Hit(Passage(docid, ""), score) for docid, score in docs.items()]
        for qid, docs in run.items()
    }
