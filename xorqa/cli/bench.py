"""`xorqa bench`: speed on this machine, next to a peer in the same run."""

from __future__ import annotations

import json
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from ..benchmarks.bm25 import grid as index_grid
from ..benchmarks.bm25 import measure as measure_index
from ..benchmarks.pipeline import grid as ask_grid
from ..benchmarks.pipeline import measure as measure_ask
from ..benchmarks.reader import read_seconds
from ..benchmarks.scorers import measure
from ..benchmarks.vector_search import grid
from ..benchmarks.vector_search import measure as measure_search
from ..benchmarks.workers import measure as measure_workers
from ..core.lazy import require
from ..datasets.mini import load
from ..io.files import write_json
from ..metrics.task import SCORERS
from ..models.checkpoints import resolve
from ..models.device import pick_device, pick_dtype
from ..models.encoder import Encoder
from ..reading.pairs import DEFAULT_READER
from ..retrieval.vectors.kinds import COMPRESSED
from .show import console, print_grid, progress

app = typer.Typer(no_args_is_help=True)


@app.callback()
def about() -> None:
    """Measure speed on this machine."""


@app.command()
def ask(
    config: Annotated[str, typer.Argument(help="An experiment: a name or a TOML file.")] = "dense",
    data: Annotated[str, typer.Option(help="Whose questions and passages.")] = "mini",
    questions: Annotated[int, typer.Option(min=1, help="How many, drawn at random.")] = 50,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Answer questions one by one, indexes and weights loaded before; milliseconds a stage.

    Example: xorqa bench ask hybrid --data xquad-open
    """
    figures = {"cpu": cpu_name(), **measure_ask(config, data, questions)}
    if json_file:
        write_json(json_file, figures)
    print_grid(ask_grid(figures))


@app.command()
def encode(
    texts: Annotated[int, typer.Option(help="How many passages, in all eight languages.")] = 512,
    rounds: Annotated[int, typer.Option(help="How often, in turn; the median counts.")] = 3,
    workers: Annotated[
        int, typer.Option(min=0, help="Instead: so many processes against one, a thread each.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The figures as JSON.")] = False,
) -> None:
    """Encode passages with xorqa and with sentence-transformers' default (fp32), in turn."""
    if workers:
        shares = {"cpu": cpu_name(), **measure_workers(texts, workers, rounds)}
        print(
            json.dumps(shares)
            if as_json
            else f"1 process {shares['one_per_s']:.1f} passages/s, {workers} processes "
            f"{shares['workers_per_s']:.1f}, {shares['ratio']:.2f} times as fast, "
            "a thread each"
        )
        return
    passages = [passage.text for corpus in load().corpora.values() for passage in corpus]
    passages = (passages * (texts // len(passages) + 1))[:texts]
    encoder = Encoder()
    peer = _peer()
    ours, theirs = [], []
    _seconds(encoder.passages, passages[:32])
    _seconds(peer, passages[:32])
    for _ in range(rounds):
        ours.append(_seconds(encoder.passages, passages))
        theirs.append(_seconds(peer, passages))
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    figures: dict[str, Any] = {
        "cpu": cpu_name(),
        "dtype": str(pick_dtype("auto", pick_device())).removeprefix("torch."),
        "texts": texts,
        "xorqa_s": statistics.median(ours),
        "sentence_transformers_s": statistics.median(theirs),
        "ratio": ratio,
    }
    if as_json:
        print(json.dumps(figures))
        return
    console.print(f"{figures['cpu']}, {figures['dtype']}, {texts} passages, {rounds} rounds")
    console.print(f"xorqa                        {figures['xorqa_s']:.2f} s")
    console.print(f"sentence-transformers (fp32) {figures['sentence_transformers_s']:.2f} s")
    console.print(f"xorqa is {ratio:.2f} times as fast")


@app.command()
def index(
    data: Annotated[str, typer.Option(help="Whose English passages and questions.")] = "mini",
    rounds: Annotated[int, typer.Option(min=1, help="How often, in turn; the median counts.")] = 3,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Index passages and search them all at once by BM25, next to pyserini's own classes.

    Example: xorqa bench index --data xquad-open
    """
    figures = {"cpu": cpu_name(), **measure_index(data, rounds)}
    if json_file:
        write_json(json_file, figures)
    print_grid(index_grid(figures))


@app.command()
def read(
    passages: Annotated[
        list[int] | None, typer.Option(help="Passages a question; repeatable; 10 and 50.")
    ] = None,
    tokens: Annotated[int, typer.Option(min=1, help="Tokens a passage.")] = 180,
    rounds: Annotated[int, typer.Option(min=1, help="The median counts.")] = 5,
    reader: Annotated[str, typer.Option(help="A shipped adapter or a file.")] = DEFAULT_READER,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Read passages for one question; the weights are loaded before."""
    ms = {n: 1000 * read_seconds(reader, n, tokens, rounds) for n in passages or (10, 50)}
    figures = {"cpu": cpu_name(), "tokens": tokens, "rounds": rounds, "reader": reader, "ms": ms}
    if json_file:
        write_json(json_file, figures)
    console.print(f"{figures['cpu']}, {reader}, passages of {tokens} tokens, {rounds} rounds")
    for number, value in ms.items():
        console.print(f"{number:3d} passages {value:7.0f} ms")


@app.command()
def score(
    n: Annotated[int, typer.Option(min=1, help="Predictions, in seven languages.")] = 100_000,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Score answers as XOR-Full does, officially and strictly, next to NLTK and sacreBLEU."""
    figures = {"cpu": cpu_name(), **measure(n)}
    if json_file:
        write_json(json_file, figures)
    console.print(f"{figures['cpu']}, {n} predictions, processor seconds of one thread")
    for scorer in SCORERS:
        seconds = figures[f"{scorer}_s"]
        console.print(f"{scorer:<9} {seconds:6.2f} s {n / seconds:8.0f} predictions/s")
    console.print(f"both together      {figures['per_s']:8.0f} predictions/s, all metrics")
    console.print(f"NLTK and sacreBLEU {figures['peer_per_s']:8.0f} predictions/s, BLEU alone")
    console.print(f"xorqa is {figures['ratio']:.1f} times as fast")


@app.command()
def search(
    size: Annotated[
        list[int] | None, typer.Option(help="Vectors; repeatable; 10000, 100000 and 1000000.")
    ] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Kinds of index; repeatable.")] = None,
    data: Annotated[str, typer.Option(help="Whose passages and questions are real.")] = "mini",
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Search dense indexes next to FAISS's exact one, on one thread."""
    sizes = size or [10_000, 100_000, 1_000_000]
    with progress() as tell:
        figures = measure_search(data, sizes, kind or [COMPRESSED], progress=tell)
    figures = {"cpu": cpu_name(), **figures}
    if json_file:
        write_json(json_file, figures)
    print_grid(grid(figures))


def cpu_name() -> str:
    """What the operating system calls the processor."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    named = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _peer() -> Callable[[Sequence[str]], object]:
    """sentence-transformers with the same weights and its defaults."""
    library = require("sentence_transformers", extra="dev")
    import_module("transformers").logging.set_verbosity_error()
    model = library.SentenceTransformer(str(resolve().path))  # mean pooling where nothing is said
    return lambda texts: model.encode([f"passage: {text}" for text in texts])


def _seconds(work: Callable[[Sequence[str]], object], texts: Sequence[str]) -> float:
    began = time.perf_counter()
    work(texts)
    return time.perf_counter() - began
