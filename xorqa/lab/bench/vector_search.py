"""The measurements of `xorqa bench search`: searches of dense indexes on one thread."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import ConfigError
from ...core.progress import TaskProgress, timed
from ...datasets.catalog import load_dataset
from ...io.files import index_folder, indexes_dir
from ...retrieval.dense import Dense
from ...retrieval.manifest import folder_of
from ...retrieval.vectors.build import DEPTH, build_index, exact_search, recall
from ...retrieval.vectors.kinds import (
    EXACT,
    check_kind,
    one_thread,
    open_index,
)
from ...retrieval.vectors.shards import Floats
from ...tables.grid import Grid
from .synthetic import NOISE, SEED, in_chunks, resize

QUESTIONS = 1000  # timed; a quarter as many others tune the indexes
CHUNK = 65_536  # vectors
COLUMNS = {
    "vectors": "{vectors:,}",
    "kind": "{kind}",
    "MB": "{megabytes:.1f}",
    "of flat": "{bytes_of_flat:.1%}",
    "open s": "{open_s:.3f}",
    "p50 ms": "{p50_ms:.2f}",
    "p95 ms": "{p95_ms:.2f}",
    "p99 ms": "{p99_ms:.2f}",
    "questions/s": "{per_s:.0f}",
    f"recall@{DEPTH}": f"{{recall@{DEPTH}:.4f}}",
    "times as fast": "{speed_of_flat:.1f}",
}


def measure(
    data: str, sizes: Sequence[int], kinds: Sequence[str], *, progress: TaskProgress
) -> dict[str, Any]:
    """Measure size, latency and recall of indexes, against FAISS's exact index in the same run.

    The first corpus has only the data set's real vectors; larger ones add synthetic vectors
    (`resize`).

    Raises:
        ConfigError: for an unknown kind or a size below 1.
    """
    if min(sizes, default=1) < 1:
        raise ConfigError("--size must be 1 or more")
    for kind in kinds:
        check_kind(kind)
    real, questions = real_vectors(data, progress)
    tuning, timed = np.split(questions, [len(questions) // 5])
    rows: list[dict[str, Any]] = []
    for size in (len(real), *sizes):
        rows += _compare(resize(real, size), kinds, tuning, timed, min(size, len(real)))
        progress("sizes searched", len(rows) // (1 + len(kinds)), 1 + len(sizes))
    return {
        "data": data,
        "real": len(real),
        "questions": len(timed),
        "dimensions": real.shape[1],
        "noise": NOISE,
        "seed": SEED,
        "threads": 1,
        "rows": rows,
    }


def grid(figures: Mapping[str, Any]) -> Grid:
    """The figures as a table with a row per index."""
    rows = ({**row, "megabytes": row["bytes"] / 1e6} for row in figures["rows"])
    return Grid(
        f"{figures['cpu']}, one thread, {figures['questions']} questions of {figures['data']}",
        tuple(COLUMNS),
        (tuple(tuple(cell.format_map(row) for cell in COLUMNS.values()) for row in rows),),
        f"{figures['real']:,} vectors are real; those beyond are synthetic: a real one drawn at "
        f"random plus Gaussian noise {figures['noise']} long, seed {figures['seed']}",
        labels=2,
    )


def real_vectors(data: str, progress: TaskProgress) -> tuple[Floats, Floats]:
    """The vectors of a data set's passages, from their default indexes, and of its questions."""
    import faiss

    dataset = load_dataset(data)
    vectors: list[Floats] = []
    for corpus in dataset.corpora.values():
        folder = index_folder(folder_of(corpus, indexes_dir()), {"use": "dense"})
        retriever = Dense(corpus=corpus, folder=folder)
        retriever.build(progress=partial(progress, corpus.name))
        index = open_index(folder / "index.faiss")
        flat = faiss.downcast_index(getattr(index, "index", index))
        vectors.append(flat.reconstruct_n(0, index.ntotal))
    order = np.random.default_rng(SEED).permutation(len(dataset.examples))[: QUESTIONS * 5 // 4]
    questions = [dataset.examples[row].question for row in order]
    texts, langs = [q.text for q in questions], [q.lang for q in questions]
    return np.concatenate(vectors), retriever.encoder.queries(texts, langs)


def _compare(
    vectors: Floats, kinds: Sequence[str], tuning: Floats, questions: Floats, real: int
) -> list[dict[str, Any]]:
    """Measure the exact index and each kind of index."""
    chunks = in_chunks(vectors, CHUNK)
    exact = exact_search(questions, chunks)
    rows = []
    for kind in dict.fromkeys((EXACT, *kinds)):
        with TemporaryDirectory() as folder:
            path, draft = Path(folder, "index.faiss"), Path(folder, "draft.faiss")
            build = partial(build_index, kind, chunks, lambda: tuning, path, draft)
            figures = {
                "kind": kind,
                "vectors": len(vectors),
                "synthetic": len(vectors) - real,
                "build_s": timed(build)[0],
                **_time_search(path, questions, exact),
            }
        rows.append(figures)
        figures["bytes_of_flat"] = figures["bytes"] / rows[0]["bytes"]
        figures["speed_of_flat"] = rows[0]["p50_ms"] / figures["p50_ms"]
    return rows


def _time_search(path: Path, questions: Floats, exact: NDArray[np.int64]) -> dict[str, Any]:
    """Open an index from disk and search it, in one batch and question by question."""
    open_s, index = timed(lambda: open_index(path))
    with one_thread():
        index.search(questions, DEPTH)  # untimed: loads the file into memory
        batch_s, (_, retrieved) = timed(lambda: index.search(questions, DEPTH))
        seconds = [timed(partial(index.search, row[None], DEPTH))[0] for row in questions]
    p50, p95, p99 = np.percentile(1000 * np.array(seconds), (50, 95, 99)).tolist()
    return {
        "bytes": path.stat().st_size,
        "open_s": open_s,
        "p50_ms": p50,
        "p95_ms": p95,
        "p99_ms": p99,
        "per_s": len(questions) / batch_s,
        f"recall@{DEPTH}": recall(retrieved, exact),
    }
