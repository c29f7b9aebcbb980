"""A corpus in a cluster: loaded index by index, checked, and replaced without a pause."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import DataError, IndexMismatchError
from ...core.progress import Progress
from ...core.types import Passage
from ...datasets.corpus import Corpus
from .. import manifest
from . import bulk, indexes, mapping
from .client import Cluster, connect
from .msearch import whole
from .vectors import Vectors

PREFIX = "XORQA_ELASTIC_PREFIX"
"""The beginning of the names of indexes, \"xorqa\" unless the environment says otherwise."""


class Store:
    """One index a language, each behind an alias; `k1` and `b` are BM25's.

    A document's id is its docid, its row the place of that among all of the corpus.
    """

    def __init__(
        self,
        corpus: Corpus,
        folder: Path,
        *,
        k1: float,
        b: float,
        analyzers: Mapping[str, str],
        vectors: Vectors | None,
    ) -> None:
        self.corpus = corpus
        self.k1 = k1
        self.b = b
        self.analyzers = analyzers
        self.vectors = vectors
        self.base = indexes.base(os.environ.get(PREFIX) or "xorqa", corpus.name, folder.name)

    @cached_property
    def cluster(self) -> Cluster:
        return connect()

    @cached_property
    def _ordered(self) -> list[Passage]:
        """The passages by docid, so that an earlier row wins a tie."""
        return sorted(self.corpus, key=lambda passage: passage.docid)

    @cached_property
    def rows(self) -> dict[str, list[int]]:
        """The rows of each language's passages, in order."""
        found: dict[str, list[int]] = {lang: [] for lang in self.corpus.languages}
        for row, passage in enumerate(self._ordered):
            found[passage.lang].append(row)
        return found

    def alias(self, lang: str) -> str:
        """The name a language's index is searched by."""
        return indexes.alias(self.base, lang)

    def build(self, *, rebuild: bool, progress: Progress) -> None:
        """Load what is missing and let it serve, or check what serves already."""
        with self.cluster.told():
            there = self._there()
            if any(index.serves for index in there) and not rebuild:
                self._check(there)
                return
            names: dict[str, str] = {}
            done = 0
            for lang, meta in self._wanted([]).items():
                half = [index.name for index in there if not index.serves and index.meta == meta]
                names[self.alias(lang)] = name = half[0] if half else self._create(lang, meta)
                self._load(name, self.rows[lang], done, progress)
                done += len(self.rows[lang])
            old = {index.name for index in there} - set(names.values())
            indexes.serve(self.cluster.client, names, instead_of=old)

    def described(self) -> dict[str, Any]:
        """What the indexes say of themselves, or would if they were built now, by language."""
        with self.cluster.told():
            return self._wanted(self._there())

    def check_size(self) -> None:
        """Compare the number of passages that serve with the corpus.

        Raises:
            DataError: if they differ.
        """
        with self.cluster.told():
            names = [self.alias(lang) for lang in self.rows]
            count = self.cluster.client.count(index=names)["count"]
        if count != len(self.corpus):
            raise DataError(
                f"index {self.base} at {self.cluster.where} holds {count} passages, not "
                f"{len(self.corpus)}; build it again (xorqa index --rebuild)"
            )

    def passage(self, docid: str) -> Passage:
        """A passage that was found.

        Raises:
            DataError: if another corpus was loaded in the meantime.
        """
        try:
            return self.corpus[docid]
        except KeyError:
            raise DataError(
                f"index {self.base} at {self.cluster.where} holds passage '{docid}', which corpus "
                f"{self.corpus.name} does not; build it again (xorqa index --rebuild)"
            ) from None

    def _there(self) -> list[indexes.Stored]:
        return indexes.stored(self.cluster.client, self.base)

    def _wanted(self, there: Sequence[indexes.Stored]) -> dict[str, dict[str, Any]]:
        """A manifest a language; the analyzer as asked for, else as it serves, else the best."""
        used = {str(i.meta["lang"]): str(i.meta["analyzer"]) for i in there if i.serves}
        used |= self.analyzers
        return {
            lang: manifest.describe(
                "elastic",
                self.corpus,
                fields=mapping.VERSION,
                lang=lang,
                analyzer=used.get(lang) or mapping.analyzer(self.cluster.client, lang),
                k1=self.k1,
                b=self.b,
                **(self.vectors.described if self.vectors else {}),
            )
            for lang in self.rows
        }

    def _check(self, there: Sequence[indexes.Stored]) -> None:
        found = {index.meta["lang"]: index.meta for index in there if index.serves}
        for lang, wanted in self._wanted(there).items():
            for key, value in wanted.items():
                is_there = found.get(lang, {}).get(key)
                if key != "corpus" and is_there != value:
                    raise IndexMismatchError(
                        f"index {self.alias(lang)} at {self.cluster.where} has {key} "
                        f"{is_there!r}, but {value!r} is wanted; build it again "
                        f"(xorqa index --rebuild) or set {PREFIX} to another name"
                    )

    def _create(self, lang: str, meta: Mapping[str, Any]) -> str:
        body = mapping.body(
            meta, k1=self.k1, b=self.b, vectors=self.vectors.mapping() if self.vectors else None
        )
        return indexes.create(self.cluster.client, self.alias(lang), body)

    def _load(self, name: str, rows: Sequence[int], before: int, progress: Progress) -> None:
        def told(done: int) -> None:
            progress(before + done, len(self.corpus))

        bulk.load(self.cluster, name, rows, self._documents, told)

    def _documents(self, rows: Sequence[int]) -> Iterator[tuple[str, dict[str, Any]]]:
        passages = [self._ordered[row] for row in rows]
        vectors = self.vectors.of_passages(passages) if self.vectors else None
        for at, passage in enumerate(passages):
            fields: dict[str, Any] = {
                "lang": whole(passage.lang),
                "title": whole(passage.title),
                "text": whole(passage.text),
            }
            yield whole(passage.docid), fields | ({"vector": vectors[at]} if vectors else {})
