"""The measurements of `xorqa bench index`: BM25 over English passages, against Anserini."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...core.progress import timed
from ...core.registry import build
from ...core.types import Query, Question
from ...datasets.catalog import load_dataset
from ...datasets.corpus import Corpus
from ...datasets.dataset import Dataset
from ...retrieval.java import start_jvm
from ...tables.grid import Grid

RETRIEVERS = ("bm25", "lucene")
PEER = "pyserini's batch search"
DEPTH = 100
WARM_UP = 50  # untimed queries
TOLERANCE = 1e-3  # of score differences: Anserini adds small amounts to break ties

Ranking = list[tuple[str, float]]
Search = Callable[[Sequence[str]], list[Ranking]]


def measure(data: str, rounds: int) -> dict[str, Any]:
    """Measure indexing time (seconds) and questions per second, for xorqa and pyserini's classes.

    The queries are the data set's English questions and human translations of the others, without
    duplicates; the systems alternate, and the figures are medians over `rounds`.
    """
    dataset = load_dataset(data)
    start_jvm()  # not part of the indexing time
    corpus, queries = dataset.corpora["en"], english_questions(dataset)
    searches: dict[str, Search] = {}
    rows: dict[str, dict[str, Any]] = {}
    with TemporaryDirectory() as folder:
        for name in (*RETRIEVERS, PEER):
            path = Path(folder, name.partition("'")[0])
            make_search = _peer_search if name == PEER else _retriever_search
            index_s, searches[name] = timed(partial(make_search, name, corpus, path))
            size = sum(file.stat().st_size for file in path.rglob("*"))
            rows[name] = {"system": name, "index_s": index_s, "bytes": size}
            searches[name](queries[:WARM_UP])
        rankings = _time(searches, queries, rounds, rows)
    same = sum(map(_is_same, rankings["lucene"], rankings[PEER]))
    return {
        "data": data,
        "passages": len(corpus),
        "questions": len(queries),
        "rounds": rounds,
        "same_as_peer": same,
        "rows": list(rows.values()),
    }


def _is_same(a: Ranking, b: Ranking) -> bool:
    """Whether two rankings have the same passages in the same order, and nearly equal scores."""
    return [docid for docid, _ in a] == [docid for docid, _ in b] and all(
        abs(x - y) < TOLERANCE for (_, x), (_, y) in zip(a, b, strict=True)
    )


def english_questions(dataset: Dataset) -> list[str]:
    """The questions in English, without duplicates."""
    translations = dataset.translations
    questions = (
        question.text if question.lang == "en" else translations.get(question.qid, "")
        for question in (example.question for example in dataset.examples)
    )
    return list(dict.fromkeys(filter(None, questions)))


def grid(figures: Mapping[str, Any]) -> Grid:
    """The figures as a table with a row per system."""
    cells = "{system}|{index_s:.1f}|{megabytes:.1f}|{per_s:.0f}|{speed_of_peer:.2f}"
    rows = ({**row, "megabytes": row["bytes"] / 1e6} for row in figures["rows"])
    return Grid(
        f"{figures['cpu']}, {figures['passages']:,} passages, {figures['questions']:,} questions "
        f"of {figures['data']}, first {DEPTH}, one thread",
        ("system", "index s", "MB", "questions/s", "speed / peer's"),
        (tuple(tuple(cells.format_map(row).split("|")) for row in rows),),
        f"lucene and the peer give the same ranking for {figures['same_as_peer']:,} questions",
    )


def _time(
    searches: Mapping[str, Search], queries: Sequence[str], rounds: int, rows: Mapping[str, Any]
) -> dict[str, list[Ranking]]:
    """Run the searches in turn, add their speeds to `rows`, and return their rankings."""
    seconds: dict[str, list[float]] = {name: [] for name in searches}
    rankings: dict[str, list[Ranking]] = {}
    for _ in range(rounds):
        for name, search in searches.items():
            elapsed, rankings[name] = timed(partial(search, queries))
            seconds[name].append(elapsed)
    for name, row in rows.items():
        ratios = (b / a for a, b in zip(seconds[name], seconds[PEER], strict=True))
        row["per_s"] = len(queries) / statistics.median(seconds[name])
        row["speed_of_peer"] = statistics.median(ratios)
    return rankings


def _retriever_search(name: str, corpus: Corpus, path: Path) -> Search:
    retriever = build("retriever", {"use": name}, corpus=corpus, folder=path)
    retriever.build()

    def search(texts: Sequence[str]) -> list[Ranking]:
        queries = [Query(Question(text, text, "en"), text, "en") for text in texts]
        rankings = retriever.retrieve(queries, k=DEPTH)
        return [[(hit.passage.docid, hit.score) for hit in ranking] for ranking in rankings]

    return search


def _peer_search(name: str, corpus: Corpus, path: Path) -> Search:
    """Search with Anserini's classes, called as by pyserini's LuceneIndexer and LuceneSearcher."""
    java = start_jvm().autoclass
    log4j = "org.apache.logging.log4j"
    java(f"{log4j}.core.config.Configurator").setRootLevel(java(f"{log4j}.Level").WARN)
    writer = java("io.anserini.index.SimpleIndexer")(str(path), False, 1)
    document = java("io.anserini.collection.JsonCollection$Document")
    for passage in corpus:
        writer.addJsonDocument(document.fromFields(passage.docid, passage.titled))
    writer.close()
    searcher = java("io.anserini.search.SimpleSearcher")(str(path))
    searcher.set_bm25(0.9, 0.4)

    def search(texts: Sequence[str]) -> list[Ranking]:
        queries, qids = (java("java.util.ArrayList")() for _ in range(2))
        for number, text in enumerate(texts):
            queries.add(text)
            qids.add(str(number))
        rankings = {
            entry.getKey(): [(hit.docid, hit.score) for hit in entry.getValue()]
            for entry in searcher.batch_search(queries, qids, DEPTH, 1).entrySet().toArray()
        }
        return [rankings[str(number)] for number in range(len(texts))]

    return search
