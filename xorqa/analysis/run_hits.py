"""The queries and hits of a saved run, to read its passages again."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ..core.errors import DataError
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus, pool_of
from ..datasets.dataset import Dataset
from ..experiments.run import RETRIEVED
from ..experiments.saved_run import SavedRun
from ..experiments.settings import POOL, TARGET, Route
from ..io.files import read_jsonl
from ..io.trec import read_runs

Hits = Mapping[str, list[Hit]]
"""Qid to hits, best first."""


@dataclass(frozen=True, slots=True)
class RouteHits:
    """The queries of a route by qid, and its hits, `ranked` and as they were `retrieved`."""

    route: Route
    queries: Mapping[str, Query]
    ranked: Hits
    retrieved: Hits


def hits_of(run: SavedRun, *, texts: bool = True) -> list[RouteHits]:
    """The queries and hits of each route; without `texts`, passages have their docids alone.

    Raises:
        DataError: if a file of the run is damaged, or a passage is not in the data set.
    """
    queries = {row["qid"]: row["queries"] for _, row in read_jsonl(run.folder / "queries.jsonl")}
    path = run.folder / RETRIEVED
    ranked = read_runs(run.folder / "run.trec")
    retrieved = ranked | (read_runs(path) if path.is_file() else {})
    hits = partial(_hits, run.dataset) if texts else _without_texts
    try:
        return [
            RouteHits(
                route,
                _queries(run.dataset, route, queries),
                hits(route, ranked.get(route.name, {})),
                hits(route, retrieved.get(route.name, {})),
            )
            for route in run.settings.routes
        ]
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{run.folder} is not a complete run folder: {error!r}") from error


def _queries(
    dataset: Dataset, route: Route, queries: Mapping[str, Mapping[str, str]]
) -> dict[str, Query]:
    questions = (example.question for example in dataset.examples)
    return {
        question.qid: Query(question, queries[question.qid][route.name], question.lang)
        for question in questions
        if route.name in queries[question.qid]
    }


def _hits(dataset: Dataset, route: Route, run: Mapping[str, Mapping[str, float]]) -> Hits:
    corpora = dict(dataset.corpora)
    if route.corpus == POOL and POOL not in corpora:
        corpora[POOL] = pool_of(corpora)
    langs = {example.question.qid: example.question.lang for example in dataset.examples}
    found = {}
    for qid, docs in run.items():
        corpus: Corpus = corpora[langs[qid] if route.corpus == TARGET else route.corpus]
        found[qid] = [Hit(corpus[docid], score) for docid, score in docs.items()]
    return found


def _without_texts(_: Route, run: Mapping[str, Mapping[str, float]]) -> Hits:
    return {
        qid: [Hit(Passage(docid, ""), score) for docid, score in docs.items()]
        for qid, docs in run.items()
    }
