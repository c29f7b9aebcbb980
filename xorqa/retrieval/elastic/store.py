"""A corpus in a cluster: loaded in order, checked, updated, and replaced without downtime."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ...core.errors import DataError, IndexMismatchError
from ...core.progress import Progress
from ...core.types import Passage
from ...datasets.corpus import Corpus
from .. import manifest
from ..vectors.encoding import VectorField
from . import indexes
from .client import Cluster, connect, response_error, valid_unicode

PREFIX = "XORQA_ELASTIC_PREFIX"
"""The environment variable with the prefix of index names; default \"xorqa\"."""

UPDATED = {"updated": True}
"""In the manifest of a copy, which no build takes for one of its own that was killed."""

BATCH = 500  # passages per request
MAX_BYTES = 10_000_000  # per request; clusters accept 100 MB, proxies often less
MAX_RETRIES = 6
INITIAL_BACKOFF = 0.5  # seconds, doubled with every retry

Documents = Callable[[Sequence[int]], Iterator[tuple[str, Mapping[str, Any]]]]
"""Returns the ids and fields of the documents of the given rows."""


@dataclass
class Store:
    """One index per language, each behind an alias; `k1` and `b` are BM25's.

    A document's id is its docid; its row is the rank of that docid in the corpus. `vector_type` is
    the type of the vectors' `index_options`: "int8_hnsw", for example, also quantises them.
    """

    engine: ClassVar[str] = "elastic"
    """The kind of index in the manifests."""

    corpus: Corpus
    folder: Path
    k1: float
    b: float
    analyzers: Mapping[str, str]
    vectors: VectorField | None
    vector_type: str

    @cached_property
    def base(self) -> str:
        """The common prefix of the indexes' names."""
        prefix = os.environ.get(PREFIX) or "xorqa"
        return indexes.base_name(prefix, self.corpus.name, self.folder.name)

    @cached_property
    def cluster(self) -> Cluster:
        """The cluster that the environment names."""
        return connect()

    @cached_property
    def ordered(self) -> list[Passage]:
        """The passages in order of docid, so that ties are broken by docid."""
        return sorted(self.corpus, key=lambda passage: passage.docid)

    @cached_property
    def rows(self) -> dict[str, list[int]]:
        """The rows of each language's passages, in order."""
        rows: dict[str, list[int]] = {lang: [] for lang in self.corpus.languages}
        for row, passage in enumerate(self.ordered):
            rows[passage.lang].append(row)
        return rows

    def alias(self, lang: str) -> str:
        """The alias that a language's index is searched by."""
        return indexes.alias_name(self.base, lang)

    def build(self, *, rebuild: bool, progress: Progress) -> None:
        """Load the indexes and make them live, or check those that are live."""
        with self.cluster.readable_errors():
            stored = self.stored()
            if any(index.live for index in stored) and not rebuild:
                self.check(stored)
                return
            names: dict[str, str] = {}
            done = 0

            def report(loaded: int) -> None:
                progress(done + loaded, len(self.corpus))

            for lang, meta in self.manifests_with([]).items():
                partial = [i.name for i in stored if not i.live and i.manifest == meta]
                names[self.alias(lang)] = name = partial[0] if partial else self.create(lang, meta)
                load_documents(self.cluster, name, self.rows[lang], self.documents, report)
                done += len(self.rows[lang])
            old = {index.name for index in stored} - set(names.values())
            indexes.switch_aliases(self.cluster.client, names, delete=old)

    def manifests(self) -> dict[str, Any]:
        """The manifests of the indexes by language, as stored or as a build would store them."""
        with self.cluster.readable_errors():
            return self.manifests_with(self.stored())

    def check_size(self) -> None:
        """Compare the number of passages in the live indexes with the corpus.

        Raises:
            DataError: if they differ.
        """
        with self.cluster.readable_errors():
            names = [self.alias(lang) for lang in self.rows]
            count = self.cluster.client.count(index=names)["count"]
        if count != len(self.corpus):
            raise DataError(
                f"index {self.base} at {self.cluster.address} holds {count} passages, not "
                f"{len(self.corpus)}; rebuild it with xorqa index --rebuild"
            )

    def passage(self, docid: str) -> Passage:
        """A retrieved passage.

        Raises:
            DataError: if another corpus has been loaded in the meantime.
        """
        try:
            return self.corpus[docid]
        except KeyError:
            raise DataError(
                f"index {self.base} at {self.cluster.address} holds passage '{docid}', which "
                f"corpus {self.corpus.name} does not; rebuild it with xorqa index --rebuild"
            ) from None

    def is_live(self) -> bool:
        """Whether the cluster has indexes with this store's base name that are searched."""
        with self.cluster.readable_errors():
            return any(index.live for index in self.stored())

    def stored(self) -> list[indexes.StoredIndex]:
        """The indexes in the cluster with this store's base name."""
        return indexes.stored_indexes(self.cluster.client, self.base)

    def manifests_with(self, stored: Sequence[indexes.StoredIndex]) -> dict[str, dict[str, Any]]:
        """A manifest per language; analyzers from the settings, the live index, or the best."""
        used = {str(i.meta["lang"]): str(i.meta["analyzer"]) for i in stored if i.live}
        used |= self.analyzers
        vectors = self.vectors and {"vectors": self.vector_type, **self.vectors.for_manifest}
        return {
            lang: manifest.describe(
                self.engine,
                self.corpus,
                fields=indexes.MAPPING_VERSION,
                lang=lang,
                analyzer=used.get(lang) or indexes.best_analyzer(self.cluster.client, lang),
                k1=self.k1,
                b=self.b,
                **(vectors or {}),
            )
            for lang in self.rows
        }

    def check(self, stored: Sequence[indexes.StoredIndex]) -> None:
        """Compare the live indexes' manifests with those of indexes built now.

        Raises:
            IndexMismatchError: naming the first key that differs.
        """
        live = {index.meta["lang"]: index.meta for index in stored if index.live}
        for lang, expected in self.manifests_with(stored).items():
            for key, value in expected.items():
                stored_value = live.get(lang, {}).get(key)
                if key != "corpus" and stored_value != value:
                    raise IndexMismatchError(
                        f"index {self.alias(lang)} at {self.cluster.address} has {key} "
                        f"{stored_value!r}, not {value!r}; rebuild it with xorqa index --rebuild, "
                        f"or set {PREFIX} to another name"
                    )

    def create(self, lang: str, meta: Mapping[str, Any]) -> str:
        """Create a language's empty index; returns its name."""
        vectors = self.vector_type if self.vectors else None
        body = indexes.index_body(meta, k1=self.k1, b=self.b, vectors=vectors)
        return indexes.create(self.cluster.client, self.alias(lang), body)

    def documents(self, rows: Sequence[int]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The ids and fields of the documents of rows; passages are encoded if it has vectors."""
        passages = [self.ordered[row] for row in rows]
        vectors = self.vectors.encode(passages) if self.vectors else None
        for number, passage in enumerate(passages):
            texts = {name: getattr(passage, name) for name in ("lang", "title", "text")}
            fields: dict[str, Any] = {name: valid_unicode(text) for name, text in texts.items()}
            vector = {"vector": vectors[number]} if vectors else {}
            yield valid_unicode(passage.docid), fields | vector

    def update(self, earlier: Store, progress: Progress) -> int:
        """Make this corpus live instead of the earlier one; returns how many documents are written.

        Only changed documents are written, into copies of the earlier indexes, which stay live
        until the copies are complete and are then deleted in the same step. The rows of unchanged
        documents stay as they are; they only order equal scores.

        Raises:
            IndexMismatchError: if the earlier indexes have other passages or settings.
            ClusterError: if the cluster cannot be used.
            DataError: if the new indexes do not hold the corpus.
        """
        with self.cluster.readable_errors():
            client = self.cluster.client
            stored = earlier.stored()
            live = {str(index.meta["lang"]): index for index in stored if index.live}
            if live and all(index.meta["corpus_sha"] == self.corpus.sha for index in live.values()):
                return 0
            earlier.check(stored)
            names: dict[str, str] = {}
            done = 0

            def report(written: int) -> None:
                progress(done + written, len(self.corpus))

            for lang, meta in self.manifests_with(stored).items():
                names[self.alias(lang)] = name = (
                    indexes.clone(client, live[lang].name, self.alias(lang), {**meta, **UPDATED})
                    if lang in live
                    else self.create(lang, {**meta, **UPDATED})
                )
                changed = self._changed_rows(earlier, lang)
                gone = self._gone_ids(earlier, lang) if lang in live else []
                change_documents(self.cluster, name, changed, gone, self.documents, report)
                done += len(changed)
            same_names = earlier.base == self.base
            old = {index.name for index in stored} if same_names else set()
            indexes.switch_aliases(client, names, delete=old)
        self.check_size()
        return done

    def _changed_rows(self, earlier: Store, lang: str) -> list[int]:
        """The rows of a language's passages that are new or changed."""
        return [
            row
            for row in self.rows[lang]
            if earlier.corpus.get((passage := self.ordered[row]).docid) != passage
        ]

    def _gone_ids(self, earlier: Store, lang: str) -> list[str]:
        """The ids of a language's documents that were deleted, or now have another language."""
        docids = {self.ordered[row].docid for row in self.rows[lang]}
        earlier_docids = (earlier.ordered[row].docid for row in earlier.rows[lang])
        return [valid_unicode(docid) for docid in earlier_docids if docid not in docids]


def load_documents(
    cluster: Cluster,
    index: str,
    rows: Sequence[int],
    documents: Documents,
    progress: Callable[[int], None],
) -> None:
    """Load the documents of the rows in order; documents already loaded are kept.

    Rejected documents are retried with exponential backoff before others follow. Documents are
    never overwritten, because a deleted document counts in BM25 until segments are merged.

    Raises:
        ClusterError: if the cluster rejects documents, or holds fewer than it accepted.
    """
    loaded = _loaded_count(cluster, index, rows)
    for response in _sent(cluster, _actions(index, rows[loaded:], documents)):
        _check(cluster, response["create"], accepted=409)  # the document exists
        loaded += 1
        if loaded % BATCH == 0:
            progress(loaded)
    if _loaded_count(cluster, index, rows) < len(rows):
        raise cluster.error(f"lost passages of index {index}; run again to load them")
    progress(len(rows))


def change_documents(
    cluster: Cluster,
    index: str,
    rows: Sequence[int],
    delete: Sequence[str],
    documents: Documents,
    progress: Callable[[int], None],
) -> None:
    """Delete documents by id, write those of the rows, and merge, as BM25 counts deleted ones.

    Raises:
        ClusterError: if the cluster rejects documents.
    """
    deletions = ({"_op_type": "delete", "_index": index, "_id": docid} for docid in delete)
    for response in _sent(cluster, deletions):
        _check(cluster, response["delete"], accepted=404)
    actions = _actions(index, rows, documents, operation="index")
    for written, response in enumerate(_sent(cluster, actions), 1):
        _check(cluster, response["index"])
        if written % BATCH == 0 or written == len(rows):
            progress(written)
    cluster.client.indices.forcemerge(index=index, max_num_segments=1)
    cluster.client.indices.refresh(index=index)


def _sent(cluster: Cluster, actions: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Send actions in order and yield their responses; rejected ones are sent again."""
    for ok, response in cluster.bulk(
        actions,
        chunk_size=BATCH,
        max_chunk_bytes=MAX_BYTES,
        max_retries=MAX_RETRIES,
        initial_backoff=INITIAL_BACKOFF,
    ):
        yield {operation: {**result, "ok": ok} for operation, result in response.items()}


def _check(cluster: Cluster, result: Mapping[str, Any], *, accepted: int | None = None) -> None:
    if not result["ok"] and result["status"] != accepted:
        raise response_error(cluster.address, result["status"], result.get("error", {}))


def _loaded_count(cluster: Cluster, index: str, rows: Sequence[int]) -> int:
    """How many of the rows are loaded, without gaps from the first on; 0 if there is a gap."""
    cluster.client.indices.refresh(index=index)
    last = {"last": {"max": {"field": "row"}}}
    response = cluster.client.search(index=index, size=0, track_total_hits=True, aggs=last)
    count = int(response["hits"]["total"]["value"])
    last_row = response["aggregations"]["last"]["value"]
    return count if 0 < count <= len(rows) and last_row == rows[count - 1] else 0


def _actions(
    index: str, rows: Sequence[int], documents: Documents, *, operation: str = "create"
) -> Iterator[dict[str, Any]]:
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        for row, (docid, fields) in zip(batch, documents(batch), strict=True):
            yield {"_op_type": operation, "_index": index, "_id": docid, "row": row, **fields}
