"""A cache of stage outputs, keyed by content: each input is computed once.

A key hashes the stage's class, version, fingerprint and input, so a new reader reuses
translation and retrieval, and a killed run resumes. A damaged row counts as missing; a damaged
file is renamed and replaced. Stored results name passages by docid alone: the hits of a query are
from one corpus, which has no docid twice. Keys contain whole passages: another corpus may have
another passage of that docid.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import astuple
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ..core.errors import DamageWarning, DataError
from ..core.progress import Progress, silent
from ..core.stages import BaseTranslator, Ranker, Reader, Retriever, Stage, Translator, Unranked
from ..core.types import Candidate, Hit, Passage, Query, Question
from .candidates import candidate_from, candidate_row
from .files import cache_dir, digest
from .locks import lock_path, waiting
from .strict_json import parse_json

In = TypeVar("In")
Out = TypeVar("Out")

TIMEOUT = 60.0  # seconds to wait for another process's commit
DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
READ = 24  # queries per batch, so that progress is reported every few seconds
TEXTS = 64  # translated per batch; an interrupted call loses at most one batch


class Passages(Protocol):
    """Passages by docid, such as a corpus."""

    def __getitem__(self, docid: str) -> Passage: ...
    def get(self, docid: str) -> Passage | None: ...


def stage_cache() -> Cache:
    """The user's cache of stage outputs, shared by all runs."""
    return Cache(cache_dir() / "stages.sqlite")


class Cache:
    """One SQLite file; each chunk of results is committed at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._inode: int | None = None

    @cached_property
    def _db(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._inode = self._present_inode()
        db = _open(self.path)
        self._inode = self._present_inode()  # known once the file exists
        return db

    def _present_inode(self) -> int | None:
        return self.path.stat().st_ino if self.path.exists() else None

    def _try(self, work: Callable[[sqlite3.Connection], Out]) -> Out:
        """Call `work` on the database; if its file is damaged, rename it and retry with a new one.

        Raises:
            DataError: if the file cannot be used, or is another database.
        """
        try:
            try:
                return work(self._db)
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF not in DAMAGED:
                    raise
            self._set_aside()
            return work(self._db)
        except sqlite3.DatabaseError as error:
            raise DataError(f"{self.path} cannot be used as a cache: {error}") from error

    def _set_aside(self) -> None:
        """Rename the file, unless another process has done so since this one opened it."""
        if "_db" in self.__dict__:
            self._db.close()
            del self._db
        with waiting(silent), lock_path(self.path, "cache"):
            if self._present_inode() != self._inode:
                return
            for journal in ("-journal", "-wal", "-shm"):
                self.path.with_name(f"{self.path.name}{journal}").unlink(missing_ok=True)
            aside = self.path.with_name(f"{self.path.name}.damaged")
            self.path.replace(aside)
        warnings.warn(
            f"{self.path} is damaged; it was renamed to {aside.name}, and its results are computed "
            "again",
            DamageWarning,
            stacklevel=2,
        )

    def through(
        self,
        stage: Stage,
        inputs: Sequence[In],
        compute: Callable[[Sequence[In]], Sequence[Out]],
        *,
        key: Callable[[In], object],
        dump: Callable[[Out], Any],
        load: Callable[[Any, In], Out],
        chunk: int = 240,
        keep: Callable[[Out], bool] = lambda output: True,
        progress: Progress = silent,
    ) -> list[Out]:
        """All results in order; `compute` gets only inputs without a stored result, in chunks.

        `key` returns the part of an input that its output depends on; `dump` and `load` convert a
        result to JSON and back (given the input). A result that `keep` rejects is returned but
        not stored.
        """
        cls = type(stage)
        name = (cls.__module__, cls.__qualname__, stage.version, stage.fingerprint())
        keys = [digest(name, key(item)) for item in inputs]
        results: dict[int, Out] = {}
        for index, value in enumerate(self._try(lambda db: [_get(db, k) for k in keys])):
            with suppress(ValueError, LookupError, TypeError, AttributeError):  # a damaged row
                if value is not None:
                    results[index] = load(parse_json(value), inputs[index])
        missing = [index for index in range(len(inputs)) if index not in results]
        progress(len(results), len(inputs))
        for start in range(0, len(missing), chunk):
            batch = missing[start : start + chunk]
            new = dict(zip(batch, compute([inputs[index] for index in batch]), strict=True))
            rows = [
                (keys[index], json.dumps(dump(output), ensure_ascii=False))
                for index, output in new.items()
                if keep(output)
            ]
            self._try(partial(_put, rows=rows))
            results |= new
            progress(len(results), len(inputs))
        return [results[index] for index in range(len(inputs))]

    def translate(
        self,
        translator: Translator,
        questions: Sequence[Question],
        *,
        to: str,
        by_qid: bool = True,
        progress: Progress = silent,
    ) -> list[Query]:
        """Queries in language `to`; failed translations are not cached, so they are tried again.

        Without `by_qid`, questions with the same text share a translation.
        """

        def load(row: Any, question: Question) -> Query:
            # Older rows are a text alone or, of questions, a text with its language, which is `to`.
            text, confidence = (row, None) if isinstance(row, str) else row
            return Query(question, text, to, None if confidence == to else confidence)

        def compute(missing: Sequence[Question]) -> list[Query]:
            if isinstance(translator, BaseTranslator):  # before the first chunk is translated
                translator.check_languages({question.lang for question in questions}, to=to)
            return translator.translate(missing, to=to)

        return self.through(
            translator,
            questions,
            compute,
            key=lambda q: (q.qid if by_qid else "text", q.text, q.lang, to),
            dump=lambda query: (query.text, query.confidence),
            load=load,
            chunk=TEXTS,
            keep=lambda query: query.lang == to,
            progress=progress,
        )

    def translate_texts(
        self,
        translator: Translator,
        texts: Iterable[str],
        *,
        lang: str,
        to: str,
        progress: Progress = silent,
    ) -> list[Query]:
        """One query per distinct text; failed translations stay in `lang`."""
        distinct = dict.fromkeys(texts)
        questions = [Question(f"text-{number}", text, lang) for number, text in enumerate(distinct)]
        return self.translate(translator, questions, to=to, by_qid=False, progress=progress)

    def retrieve(
        self,
        retriever: Retriever,
        queries: Sequence[Query],
        passages: Passages,
        *,
        k: int,
        progress: Progress = silent,
    ) -> list[list[Hit]]:
        """The best `k` passages for each query; passages of another corpus are stored in full."""

        def key(query: Query) -> tuple[object, ...]:
            question = query.question
            texts = query.text, query.lang, question.text, question.lang
            return (k, *texts, question.qid) if retriever.by_qid else (k, *texts)

        def row(hit: Hit) -> tuple[object, ...]:
            passage = hit.passage
            in_corpus = passages.get(passage.docid) == passage  # an engine may hold another text
            whole = () if in_corpus else (passage.text, passage.title, passage.lang)
            return passage.docid, hit.score, *whole

        return self.through(
            retriever,
            queries,
            partial(retriever.retrieve, k=k),
            key=key,
            dump=lambda hits: list(map(row, hits)),
            load=lambda rows, _: [
                Hit(Passage(docid, *whole) if whole else passages[docid], score)
                for docid, score, *whole in rows
            ],
            progress=progress,
        )

    def rank(
        self,
        ranker: Ranker,
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        passages: Passages,
        *,
        progress: Progress = silent,
    ) -> list[list[Hit]]:
        """The hits of each query, ranked; what the ranker adds are `passages`."""

        def key(pair: tuple[Query, Sequence[Hit]]) -> tuple[object, ...]:
            query, ranking = pair
            texts = query.text, query.lang, query.question.text, query.question.lang
            return *texts, [(astuple(hit.passage), hit.score) for hit in ranking]

        def load(rows: Any, pair: tuple[Query, Sequence[Hit]]) -> list[Hit]:
            known = {hit.passage.docid: hit.passage for hit in pair[1]}
            # Older rows have the passage's language between docid and score.
            return [Hit(known.get(docid) or passages[docid], score) for docid, *_, score in rows]

        return self.through(
            ranker,
            list(zip(queries, hits, strict=True)),
            lambda batch: ranker.rank([query for query, _ in batch], [hits for _, hits in batch]),
            key=key,
            dump=lambda ranked: [(hit.passage.docid, hit.score) for hit in ranked],
            load=load,
            chunk=READ,
            keep=lambda ranked: not isinstance(ranked, Unranked),
            progress=progress,
        )

    def read(
        self,
        reader: Reader,
        queries: Sequence[Query],
        hits: Sequence[Sequence[Hit]],
        *,
        progress: Progress = silent,
    ) -> list[list[Candidate]]:
        """The candidates of each query's hits; a query that could not be read has none.

        Such a query is not cached, so it is read again.
        """
        by_lang = getattr(reader, "by_lang", False)
        by_title = getattr(reader, "by_title", False)

        def key(pair: tuple[Query, Sequence[Hit]]) -> tuple[object, ...]:
            query, ranking = pair
            rows = [(h.passage.docid, h.passage.lang, h.passage.text, h.score) for h in ranking]
            lang = (query.question.lang,) if by_lang else ()
            titles = ([hit.passage.title for hit in ranking],) if by_title else ()
            return query.text, query.question.text, rows, *lang, *titles

        def load(rows: Any, pair: tuple[Query, Sequence[Hit]]) -> list[Candidate] | None:
            retrieved = {hit.passage.docid: hit.passage for hit in pair[1]}
            return [candidate_from(row, retrieved.get(row["docid"])) for row in rows]

        candidate_lists = self.through(
            reader,
            list(zip(queries, hits, strict=True)),
            lambda batch: reader.read([query for query, _ in batch], [hits for _, hits in batch]),
            key=key,
            dump=lambda candidates: list(map(candidate_row, candidates or ())),
            load=load,
            chunk=READ,
            keep=lambda candidates: candidates is not None,
            progress=progress,
        )
        return [candidates or [] for candidates in candidate_lists]


def _open(path: Path) -> sqlite3.Connection:
    """The database with its table; `sum` was added later, and is empty in older rows."""
    db = sqlite3.connect(path, timeout=TIMEOUT)
    db.execute("CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, value TEXT, sum TEXT)")
    if not _has_sums(db):
        try:
            db.execute("ALTER TABLE outputs ADD COLUMN sum TEXT")
        except sqlite3.OperationalError:
            if not _has_sums(db):  # another process added it
                raise
    return db


def _has_sums(db: sqlite3.Connection) -> bool:
    return any(row[1] == "sum" for row in db.execute("PRAGMA table_info(outputs)"))


def _get(db: sqlite3.Connection, key: str) -> bytes | None:
    """The stored value, or None if there is none or its checksum differs."""
    query = "SELECT CAST(value AS BLOB), CAST(sum AS BLOB) FROM outputs WHERE key = ?"
    row = db.execute(query, (key,)).fetchone()
    if row is None or row[0] is None or (row[1] is not None and row[1] != _sum(key, row[0])):
        return None
    return bytes(row[0])


def _put(db: sqlite3.Connection, rows: Sequence[tuple[str, str]]) -> None:
    """Store a chunk in one transaction."""
    summed = [(key, value, _sum(key, value.encode()).decode()) for key, value in rows]
    with db:
        db.executemany("INSERT OR REPLACE INTO outputs (key, value, sum) VALUES (?, ?, ?)", summed)


def _sum(key: str, value: bytes) -> bytes:
    return hashlib.sha256(key.encode() + value).hexdigest()[:16].encode()


class NoCache(Cache):
    """A cache that stores nothing, so everything is computed."""

    def __init__(self) -> None:
        super().__init__(Path())

    def through(
        self,
        stage: Stage,
        inputs: Sequence[In],
        compute: Callable[[Sequence[In]], Sequence[Out]],
        **options: Any,
    ) -> list[Out]:
        return list(compute(inputs))
