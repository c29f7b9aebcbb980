"""Vector search in a Qdrant collection."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from ...core.errors import DataError
from ...core.named import expect
from ...core.progress import Progress, quantity, silent
from ...core.types import Hit, Passage, Query, SearchText, best_first
from ...datasets.corpus import Corpus
from ...io.files import atomic_dir, digest
from ...models.checkpoints import DEFAULT
from .. import manifest
from ..over_corpus import OverCorpus, announced, note_truncated, search_nonempty
from ..vectors.encoding import VectorField, compare_vectors
from . import collections
from .client import EXTRA, URL, Database, connect, reading, server_url, writing

PREFIX = "XORQA_QDRANT_PREFIX"
"""The environment variable with the prefix of a server's collections; default \"xorqa\"."""

DATABASE = "database"  # in the index's folder
BUILDING = "building"  # the database of a build in progress
UNFINISHED = f"{BUILDING}/meta.json"
IN_FOLDER = "passages"  # the alias in a database of our own
SEARCHES = 64  # per request
FLOAT = 9  # bytes of a vector's component in a folder
MIN_COSINE = 0.999  # of a stored vector and the same passage encoded again


class Qdrant(OverCorpus):
    """Ranks passages by the inner product of vectors, in a Qdrant collection.

    The database is a folder of the index, searched exactly and loaded into memory (for up to some
    20,000 passages), or the server at `url`, by default the one that the environment names.
    `encoder` is a name, or a table of `EncoderSettings`; `text` selects what is encoded: the
    original "question" or the "query" (its translation). A server's graph is approximate beyond
    some 10,000 passages; `exact` compares all of them.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import Corpus, Passage, Qdrant, Query, Question
        >>> texts = {"Nile": "The Nile is in Africa.", "Rhine": "The Rhine is in Europe."}
        >>> corpus = Corpus("rivers", [Passage(name, text) for name, text in texts.items()])
        >>> retriever = Qdrant("e5-small-q4", corpus=corpus, folder=Path("indexes/qdrant"))
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> [hits] = retriever.retrieve([query], k=2)
        >>> [hit.passage.docid for hit in hits]
        ['Nile', 'Rhine']
    """

    use = "qdrant"
    version = 1
    extra = EXTRA
    packages = ("qdrant_client",)

    def __init__(
        self,
        encoder: str | Mapping[str, Any] = DEFAULT,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        url: str | None = None,
        text: SearchText = "question",
        exact: bool = False,
    ) -> None:
        super().__init__(corpus, folder)
        expect("qdrant_client", extra=EXTRA)
        self.url = server_url(url)
        self.field = VectorField(encoder, text=text)
        self.exact = exact

    @classmethod
    def machine_checks(cls) -> Mapping[str, Callable[[], str]]:
        """A search in a folder, or a connection to the server that the environment names."""
        return {"qdrant": cls._check_machine}

    @classmethod
    def _check_machine(cls) -> str:
        if not (url := server_url(None)):
            return f"no server is configured ({URL}): {cls.check_search()} in a folder"
        database = connect(url)
        with database.readable_errors():
            stored = len(database.client.get_collections().collections)
        return f"Qdrant {database.version()} at {url}: {quantity(stored, 'collection')}"

    @staticmethod
    def indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
        """The table without the text to encode and the manner of the search."""
        return {name: table[name] for name in table if name not in ("text", "exact")}

    def index_settings(self) -> dict[str, Any]:
        """The encoder, its weights, and whether a server has the collection."""
        return {**self.field.for_manifest, **({"server": True} if self.url else {})}

    def fingerprint(self) -> str:
        """A hash of the manifest and the search settings."""
        searched = self.field.text, self.exact, *self.field.precision
        return digest(self.index_manifest(), *searched)

    @property
    def collection(self) -> str:
        """The alias by which the collection is searched."""
        return alias_of(self.folder) if self.url else IN_FOLDER

    @classmethod
    def forget(cls, folder: Path, stored: Mapping[str, Any]) -> None:
        """Delete an index's collection on the server, if it has one."""
        if stored.get("server"):
            url = server_url(stored.get(manifest.BUILT_BY, {}).get("url"))
            collections.delete(connect(url), alias_of(folder))

    @cached_property
    def _of(self) -> str:
        """What the collection's points depend on; equal passages may have another corpus name."""
        table = self.index_manifest()
        return digest({key: table[key] for key in table if key != "corpus"})

    @cached_property
    def _ordered(self) -> list[Passage]:
        """The passages in order of docid; a point's id is the number of its passage."""
        return sorted(self.corpus, key=lambda passage: passage.docid)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Encode the passages into a collection, which goes live complete; a killed build resumes.

        Raises:
            IndexMismatchError: if the existing index has other passages or settings.
            DataError: if the folder holds something else.
            DatabaseError: if the server cannot be used.
            LockedError: if another process builds it.
        """
        work = partial(self._fill, self.field.encode, rebuild, progress)
        self.build_locked(work, rebuild=rebuild, unfinished="" if self.url else UNFINISHED)

    def _fill(self, vectors: collections.Vectors, rebuild: bool, progress: Progress) -> None:
        titled = [passage.titled for passage in self.corpus]
        note_truncated(self.field.encoder.truncated(titled), len(titled))
        building = self.folder / BUILDING
        with nullcontext(connect(self.url)) if self.url else writing(building) as database:
            collections.fill(
                database,
                self.collection,
                self._ordered,
                vectors,
                of=self._of,
                dimensions=self.field.encoder.passage_dimensions,
                rebuild=rebuild,
                progress=announced(progress, self.use, self.index_size),
            )
        with atomic_dir(self.folder) as temporary:
            if not self.url:
                building.replace(temporary / DATABASE)
            manifest.write(temporary, self.index_manifest() | self.built_by)

    def index_size(self, passages: int) -> float:
        """The bytes of an index of that many passages, approximately."""
        vectors = FLOAT * self.field.encoder.passage_dimensions * passages
        return super().index_size(passages) + vectors

    def update(self, earlier: Self, *, progress: Progress = silent) -> int:
        """Build the collection of changed passages beside that of the `earlier` retriever.

        Returns how many passages were encoded; unchanged ones keep their vectors.

        Raises:
            IndexMismatchError, DataError, DatabaseError, LockedError: as `build`.
        """
        encoded = 0

        def vectors(passages: Sequence[Passage]) -> list[list[float]]:
            nonlocal encoded
            changed = [one for one in passages if earlier.corpus.get(one.docid) != one]
            encoded += len(changed)
            known = dict(zip(changed, self.field.encode(changed), strict=True)) if changed else {}
            known |= earlier.stored_vectors([one for one in passages if one not in known])
            return [known[passage] for passage in passages]

        work = partial(self._fill, vectors, False, progress)
        self.build_locked(work, rebuild=False, unfinished="" if self.url else UNFINISHED)
        return encoded

    def stored_vectors(self, passages: Sequence[Passage]) -> dict[Passage, list[float]]:
        """The vectors of passages in the collection.

        Raises:
            DataError: if it lacks one.
        """
        database: Database = self.index
        rows = [self._rows[passage.docid] for passage in passages]
        with database.readable_errors():
            points = database.client.retrieve(
                self.collection, rows, with_payload=False, with_vectors=True
            )
        if len(points) != len(rows):
            raise DataError(
                f"Qdrant at {database.address} lacks points of collection {self.collection}; "
                "rebuild it with xorqa index --rebuild"
            )
        return {self._ordered[int(point.id)]: list(point.vector) for point in points}

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {passage.docid: row for row, passage in enumerate(self._ordered)}

    def open_index(self) -> Database:
        """The database, whose live collection is checked."""
        database = connect(self.url) if self.url else reading(self.folder / DATABASE)
        collections.check(database, self.collection, of=self._of, points=len(self.corpus))
        return database

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest inner product, equal scores by docid."""
        return search_nonempty(queries, self.field.text, k, partial(self._search, k=k))

    def _search(self, queries: Sequence[Query], k: int) -> Iterator[list[Hit]]:
        vectors = self.field.encode_queries(queries)
        for start in range(0, len(vectors), SEARCHES):
            yield from self._nearest(vectors[start : start + SEARCHES], min(k, len(self.corpus)))

    def _nearest(self, vectors: Sequence[Sequence[float]], k: int) -> list[list[Hit]]:
        from qdrant_client import models

        database: Database = self.index
        params = models.SearchParams(exact=True) if self.exact and self.url else None
        requests = [
            models.QueryRequest(query=vector, limit=k, params=params, with_payload=False)
            for vector in vectors
        ]
        with database.readable_errors():
            responses = database.client.query_batch_points(self.collection, requests)
        return [
            best_first(Hit(self._ordered[int(point.id)], point.score) for point in response.points)
            for response in responses
        ]

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the collection, and vectors of passages encoded again."""
        return {
            "collection": self._check_collection,
            "vectors": partial(self._check_vectors, sample),
        }

    def _check_collection(self) -> str:
        database: Database = self.open_index()
        points = quantity(len(self.corpus), "point")
        return f"{points} in {self.collection} at {database.address}, live"

    def _check_vectors(self, sample: Sequence[Passage]) -> str:
        stored = self.stored_vectors(sample)
        return compare_vectors(
            np.array([stored[passage] for passage in sample], np.float32),
            np.array(self.field.encode(sample), np.float32),
            [passage.docid for passage in sample],
            min_cosine=MIN_COSINE,
            remedy="rebuild it with xorqa index --rebuild",
        )


def alias_of(folder: Path) -> str:
    """The alias of an index's collection on a server, in characters that Qdrant allows."""
    prefix = os.environ.get(PREFIX) or "xorqa"
    return re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", f"{prefix}-{folder.parent.name}-{folder.name}")
