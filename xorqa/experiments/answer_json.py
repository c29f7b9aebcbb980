"""An answer as JSON, as `xorqa ask --json` prints it and `xorqa serve` returns it."""

from collections.abc import Iterable
from typing import Any

from ..core.registry import described
from ..core.types import Answer, Hit, Query, Span, Trace
from ..io.candidates import candidate_row
from ..retrieval.hybrid import Hybrid
from .pipeline import Pipeline
from .settings import TARGET, Route

EVIDENCE = 5  # passages
HITS = 10  # per route, and per part of a hybrid retriever


def answer_json(pipeline: Pipeline, trace: Trace) -> dict[str, Any]:
    """A question's answer, evidence and trace.

    `answer` is null if the answer was not found; `trace.answers` then still has the most probable
    one. `made` is an answer's `method`, under the name that clients read. `evidence` begins with
    the passage that the answer was read from; a passage that was not read has no `start` and `end`.
    `milliseconds` is the time of the batch that the question was in.
    """
    answer = trace.answer if trace.found else None
    milliseconds = {stage: round(1000 * seconds, 1) for stage, seconds in trace.timings.items()}
    return {
        "answer": answer
        and {
            "text": answer.text,
            "lang": answer.lang,
            "original": answer.original,
            "confidence": answer.confidence,
            "made": answer.method,
        },
        "evidence": list(_evidence(trace)),
        "lang": trace.question.lang,
        "trace": {
            "question": trace.question.text,
            "found": trace.found,
            "min_confidence": trace.min_confidence,
            "routes": routes_json(pipeline, trace),
            "candidates": [candidate_row(candidate) for candidate in trace.candidates],
            "answers": [_answer_row(each) for each in trace.answers],
            "milliseconds": milliseconds,
        },
        "milliseconds": round(sum(milliseconds.values()), 1),
    }


def routes_json(pipeline: Pipeline, trace: Trace) -> list[dict[str, Any]]:
    """The query and the hits of each route."""
    return [
        {
            "route": route.name,
            "query": {"text": result.query.text, "lang": result.query.lang},
            "hits": [hit_row(hit) for hit in result.hits[:HITS]],
            "parts": _parts(pipeline, route, result.query),
        }
        for route in pipeline.settings.routes
        if (result := trace.by_route.get(route.name))
    ]


def hit_row(hit: Hit) -> dict[str, Any]:
    """A hit without its text."""
    passage = hit.passage
    return {
        "docid": passage.docid,
        "title": passage.title,
        "lang": passage.lang,
        "score": hit.score,
    }


def _evidence(trace: Trace) -> Iterable[dict[str, Any]]:
    """The passages of the answers, best first; without answers the first hit of each route."""
    chosen = trace.answer.source if trace.answer else None
    read = [answer.source for answer in trace.answers if answer.source]
    sources = [chosen, *read] if chosen else read
    places: dict[str, tuple[Hit, Span | None]] = {}
    for source in sources:
        span = source.span if source.evidence else None  # a generated answer may have none
        places.setdefault(source.docid, (source.hit, span))
    for result in trace.by_route.values():
        if result.hits and not sources:
            places.setdefault(result.hits[0].passage.docid, (result.hits[0], None))
    for hit, span in list(places.values())[:EVIDENCE]:
        yield {
            "docid": hit.passage.docid,
            "title": hit.passage.title,
            "text": hit.passage.text,
            "start": span.start if span else None,
            "end": span.end if span else None,
            "score": hit.score,
        }


def _answer_row(answer: Answer) -> dict[str, Any]:
    source = answer.source
    return {
        "text": answer.text,
        "lang": answer.lang,
        "original": answer.original,
        "confidence": answer.confidence,
        "made": answer.method,
        "calibrated": answer.calibrated,
        "score": answer.score if source else None,
        "docid": source.docid if source else None,
        "route": source.route if source else None,
    }


def _parts(pipeline: Pipeline, route: Route, query: Query) -> list[dict[str, Any]]:
    """The hits of each retriever that a hybrid one fuses; empty for other retrievers."""
    corpus = query.question.lang if route.corpus == TARGET else route.corpus
    retriever = pipeline.retriever(route, corpus)
    if not isinstance(retriever, Hybrid):
        return []
    return [
        {"retriever": described(table)["use"], "hits": [hit_row(hit) for hit in hits]}
        for table, part in zip(retriever.tables, retriever.parts, strict=True)
        for hits in part.retrieve([query], k=HITS)
    ]
