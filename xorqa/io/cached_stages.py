"""Stages with a cache: the inputs that an output depends on, and its stored form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any, Protocol

from ..core.progress import Progress, silent
from ..core.stages import Ranker, Reader, Retriever, Translator
from ..core.types import Candidate, Hit, Passage, Query, Question
from .cache import Cache
from .candidates import candidate_from, candidate_row

READ = 24  # queries per batch, so that progress is reported every few seconds
TEXTS = 64  # translated per batch; an interrupted call loses at most one batch


class Passages(Protocol):
    """Passages by docid, such as a corpus."""

    def __getitem__(self, docid: str) -> Passage: ...
    def get(self, docid: str) -> Passage | None: ...


def translate(
    translator: Translator,
    questions: Sequence[Question],
    *,
    to: str,
    cache: Cache,
    progress: Progress = silent,
) -> list[Query]:
    """Queries in language `to`; failed translations are not cached, so they are tried again."""
    return cache.through(
        translator,
        questions,
        partial(translator.translate, to=to),
        key=lambda question: (question.qid, question.text, question.lang, to),
        dump=lambda query: (query.text, query.lang),
        load=lambda row, question: Query(question, *row),
        chunk=TEXTS,
        keep=lambda query: query.lang == to,
        progress=progress,
    )


def translate_each(
    translator: Translator,
    texts: Iterable[str],
    *,
    lang: str,
    to: str,
    cache: Cache,
    progress: Progress = silent,
) -> list[Query]:
    """One query per text, translating equal texts once; failed translations stay in `lang`."""
    unique = dict.fromkeys(texts)
    questions = [Question(f"text-{number}", text, lang) for number, text in enumerate(unique)]
    return cache.through(
        translator,
        questions,
        partial(translator.translate, to=to),
        key=lambda question: ("text", question.text, lang, to),
        dump=lambda query: (
            query.text if query.confidence is None else [query.text, query.confidence]
        ),
        load=lambda row, question: (
            Query(question, row, to)
            if isinstance(row, str)
            else Query(question, row[0], to, confidence=row[1])
        ),
        chunk=TEXTS,
        keep=lambda query: query.lang == to,
        progress=progress,
    )


def retrieve(
    retriever: Retriever,
    queries: Sequence[Query],
    passages: Passages,
    *,
    k: int,
    cache: Cache,
    progress: Progress = silent,
) -> list[list[Hit]]:
    """The best `k` passages for each query; passages of another corpus are stored in full."""
    return cache.through(
        retriever,
        queries,
        partial(retriever.retrieve, k=k),
        key=lambda query: _query_key(query, k, by_qid=retriever.by_qid),
        dump=lambda hits: [_hit_row(hit, passages) for hit in hits],
        load=lambda rows, _: [
            Hit(Passage(docid, *rest) if rest else passages[docid], score)
            for docid, score, *rest in rows
        ],
        progress=progress,
    )


def rank(
    ranker: Ranker,
    queries: Sequence[Query],
    hits: Sequence[Sequence[Hit]],
    passages: Passages,
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[list[Hit]]:
    """The hits of each query, ranked; what the ranker adds are `passages`."""
    return cache.through(
        ranker,
        list(zip(queries, hits, strict=True)),
        lambda batch: ranker.rank([query for query, _ in batch], [hits for _, hits in batch]),
        key=_rank_key,
        dump=lambda ranked: [(hit.passage.docid, hit.passage.lang, hit.score) for hit in ranked],
        load=lambda rows, pair: _ranked_from(rows, pair[1], passages),
        chunk=READ,
        progress=progress,
    )


def read(
    reader: Reader,
    queries: Sequence[Query],
    hits: Sequence[Sequence[Hit]],
    *,
    cache: Cache,
    progress: Progress = silent,
) -> list[list[Candidate]]:
    """The candidates of each query's hits; a query that could not be read has none.

    Such a query is not cached, so it is read again.
    """
    candidate_lists = cache.through(
        reader,
        list(zip(queries, hits, strict=True)),
        lambda batch: reader.read([query for query, _ in batch], [hits for _, hits in batch]),
        key=lambda pair: _read_key(*pair, by_lang=getattr(reader, "by_lang", False)),
        dump=lambda candidates: [candidate_row(candidate) for candidate in candidates or ()],
        load=lambda rows, pair: _from_rows(rows, pair[1]),
        chunk=READ,
        keep=lambda candidates: candidates is not None,
        progress=progress,
    )
    return [candidates or [] for candidates in candidate_lists]


def _read_key(query: Query, hits: Sequence[Hit], *, by_lang: bool) -> tuple[object, ...]:
    rows = [(h.passage.docid, h.passage.lang, h.passage.text, h.score) for h in hits]
    key = query.text, query.question.text, rows
    return (*key, query.question.lang) if by_lang else key


def _rank_key(pair: tuple[Query, Sequence[Hit]]) -> tuple[object, ...]:
    query, hits = pair
    question = query.question
    scored = [(astuple(hit.passage), hit.score) for hit in hits]
    return query.text, query.lang, question.text, question.lang, scored


def _ranked_from(
    rows: Sequence[tuple[str, str, float]], hits: Sequence[Hit], passages: Passages
) -> list[Hit]:
    retrieved = {(hit.passage.docid, hit.passage.lang): hit.passage for hit in hits}
    return [
        Hit(retrieved.get((docid, lang)) or passages[docid], score) for docid, lang, score in rows
    ]


def _query_key(query: Query, k: int, *, by_qid: bool) -> tuple[object, ...]:
    question = query.question
    key = (k, query.text, query.lang, question.text, question.lang)
    return (*key, question.qid) if by_qid else key


def _hit_row(hit: Hit, passages: Passages) -> list[Any]:
    passage = hit.passage
    known = passages.get(passage.docid) is not None
    whole = () if known else (passage.text, passage.title, passage.lang)
    return [passage.docid, hit.score, *whole]


def _from_rows(rows: Sequence[Mapping[str, Any]], hits: Sequence[Hit]) -> list[Candidate] | None:
    passages = {hit.passage.docid: hit.passage for hit in hits}
    return [candidate_from(row, passages.get(row["docid"])) for row in rows]
