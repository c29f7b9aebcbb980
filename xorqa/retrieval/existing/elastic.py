"""Indexes of Elasticsearch that other programs filled, with their own fields and vectors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ...core.errors import ConfigError, DataError, one_of
from ...core.progress import quantity
from ...core.types import Hit, Passage, Query, SearchText, best_first
from ...core.validation import Count
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..elastic.client import EXTRA, Cluster, ClusterError, connect, valid_unicode
from ..elastic.retriever import MAX_CANDIDATES, MAX_CHARACTERS, MIN_CANDIDATES, search_each
from ..hybrid import fuse
from ..over_corpus import search_nonempty
from ..vectors.encoding import VectorField
from .base import ExistingIndex
from .fields import ID, PROBES, Document, Fields, PassageMaker, check_dimensions, compare_stored

Match = Literal["best_fields", "most_fields", "cross_fields", "combined_fields"]


class Opened(NamedTuple):
    """A cluster with an index, and the mappings of the index's fields by name."""

    cluster: Cluster
    mappings: Mapping[str, Mapping[str, Any]]


class ElasticIndex(ExistingIndex):
    """Searches an index, an alias or a pattern in the Elasticsearch cluster of the environment.

    `fields` names the index's fields (`existing.fields.Fields`). `search` is "bm25" (a
    `multi_match` query of the type `match` in the fields `searched`, by default title and text),
    "dense" (nearest neighbours in the field `vector`, with the given `encoder`) or "hybrid" (both,
    fused here by reciprocal rank). Scores are the cluster's. `text` selects what is encoded,
    "question" or "query"; BM25 searches with the query. `lang` is the language of passages where
    no field has it; by default that of the corpus.

    An index does not name its encoder. If it returns its vectors, three passages are encoded again
    when it is opened, and a `Notice` is issued if they differ.

    Example:
        >>> from xorqa import Corpus, ElasticIndex, Passage, Query, Question
        >>> corpus = Corpus("rivers", [Passage("Nile", "The Nile is in Africa.")])
        >>> fields = {"docid": "pid", "title": "heading", "text": "body"}
        >>> query = Query(Question("q", "Missä Niili on?", "fi"), "Where is the Nile?", "en")
        >>> [hits] = ElasticIndex("wiki", fields=fields, corpus=corpus).retrieve([query], k=1)
        >>> hits[0].passage.docid
        'Nile'
    """

    use = "elastic-index"
    version = 1
    extra = EXTRA
    packages = ("elasticsearch",)

    def __init__(
        self,
        index: str,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        fields: Mapping[str, Any] | None = None,
        search: Literal["bm25", "dense", "hybrid"] = "bm25",
        searched: Sequence[str] | None = None,
        match: Match = "best_fields",
        encoder: str | Mapping[str, Any] | None = None,
        text: SearchText = "question",
        lang: str | None = None,
        constant: Count = 60,
        depth: Count = 100,
    ) -> None:
        super().__init__(corpus, folder)
        self.name, self.place = index, f"index {index}"
        self.fields = Fields.of(fields)
        self.search, self.match, self.constant, self.depth = search, match, constant, depth
        self.searched = [*(searched or filter(None, (self.fields.title, self.fields.text)))]
        self.field = self._vector_field(encoder, text)
        self.maker = PassageMaker(self.fields, lang, self.place)

    def _vector_field(
        self, encoder: str | Mapping[str, Any] | None, text: SearchText
    ) -> VectorField | None:
        if self.search != "dense" and not self.searched:
            raise ConfigError(f"[retriever] '{self.use}' needs fields to search: set searched")
        if self.search == "bm25":
            return None
        if encoder is None or not self.fields.vector:
            raise ConfigError(
                f"[retriever] '{self.use}' search '{self.search}' needs encoder, and the field of "
                "the vectors: fields = { vector = NAME }"
            )
        return VectorField(encoder, text=text)

    @cached_property
    def cluster(self) -> Cluster:
        """The cluster that the environment names."""
        return connect()

    def fingerprint(self) -> str:
        """A hash of the index's state in the cluster, its version, and the settings."""
        field = self.field
        encoder = (field.for_manifest, field.text, *field.precision) if field else None
        corpus = self._corpus.sha if self._corpus else None
        state = (self.cluster.version, self._state(), corpus, encoder)
        options = (self.search, self.match, self.searched, self.constant, self.depth)
        return digest(self.use, state, asdict(self.fields), self.maker.lang, options)

    def _state(self) -> list[object]:
        """The identity of each index and the number of its changes, if the cluster tells it."""
        client = self.cluster.client
        with self.cluster.readable_errors():
            described = client.indices.get(index=self.name)
            count = client.count(index=self.name)["count"]
        ids = sorted(str(one["settings"]["index"].get("uuid")) for one in described.values())
        changes: object = None
        with suppress(ClusterError, KeyError, TypeError), self.cluster.readable_errors():
            total = client.indices.stats(index=self.name)["_all"]["primaries"]
            changes = [total["indexing"]["index_total"], total["docs"]["deleted"]]
        return [ids, count, changes]

    def open_index(self) -> Opened:
        """The cluster and the fields of the index.

        Raises:
            ClusterError: if the cluster cannot be used, or has no such index.
            ConfigError: if the index lacks a field.
            IndexMismatchError: if the encoder's vectors have other dimensions.
        """
        with self.cluster.readable_errors():
            described = self.cluster.client.indices.get(index=self.name)
        if not described:
            raise DataError(f"the cluster at {self.cluster.address} has no {self.place}")
        mappings: dict[str, Mapping[str, Any]] = {}
        for one in described.values():
            mappings |= flattened(one["mappings"].get("properties", {}))
        self.fields.check(mappings, self.place)
        for name in (one.partition("^")[0] for one in self.searched):
            if "*" not in name and name not in mappings and self.search != "dense":
                valid = one_of(mappings)
                raise ConfigError(f"{self.place} has no field '{name}'; its fields: {valid}")
        opened = Opened(self.cluster, mappings)
        if field := self.field:
            vector = mappings[self.fields.vector]
            check_dimensions(field, vector.get("dims", vector.get("dimension")), self.place)
            probes = {"query": {"match_all": {}}, "size": PROBES}
            self.note_other_vectors(lambda: compare_stored(field, self._stored(probes)))
        return opened

    def _stored(self, body: Mapping[str, Any]) -> list[tuple[Passage, Sequence[float]]]:
        """The passages that a search returns, with the vectors of those that have one."""
        vector = self.fields.vector
        source = {"_source": [*self.fields.stored, vector]}
        [hits] = search_each(self.cluster, [([self.name], {**body, **source})])
        found = [(self._passage(hit), raw_vector(hit.get("_source", {}), vector)) for hit in hits]
        return [(passage, stored) for passage, stored in found if stored]

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages that the cluster ranks first, equal scores by docid.

        Raises:
            DataError: if a document lacks a field, or the corpus a passage.
            ClusterError: if the cluster cannot be used.
        """
        text = self.field.text if self.field and self.search == "dense" else "query"
        return search_nonempty(queries, text, k, partial(self._search, k=k))

    def _search(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        _ = self.index  # which checks the fields
        if self.field is None:
            return self._run(self.bm25_body(query.text, k) for query in queries)
        size = k if self.search == "dense" else max(k, self.depth)
        vectors = self.field.encode_queries(queries)
        dense = self._run(self.vector_body(vector, size) for vector in vectors)
        if self.search == "dense":
            return dense
        lexical = self._run(self.bm25_body(query.text, size) for query in queries)
        pairs = zip(lexical, dense, strict=True)
        return [fuse(pair, weights=(1, 1), constant=self.constant) for pair in pairs]

    def bm25_body(self, text: str, k: int) -> dict[str, Any]:
        """The body of a BM25 search."""
        text = valid_unicode(text[:MAX_CHARACTERS])
        query: dict[str, Any] = {"query": text, "fields": self.searched}
        if self.match == "combined_fields":
            return {"query": {"combined_fields": query}, "size": k}
        return {"query": {"multi_match": query | {"type": self.match}}, "size": k}

    def vector_body(self, vector: Sequence[float], k: int) -> dict[str, Any]:
        """The body of a search for the nearest neighbours of a vector."""
        candidates = min(max(2 * k, MIN_CANDIDATES), MAX_CANDIDATES)
        clause = {"field": self.fields.vector, "query_vector": vector}
        return {"knn": {**clause, "k": k, "num_candidates": candidates}, "size": k}

    def _run(self, bodies: Iterable[Mapping[str, Any]]) -> list[list[Hit]]:
        source = {"_source": self.fields.stored or False}
        searches = [([self.name], {**body, **source}) for body in bodies]
        return [
            best_first(Hit(self._passage(hit), float(hit["_score"])) for hit in hits)
            for hits in search_each(self.cluster, searches)
        ]

    def _passage(self, hit: Mapping[str, Any]) -> Passage:
        document: Document = (str(hit["_id"]), hit.get("_source", {}))
        return self.maker.passage(document, self.passage, self._corpus)

    def health(self, sample: Sequence[Passage]) -> dict[str, Callable[[], str]]:
        """Checks for `xorqa doctor`: the index and its fields, its vectors, and a search."""
        checks = super().health(sample)
        if field := self.field:
            docids = [passage.docid for passage in sample]
            kind = "ids" if self.fields.docid == ID else "terms"
            match = {"values": docids} if kind == "ids" else {self.fields.docid: docids}
            body = {"query": {kind: match}, "size": len(docids)}
            checks["vectors"] = lambda: compare_stored(field, self._stored(body))
        return checks

    def describe(self) -> str:
        """The number of documents, and where they are."""
        opened: Opened = self.index
        with opened.cluster.readable_errors():
            count = opened.cluster.client.count(index=self.name)["count"]
        documents = quantity(int(count), "document")
        return f"{documents} in {self.name} at {opened.cluster.address}, {opened.cluster.version}"


def flattened(properties: Mapping[str, Any], prefix: str = "") -> dict[str, Mapping[str, Any]]:
    """The mappings of fields by their full names, nested fields and multi-fields included."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, mapping in properties.items():
        found[prefix + name] = mapping
        for inner in ("properties", "fields"):
            found |= flattened(mapping.get(inner, {}), f"{prefix}{name}.")
    return found


def raw_vector(source: Mapping[str, Any], name: str) -> Sequence[float]:
    """The vector in a document's fields; empty if the cluster does not return it."""
    outer, dot, inner = name.partition(".")
    value = source.get(name, source.get(outer) if dot else None)
    if dot and isinstance(value, Mapping):
        return raw_vector(value, inner)
    return value if isinstance(value, list) else ()
