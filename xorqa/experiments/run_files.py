"""The files of a run folder with its queries, hits, candidates and failures, written and read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..core.types import Hit, ReadingFailure, Trace, TranslationFailure
from ..io.candidates import candidate_row
from ..io.files import read_jsonl, write_jsonl
from ..io.trec import Run, read_runs, write_run, write_runs

QUERIES = "queries.jsonl"
HITS = "run.trec"
RETRIEVED = "retrieved.trec"  # the hits before a ranker
CANDIDATES = "spans.jsonl"
FAILURES = "translation_failures.jsonl"
UNREAD = "reading_failures.jsonl"


def write_traces(folder: Path, traces: Sequence[Trace]) -> None:
    """Write the queries and the hits of each route, and the candidates if passages were read."""
    queries = (
        {
            "qid": trace.question.qid,
            "lang": trace.question.lang,
            "question": trace.question.text,
            "queries": {route: query.text for route, (query, _) in trace.by_route.items()},
        }
        for trace in traces
    )
    write_jsonl(folder / QUERIES, queries)
    ranked = _by_route(
        (trace.question.qid, {route: hits for route, (_, hits) in trace.by_route.items()})
        for trace in traces
    )
    write_runs(folder / HITS, ranked)
    if len(ranked) > 1:  # other tools read one run per file
        for route, run in ranked.items():
            write_run(folder / f"run.{route}.trec", run, tag=route)
    if retrieved := _by_route((trace.question.qid, trace.retrieved) for trace in traces):
        write_runs(folder / RETRIEVED, retrieved)
    if any(trace.candidates or trace.answer for trace in traces):
        rows = (
            {"qid": trace.question.qid, "candidates": list(map(candidate_row, trace.candidates))}
            for trace in traces
        )
        write_jsonl(folder / CANDIDATES, rows)


def _by_route(
    rankings: Iterable[tuple[str, Mapping[str, Sequence[Hit]]]],
) -> dict[str, dict[str, dict[str, float]]]:
    """Route to qid to docid to score, from the hits of each qid by route."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for qid, by_route in rankings:
        for route, hits in by_route.items():
            docs = {hit.passage.docid: hit.score for hit in hits}
            runs.setdefault(route, {})[qid] = docs
    return runs


def write_failures(
    path: Path, by_route: Mapping[str, Sequence[TranslationFailure | ReadingFailure]]
) -> None:
    """Write the questions that a stage failed on, if any; the next run tries them again."""
    rows = [
        {
            "qid": failure.question.qid,
            "lang": failure.question.lang,
            "route": route,
            "question": failure.question.text,
            "reason": failure.reason,
        }
        for route, failures in by_route.items()
        for failure in failures
    ]
    path.unlink(missing_ok=True)
    if rows:
        write_jsonl(path, rows)


@contextmanager
def complete_run(folder: Path) -> Iterator[None]:
    """Raise a DataError if the block fails on a missing or malformed entry of the run's files."""
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{folder} is not a complete run folder: {error!r}") from error


def queries_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Qid to the question's row, whose `queries` are the query of each route."""
    return {row["qid"]: row for _, row in read_jsonl(folder / QUERIES)}


def candidates_of(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Qid to the rows of its candidates."""
    return {row["qid"]: row["candidates"] for _, row in read_jsonl(folder / CANDIDATES)}


def failed_qids(folder: Path) -> set[Any]:
    """The qids of the questions on which the reader failed."""
    path = folder / UNREAD
    return {row.get("qid") for _, row in read_jsonl(path)} if path.is_file() else set()


def rankings_of(folder: Path) -> Mapping[str, Run]:
    """Route to its hits as they were read, as docids with scores."""
    return read_runs(folder / HITS)


def retrieved_of(folder: Path) -> Mapping[str, Run]:
    """As `rankings_of`, before the ranker; empty if no route has one."""
    path = folder / RETRIEVED
    return read_runs(path) if path.is_file() else {}
