"""Qdrant collections that other programs filled."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ...core.errors import ConfigError, DataError, one_of
from ...core.named import expect
from ...core.progress import quantity
from ...core.types import Hit, Passage, Query, SearchText, best_first
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..over_corpus import search_nonempty
from ..qdrant.client import EXTRA, URL, Database, connect, reading, server_url
from ..vectors.encoding import VectorField
from .base import ExistingIndex
from .fields import PROBES, Fields, PassageMaker, check_dimensions, compare_stored

SEARCHES = 64  # per request


class Opened(NamedTuple):
    """A database, and the description of its collection."""

    database: Database
    collection: Any


class QdrantCollection(ExistingIndex):
    """Searches a Qdrant collection with a given encoder.

    The collection is on the server at `url`, by default the one that the environment names, or in
    the folder `path` of Qdrant's embedded mode. `fields` names the payload's keys
    (`existing.fields.Fields`) and, in `vector`, a named vector. `text` selects what is encoded:
    "question" or "query". `exact` compares all vectors. Scores are Qdrant's; distances have a
    minus sign. `lang` is the language of passages where no key has it; by default the corpus's.

    A collection does not name its encoder: three passages are encoded again when it is opened, and
    a `Notice` is issued if their vectors differ.

    Example:
        >>> from xorqa import Corpus, Passage, QdrantCollection, Query, Question
        >>> corpus = Corpus("rivers", [Passage("Nile", "The Nile is in Africa.")])
        >>> fields = {"docid": "pid", "title": "heading", "text": "body"}
        >>> query = Query(Question("q", "나일강은 어디 있나요?", "ko"), "Where is the Nile?", "en")
        >>> options = {"fields": fields, "path": "wiki-qdrant", "corpus": corpus}
        >>> [hits] = QdrantCollection("wiki", "e5-small-q4", **options).retrieve([query], k=1)
        >>> hits[0].passage.docid
        'Nile'
    """

    use = "qdrant-collection"
    version = 1
    extra = EXTRA
    packages = ("qdrant_client",)

    def __init__(
        self,
        collection: str,
        encoder: str | Mapping[str, Any],
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        url: str | None = None,
        path: str | None = None,
        fields: Mapping[str, Any] | None = None,
        text: SearchText = "question",
        lang: str | None = None,
        exact: bool = False,
    ) -> None:
        super().__init__(corpus, folder)
        expect("qdrant_client", extra=EXTRA)
        self.name, self.place = collection, f"Qdrant collection {collection}"
        self.url = "" if path else server_url(url)
        self.path = Path(path).expanduser() if path else None
        if not self.url and not self.path:
            raise ConfigError(f"[retriever] '{self.use}' needs url or path, or set {URL}")
        self.field = VectorField(encoder, text=text)
        self.fields = Fields.of(fields)
        self.maker = PassageMaker(self.fields, lang, self.place)
        self.exact = exact

    def fingerprint(self) -> str:
        """A hash of the collection's description, the encoder and the settings."""
        opened: Opened = self.index
        state = [opened.collection.points_count, opened.collection.config.model_dump(mode="json")]
        corpus = self._corpus.sha if self._corpus else None
        settings = [repr(self.fields), self.maker.lang, self.exact, self.field.text, corpus]
        field = self.field.for_manifest, *self.field.precision
        return digest(self.use, self.name, state, *field, settings)

    def open_index(self) -> Opened:
        """The database and the collection.

        Raises:
            DataError: if there is no such folder or collection.
            DatabaseError: if the server cannot be used.
            ConfigError: if it has no vector of the name in the settings.
            IndexMismatchError: if the encoder's vectors have other dimensions.
        """
        opened = self._open()
        vectors = opened.collection.config.params.vectors
        named = vectors if isinstance(vectors, Mapping) else {"": vectors}
        if self.fields.vector not in named:
            raise ConfigError(
                f"{self.place} has no vector '{self.fields.vector}'; set fields = {{ vector = NAME "
                f"}} to one of: {one_of(named)}"
            )
        check_dimensions(self.field, named[self.fields.vector].size, self.place)
        self.note_other_vectors(lambda: compare_stored(self.field, self._stored(opened, PROBES)))
        return opened

    def _open(self) -> Opened:
        if self.path and not (self.path / "meta.json").is_file():
            raise DataError(f"{self.path} is not a folder of Qdrant: it has no meta.json")
        database = reading(self.path) if self.path else connect(self.url)
        with database.readable_errors():
            if not database.client.collection_exists(self.name) and not self._is_alias(database):
                names = [one.name for one in database.client.get_collections().collections]
                raise DataError(
                    f"Qdrant at {database.address} has no collection {self.name}; "
                    f"it has: {one_of(names)}"
                )
            return Opened(database, database.client.get_collection(self.name))

    def _is_alias(self, database: Database) -> bool:
        return any(one.alias_name == self.name for one in database.client.get_aliases().aliases)

    def _stored(self, opened: Opened, count: int) -> list[tuple[Passage, Sequence[float]]]:
        """The first passages of the collection, with their vectors."""
        with opened.database.readable_errors():
            points, _ = opened.database.client.scroll(
                self.name, limit=count, with_payload=True, with_vectors=True
            )
        stored: list[tuple[Passage, Sequence[float]]] = []
        for point in points:
            vector = point.vector
            if isinstance(vector, Mapping):
                vector = vector.get(self.fields.vector)
            if isinstance(vector, list):
                stored.append((self._passage(point), vector))
        return stored

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages that Qdrant ranks first, equal scores by docid.

        Raises:
            DataError: if a payload lacks a key, or the corpus a passage.
            DatabaseError: if the server cannot be used.
        """
        return search_nonempty(queries, self.field.text, k, partial(self._search, k=k))

    def _search(self, queries: Sequence[Query], k: int) -> Iterator[list[Hit]]:
        vectors = self.field.encode_queries(queries)
        for start in range(0, len(vectors), SEARCHES):
            yield from self._nearest(vectors[start : start + SEARCHES], k)

    def _nearest(self, vectors: Sequence[Sequence[float]], k: int) -> list[list[Hit]]:
        from qdrant_client import models

        opened: Opened = self.index
        using = self.fields.vector or None
        params = models.SearchParams(exact=True) if self.exact and self.url else None
        requests = [
            models.QueryRequest(
                query=vector, using=using, limit=k, params=params, with_payload=True
            )
            for vector in vectors
        ]
        with opened.database.readable_errors():
            responses = opened.database.client.query_batch_points(self.name, requests)
        sign = -1 if self._by_distance(opened) else 1
        return [
            best_first(Hit(self._passage(point), sign * point.score) for point in response.points)
            for response in responses
        ]

    def _by_distance(self, opened: Opened) -> bool:
        """Whether the best score is the lowest: Euclid and Manhattan."""
        vectors = opened.collection.config.params.vectors
        params = vectors[self.fields.vector] if isinstance(vectors, Mapping) else vectors
        return params.distance in ("Euclid", "Manhattan")

    def _passage(self, point: Any) -> Passage:
        return self.maker.passage((str(point.id), point.payload or {}), self.passage, self._corpus)

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the collection, its vectors, and a search."""
        return super().health(sample) | {"vectors": partial(self._check_vectors, len(sample))}

    def _check_vectors(self, count: int) -> str:
        return compare_stored(self.field, self._stored(self.index, count))

    def describe(self) -> str:
        """The number of points, and where they are."""
        opened: Opened = self.index
        points = quantity(int(opened.collection.points_count or 0), "point")
        return f"{points} in {self.name} at {opened.database.address}"
