"""TREC files. Lines of a run: `qid Q0 docid rank score tag`; of qrels: `qid 0 docid grade`.

Rank follows from score everywhere: score descending, then docid ascending; only the official
scores of a file order docids as trec_eval does. Columns are
separated by ASCII white space, as in trec_eval.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from ..core.errors import DataError, one_of
from ..core.types import rank_key
from .encodings import open_utf8
from .files import atomic_path

MAX_GRADE = 2**31 - 1  # trec_eval reads 32 bits

Run = Mapping[str, Mapping[str, float]]
"""qid to docid to score."""

Qrels = Mapping[str, Mapping[str, int]]
"""qid to docid to grade; relevant is 1 or more."""


def ranked(docs: Mapping[str, float]) -> dict[str, float]:
    """Rank one query's docids: best score first, equal scores by docid.

    Raises:
        DataError: if a score is NaN or infinite.
    """
    for docid, score in docs.items():
        if not math.isfinite(score):
            raise DataError(f"docid '{docid}' cannot be ranked: its score is {score}")
    return dict(sorted(docs.items(), key=lambda doc: rank_key(doc[1], doc[0])))


def trec_eval_order(docs: Mapping[str, float]) -> list[str]:
    """One query's docids as trec_eval ranks them.

    Scores are 32-bit floats, and equal scores are ordered by docid descending.
    """
    scores = np.array([*docs.values()], dtype=np.float64)
    with np.errstate(over="ignore"):
        keys = zip(scores.astype(np.float32).tolist(), docs, strict=True)
        return [docid for _, docid in sorted(keys, reverse=True)]


def read_run(path: Path, *, tag: str | None = None) -> dict[str, dict[str, float]]:
    """Read a run from a file; `tag` chooses one of several.

    Raises:
        DataError: as `read_runs`; for an unknown tag; or if the file has several runs and `tag`
            is None.
    """
    runs = read_runs(path)
    if tag is None and len(runs) > 1:
        raise DataError(
            f"{path} holds several runs; choose one by its tag (--tag, or tag in a config): "
            f"{one_of(runs)}"
        )
    if tag is not None and tag not in runs:
        raise DataError(f"{path} has no run tagged '{tag}'; valid: {one_of(runs)}")
    return runs[tag] if tag is not None else next(iter(runs.values()), {})


def read_runs(path: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Read the runs of a file by tag, with queries in file order and docids ranked by score.

    The rank column is ignored.

    Raises:
        DataError: naming the line with another layout, a score that is not a finite
            number, or a repeated docid of its query.
    """
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for where, (qid, _, docid, _, score, name) in _rows(path, "qid Q0 docid rank score tag"):
        docs = runs.setdefault(name, {}).setdefault(qid, {})
        _once(docid, docs, qid, where)
        try:
            docs[docid] = float(score)
        except ValueError:
            docs[docid] = math.nan
        if not math.isfinite(docs[docid]):
            raise DataError(f"{where}: the score '{score:.30}' is not a finite number")
    return {tag: {qid: ranked(docs) for qid, docs in run.items()} for tag, run in runs.items()}


def write_run(path: Path, run: Run, *, tag: str = "xorqa") -> None:
    """Write a run, with scores at full precision; a query without results has no line.

    Raises:
        DataError: if an id or the tag is empty or has white space, or a score is NaN or infinite.
    """
    write_runs(path, {tag: run})


def write_runs(path: Path, runs: Mapping[str, Run]) -> None:
    """Write several runs, by tag, to one file.

    Raises:
        DataError: as `write_run`.
    """
    rows = (
        (qid, "Q0", docid, str(rank), repr(float(score)), tag)
        for tag, run in runs.items()
        for qid, docs in run.items()
        for rank, (docid, score) in enumerate(ranked(docs).items(), 1)
    )
    _write(path, rows)


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read grades by query and docid, in file order.

    Raises:
        DataError: naming the line with another layout, a grade that is not an integer, or a
            repeated docid of its query.
    """
    qrels: dict[str, dict[str, int]] = {}
    for where, (qid, _, docid, grade) in _rows(path, "qid 0 docid grade"):
        docs = qrels.setdefault(qid, {})
        _once(docid, docs, qid, where)
        try:
            docs[docid] = int(grade)
        except ValueError as error:
            raise DataError(f"{where}: the grade '{grade:.30}' is not an integer") from error
        if abs(docs[docid]) > MAX_GRADE:
            raise DataError(f"{where}: the grade {grade:.30} is beyond 32 bits")
    return qrels


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write qrels; a query without judgements has no line.

    Raises:
        DataError: if an id is empty or has white space.
    """
    rows = (
        (qid, "0", docid, str(grade))
        for qid, docs in qrels.items()
        for docid, grade in docs.items()
    )
    _write(path, rows)


def _rows(path: Path, layout: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the location and columns of each line, without blank ones."""
    expected = len(layout.split())
    with open_utf8(path) as stream:
        for number, line in enumerate(stream, 1):
            where = f"{path}, line {number}"
            try:
                columns = [column.decode("utf-8") for column in line.split()]
            except UnicodeDecodeError as error:
                raise DataError(f"{where}: not UTF-8 text ({error})") from error
            if columns and len(columns) != expected:
                raise DataError(f"{where}: {len(columns)} columns, not {expected} ({layout})")
            if columns:
                yield where, columns


def _once(docid: str, docs: Mapping[str, float], qid: str, where: str) -> None:
    if docid in docs:
        raise DataError(f"{where}: docid '{docid}' occurs twice for query '{qid}'")


def _write(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        for row in rows:
            columns = [text.encode() for text in row]
            for text, column in zip(row, columns, strict=True):
                if column.split() != [column]:
                    raise DataError(
                        f"{path}: '{text}' cannot be written to a TREC file: "
                        "ids and tags must be non-empty and without white space"
                    )
            stream.write(b" ".join(columns) + b"\n")
