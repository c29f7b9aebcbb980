"""What `xorqa bench search` measures: searches of dense indexes on one thread."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.errors import ConfigError
from ..core.progress import TaskProgress
from ..datasets.catalog import load_dataset
from ..io.files import index_folder, indexes_dir
from ..retrieval.dense import Dense
from ..retrieval.vectors.build import DEPTH, build_index, exact_search, recall
from ..retrieval.vectors.kinds import EXACT, check_kind, open_index
from ..retrieval.vectors.synthetic import NOISE, SEED, in_chunks, resize
from ..tables.grid import Grid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

QUESTIONS = 1000  # timed; a quarter as many others tune the indexes
CHUNK = 65_536  # vectors


def measure(
    data: str, sizes: Sequence[int], kinds: Sequence[str], *, progress: TaskProgress
) -> dict[str, Any]:
    """Sizes, latencies and recall of indexes, beside FAISS's exact index in the same run.

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
    rows = (
        (
            f"{row['vectors']:,}",
            row["kind"],
            f"{row['bytes'] / 1e6:.1f}",
            f"{row['bytes_of_flat']:.1%}",
            f"{row['open_s']:.3f}",
            f"{row['p50_ms']:.2f}",
            f"{row['p95_ms']:.2f}",
            f"{row['p99_ms']:.2f}",
            f"{row['per_s']:.0f}",
            f"{row[f'recall@{DEPTH}']:.4f}",
            f"{row['speed_of_flat']:.1f}",
        )
        for row in figures["rows"]
    )
    return Grid(
        f"{figures['cpu']}, one thread, {figures['questions']} questions of {figures['data']}",
        (
            "vectors",
            "kind",
            "MB",
            "of flat",
            "open s",
            "p50 ms",
            "p95 ms",
            "p99 ms",
            "questions/s",
            f"recall@{DEPTH}",
            "times as fast",
        ),
        (tuple(rows),),
        f"{figures['real']:,} vectors are real; those beyond are synthetic: a real one drawn at "
        f"random plus Gaussian noise {figures['noise']} long, seed {figures['seed']}",
        labels=2,
    )


def real_vectors(data: str, progress: TaskProgress) -> tuple[Floats, Floats]:
    """Vectors of a data set's passages, from their default indexes, and of its questions."""
    import faiss

    dataset = load_dataset(data)
    vectors: list[Floats] = []
    for corpus in dataset.corpora.values():
        folder = index_folder(indexes_dir() / corpus.name, {"use": "dense"})
        retriever = Dense(corpus=corpus, folder=folder)
        retriever.build(
            progress=lambda done, of, name=corpus.name: progress(name, done, of)  # type: ignore[misc]
        )
        index = open_index(folder / "index.faiss")
        flat = faiss.downcast_index(getattr(index, "index", index))
        vectors.append(flat.reconstruct_n(0, index.ntotal))
    order = np.random.default_rng(SEED).permutation(len(dataset.examples))[: QUESTIONS * 5 // 4]
    questions = [dataset.examples[at].question for at in order]
    texts, langs = [q.text for q in questions], [q.lang for q in questions]
    return np.concatenate(vectors), retriever.encoder.queries(texts, langs)


def _compare(
    vectors: Floats, kinds: Sequence[str], tuning: Floats, questions: Floats, real: int
) -> list[dict[str, Any]]:
    """The figures of the exact index and of each kind."""
    chunks = in_chunks(vectors, CHUNK)
    exact = exact_search(questions, chunks)
    rows = []
    for kind in dict.fromkeys((EXACT, *kinds)):
        with TemporaryDirectory() as folder:
            path = Path(folder, "index.faiss")
            started = time.perf_counter()
            build_index(kind, chunks, lambda: tuning, path, draft=path.with_name("draft.faiss"))
            build_s = time.perf_counter() - started
            figures = {
                "kind": kind,
                "vectors": len(vectors),
                "synthetic": len(vectors) - real,
                "build_s": build_s,
                **_time_search(path, questions, exact),
            }
        rows.append(figures)
        for name, figure in (
            ("bytes", figures["bytes"] / rows[0]["bytes"]),
            ("speed", rows[0]["p50_ms"] / figures["p50_ms"]),
        ):
            figures[f"{name}_of_flat"] = figure
    return rows


def _time_search(path: Path, questions: Floats, exact: NDArray[np.int64]) -> dict[str, Any]:
    """Open an index from disk and search it, in one batch and one question at a time."""
    import faiss

    started = time.perf_counter()
    index = open_index(path)
    open_s = time.perf_counter() - started
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    index.search(questions, DEPTH)  # untimed: loads the file into memory
    started = time.perf_counter()
    retrieved = index.search(questions, DEPTH)[1]
    batch_s = time.perf_counter() - started
    seconds = []
    for question in questions:
        started = time.perf_counter()
        index.search(question[None], DEPTH)
        seconds.append(time.perf_counter() - started)
    faiss.omp_set_num_threads(threads)
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
