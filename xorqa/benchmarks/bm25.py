"""What `xorqa bench index` measures: BM25 over a data set's English passages, beside Anserini."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..core.registry import build
from ..core.types import Query, Question
from ..datasets.catalog import load_dataset
from ..datasets.corpus import Corpus
from ..datasets.dataset import Dataset
from ..retrieval.java import start_jvm
from ..tables.grid import Grid

RETRIEVERS = ("bm25", "lucene")
PEER = "pyserini's batch search"
DEPTH = 100
WARM = 50  # queries searched first, untimed
CLOSE = 1e-3  # scores of both may differ by it: Anserini breaks ties by adding to them

Ranking = list[tuple[str, float]]
Search = Callable[[Sequence[str]], list[Ranking]]


def measure(data: str, rounds: int) -> dict[str, Any]:
    """Seconds to index and questions a second, of our retrievers and of pyserini's own classes.

    All search with the data set's English questions, and with human translations of the others,
    each once, for the first 100 passages, in turn; the median of `rounds` counts.
    """
    dataset = load_dataset(data)
    start_jvm()  # not part of the indexing time
    corpus, queries = dataset.corpora["en"], english(dataset)
    searches: dict[str, Search] = {}
    rows: dict[str, dict[str, Any]] = {}
    with TemporaryDirectory() as folder:
        for name in (*RETRIEVERS, PEER):
            path = Path(folder, name.partition("'")[0])
            began = time.perf_counter()
            make = _peer if name == PEER else _ours
            searches[name] = make(name, corpus, path)
            rows[name] = {
                "system": name,
                "index_s": time.perf_counter() - began,
                "bytes": sum(one.stat().st_size for one in path.rglob("*")),
            }
            searches[name](queries[:WARM])
        found = _timed(searches, queries, rounds, rows)
    same = [
        [docid for docid, _ in a] == [docid for docid, _ in b]
        and all(abs(x - y) < CLOSE for (_, x), (_, y) in zip(a, b, strict=True))
        for a, b in zip(found["lucene"], found[PEER], strict=True)
    ]
    return {
        "data": data,
        "passages": len(corpus),
        "questions": len(queries),
        "rounds": rounds,
        "same_as_peer": sum(same),
        "rows": list(rows.values()),
    }


def english(dataset: Dataset) -> list[str]:
    """The questions in English, each text once."""
    translations = dataset.translations
    asked = (
        one.text if one.lang == "en" else translations.get(one.qid, "")
        for one in (example.question for example in dataset.examples)
    )
    return list(dict.fromkeys(filter(None, asked)))


def grid(figures: Mapping[str, Any]) -> Grid:
    """The figures as a table, a row a system."""
    rows = tuple(
        (
            row["system"],
            f"{row['index_s']:.1f}",
            f"{row['bytes'] / 1e6:.1f}",
            f"{row['per_s']:.0f}",
            f"{row['speed_of_peer']:.2f}",
        )
        for row in figures["rows"]
    )
    return Grid(
        f"{figures['cpu']}, {figures['passages']:,} passages, {figures['questions']:,} questions "
        f"of {figures['data']}, first {DEPTH}, one thread",
        ("system", "index s", "MB", "questions/s", "of the peer's speed"),
        (rows,),
        f"lucene ranks {figures['same_as_peer']:,} questions as the peer does, scores alike",
    )


def _timed(
    searches: Mapping[str, Search],
    queries: Sequence[str],
    rounds: int,
    rows: Mapping[str, dict[str, Any]],
) -> dict[str, list[Ranking]]:
    """What each found; how fast goes into its row."""
    seconds: dict[str, list[float]] = {name: [] for name in searches}
    found: dict[str, list[Ranking]] = {}
    for _ in range(rounds):
        for name, search in searches.items():
            began = time.perf_counter()
            found[name] = search(queries)
            seconds[name].append(time.perf_counter() - began)
    for name, row in rows.items():
        ratios = (b / a for a, b in zip(seconds[name], seconds[PEER], strict=True))
        row["per_s"] = len(queries) / statistics.median(seconds[name])
        row["speed_of_peer"] = statistics.median(ratios)
    return found


def _ours(name: str, corpus: Corpus, path: Path) -> Search:
    retriever = build("retriever", {"use": name}, corpus=corpus, folder=path)
    retriever.build()

    def search(texts: Sequence[str]) -> list[Ranking]:
        asked = [Query(Question(str(at), text, "en"), text, "en") for at, text in enumerate(texts)]
        hits = retriever.retrieve(asked, k=DEPTH)
        return [[(hit.passage.docid, hit.score) for hit in some] for some in hits]

    return search


def _peer(name: str, corpus: Corpus, path: Path) -> Search:
    """Anserini's classes as pyserini's LuceneIndexer and LuceneSearcher call them."""
    java = start_jvm().autoclass
    logs, level = (
        "org.apache.logging.log4j.core.config.Configurator",
        "org.apache.logging.log4j.Level",
    )
    java(logs).setRootLevel(java(level).WARN)
    writer = java("io.anserini.index.SimpleIndexer")(str(path), False, 1)
    document = java("io.anserini.collection.JsonCollection$Document")
    for passage in corpus:
        writer.addJsonDocument(document.fromFields(passage.docid, passage.titled))
    writer.close()
    searcher = java("io.anserini.search.SimpleSearcher")(str(path))
    searcher.set_bm25(0.9, 0.4)

    def search(texts: Sequence[str]) -> list[Ranking]:
        asked, names = (java("java.util.ArrayList")() for _ in range(2))
        for at, text in enumerate(texts):
            asked.add(text)
            names.add(str(at))
        found = {
            entry.getKey(): [(hit.docid, hit.score) for hit in entry.getValue()]
            for entry in searcher.batch_search(asked, names, DEPTH, 1).entrySet().toArray()
        }
        return [found[str(at)] for at in range(len(texts))]

    return search
