"""An exercise: a retriever that asks a vector database takes one class and one name.

The class is what a package would have in a file of its own; `REGISTRATION` is the line of the
registry, or of the entry points of another package.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from xorqa.cli import doctor
from xorqa.cli.index_checks import check_index
from xorqa.core import registry
from xorqa.core.errors import DataError, IndexMismatchError
from xorqa.core.progress import Progress, silent
from xorqa.core.types import Hit, Passage, Query, Question, best_first
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus, apply_changes
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.trec import read_run
from xorqa.retrieval import manifest
from xorqa.retrieval.over_corpus import OverCorpus, retriever_over
from xorqa.retrieval.update import update_indexes
from xorqa.retrieval.vectors.encoding import VectorField

COLLECTIONS: dict[str, dict[str, list[float]]] = {}
"""The database: vectors by docid, by the name of a collection."""


class VectorDatabase(OverCorpus):
    """Nearest neighbours by inner product, in a collection of its own per index."""

    use = "vector-database"
    version = 1
    extra = "vector-database"
    packages = ("json",)

    def __init__(
        self, encoder: str, *, corpus: Corpus | None = None, folder: Path | None = None
    ) -> None:
        super().__init__(corpus, folder)
        self.field = VectorField({"model": encoder, "pooling": "mean"})

    def index_settings(self) -> dict[str, Any]:
        return self.field.for_manifest

    def write_index(self, folder: Path, progress: Progress) -> None:
        COLLECTIONS[self.index_name] = {}
        self._insert(self.corpus.passages, progress)

    def update_index(self, earlier: Self, folder: Path, progress: Progress) -> int:
        stay = [p.docid for p in self.corpus if earlier.corpus.get(p.docid) == p]
        COLLECTIONS[self.index_name] = {docid: earlier.index[docid] for docid in stay}
        changed = [p for p in self.corpus if earlier.corpus.get(p.docid) != p]
        self._insert(changed, progress)
        return len(changed)

    def _insert(self, passages: Sequence[Passage], progress: Progress) -> None:
        for start in range(0, len(passages), 100):
            batch = passages[start : start + 100]
            docids = (passage.docid for passage in batch)
            vectors = self.field.encode(batch)
            COLLECTIONS[self.index_name] |= zip(docids, vectors, strict=True)
            progress(start + len(batch), len(passages))

    def open_index(self) -> dict[str, list[float]]:
        if self.index_name not in COLLECTIONS:
            raise DataError(f"the database has no collection {self.index_name}")
        return COLLECTIONS[self.index_name]

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        collection = self.index
        return [
            best_first(
                Hit(self.corpus[docid], float(np.dot(vector, stored)))
                for docid, stored in collection.items()
            )[:k]
            for vector in self.field.encode_queries(queries)
        ]


REGISTRATION = {"vector-database": f"{__name__}:VectorDatabase"}

CORPUS = Corpus("rivers", [Passage(f"p{number}", f"River {number} is long.") for number in "01234"])
GIVEN = [Passage("p1", "River 1 dried up."), Passage("p5", "River 5 is new.")]
NEW, _ = apply_changes(CORPUS, GIVEN, ["p3"])
QUERIES = [Query(Question("q", text, "en"), text, "en") for text in ("river 1", "is it new?")]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line of the registry; an empty database."""
    for name, path in REGISTRATION.items():
        monkeypatch.setitem(registry.STAGES["retriever"], name, path)
    COLLECTIONS.clear()


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The docids of the passages that were encoded."""
    docids: list[str] = []
    encode = VectorField.encode

    def recorded(self: VectorField, passages: Sequence[Passage]) -> list[list[float]]:
        docids.extend(passage.docid for passage in passages)
        return encode(self, passages)

    monkeypatch.setattr(VectorField, "encode", recorded)
    return docids


def over(corpus: Corpus, indexes: Path, tiny: Path, use: str = "vector-database") -> Any:
    """The retriever over a corpus, as a pipeline builds it."""
    table = {"use": use, "encoder": str(tiny)}
    return retriever_over(corpus, table, manifest.folder_of(corpus, indexes))


def rankings(retriever: Any) -> list[list[tuple[str, float]]]:
    hits = retriever.retrieve(QUERIES, k=3)
    return [[(hit.passage.docid, round(hit.score, 5)) for hit in ranking] for ranking in hits]


@pytest.mark.parametrize("use", ["vector-database", REGISTRATION["vector-database"]])
def test_an_index_is_built_once(tmp_path: Path, tiny: Path, encoded: list[str], use: str) -> None:
    first = over(CORPUS, tmp_path, tiny, use)
    first.build()
    assert [path.name for path in first.folder.iterdir()] == ["manifest.json"]
    assert rankings(first) == rankings(over(CORPUS, tmp_path, tiny, use))
    assert sorted(encoded) == ["p0", "p1", "p2", "p3", "p4"]
    first.build(rebuild=True)
    assert len(encoded) == 10
    assert [len(ranking) for ranking in rankings(first)] == [3, 3]


def test_an_index_of_another_encoder_or_corpus_is_refused(
    tmp_path: Path, tiny: Path, make_tiny: Any
) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    for encoder, corpus in ((make_tiny(seed=9), CORPUS), (tiny, NEW)):
        other = VectorDatabase(str(encoder), corpus=corpus, folder=retriever.folder)
        assert other.fingerprint() != retriever.fingerprint()
        with pytest.raises(IndexMismatchError):
            other.build()
    COLLECTIONS.clear()
    with pytest.raises(DataError, match="no collection"):
        rankings(over(CORPUS, tmp_path, tiny))


def test_an_update_encodes_only_what_changed(
    tmp_path: Path, tiny: Path, encoded: list[str]
) -> None:
    before = rankings(over(CORPUS, tmp_path, tiny))
    encoded.clear()
    [updated] = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert (updated.passages, updated.written, sorted(encoded)) == (5, 2, ["p1", "p5"])
    assert rankings(over(NEW, tmp_path, tiny)) == rankings(over(NEW, tmp_path / "other", tiny))
    assert rankings(over(CORPUS, tmp_path, tiny)) == before
    [again] = update_indexes(CORPUS, NEW, tmp_path, progress=silent)
    assert again.written == 0


def test_a_run_searches_it(tmp_path: Path, tiny: Path, home: Path) -> None:
    table = {"use": "vector-database", "encoder": str(tiny)}
    settings = PipelineSettings((Route("eng", table, {"use": "human"}),), k=5)
    data = load_dataset("mini").only(["fi"]).sample(3)
    run(settings, data, tmp_path / "run", until="retrieve")
    results = read_run(tmp_path / "run" / "run.trec")
    assert {qid: len(ranking) for qid, ranking in results.items()} == {
        example.question.qid: 5 for example in data.examples
    }
    [collection] = COLLECTIONS.values()
    assert len(collection) == len(data.corpora["en"])


def test_doctor_knows_its_extra_and_its_index(
    tmp_path: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = over(CORPUS, tmp_path, tiny)
    retriever.build()
    states = {one.check: one.state for one in check_index(retriever.folder, [CORPUS])}
    assert states == dict.fromkeys(("manifest", "sums", "corpus", "languages"), "ok")
    monkeypatch.setattr(doctor, "STAGES", {"retriever": REGISTRATION})
    extra = next(one for one in doctor.check_machine() if one.check == "extra vector-database")
    assert (extra.state, extra.note) == ("ok", "json")
