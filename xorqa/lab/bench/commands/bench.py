"""`xorqa bench`: measure speed on this machine, and search, against a peer in the same run."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from ....cli.ask import open_pipelines
from ....cli.commands import open_group
from ....cli.options import AsJson, JsonFile, configs, datasets
from ....cli.serve import expect_server, suggested_questions
from ....cli.show import console, errors, print_grid, print_json, print_line, progress
from ....experiments.settings import DEFAULT
from ....io.files import data_dir, write_json
from ....metrics.task import SCORERS
from ....reading.pairs import DEFAULT_READER
from ....retrieval.vectors.kinds import COMPRESSED, KINDS, check_kind
from ...common.machine import cpu_name
from .. import bm25, encoder, mixed_pool, pipeline, scorers, start, vector_search
from .. import update as index_update
from ..reader import read_seconds

app = open_group("bench")

Experiment = Annotated[
    str, Argument(help="An experiment: a name or a TOML file.", autocompletion=configs)
]
Questions = Annotated[
    str, Option(help="The data set with questions and passages.", autocompletion=datasets)
]
Rounds = Annotated[int, Option(min=1, help="Repetitions; the median is reported.")]


@app.callback()
def about() -> None:
    """Measure speed on this machine."""


@app.command()
def ask(
    config: Experiment = DEFAULT,
    data: Questions = "mini",
    questions: Annotated[int, Option(min=1, help="Number of random questions.")] = 50,
    json_file: JsonFile = None,
) -> None:
    """Answer questions one by one with loaded weights; reports milliseconds per stage.

    Example: xorqa bench ask hybrid --data xquad-open
    """
    print_grid(pipeline.grid(_report(pipeline.measure(config, data, questions), json_file)))


@app.command()
def encode(
    texts: Annotated[int, Option(min=1, help="Passages, in eight languages.")] = 512,
    rounds: Rounds = 3,
    processes: Annotated[
        int, Option("--workers", min=0, help="Compare N processes with one instead.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Encode passages with xorqa and with sentence-transformers, alternating, in equal precision.

    The precision is float32 and, if xorqa chooses another on this machine, that one, too.

    Example: xorqa bench encode --texts 160 --rounds 2
    """
    measured = (
        encoder.measure_workers(texts, processes, rounds)
        if processes
        else encoder.measure(texts, rounds)
    )
    figures = _report(measured, None)
    if as_json:
        print_json(figures)
    elif processes:
        print(
            f"1 process {figures['one_per_s']:.1f} passages/s, {processes} processes "
            f"{figures['workers_per_s']:.1f}, {figures['ratio']:.2f} times as fast, "
            "one thread each"
        )
    else:
        console.print(f"{figures['cpu']}, {texts} passages, {rounds} rounds")
        for name, row in figures["precisions"].items():
            console.print(
                f"{name}: xorqa {row['xorqa_s']:.2f} s, sentence-transformers "
                f"{row['sentence_transformers_s']:.2f} s, {row['ratio']:.2f} times as long"
            )


@app.command()
def index(
    data: Annotated[str, Option(help="The data set with English passages.")] = "mini",
    rounds: Rounds = 3,
    json_file: JsonFile = None,
) -> None:
    """Index passages and search them in one batch with BM25, against pyserini's own classes.

    Example: xorqa bench index --data xquad-open
    """
    print_grid(bm25.grid(_report(bm25.measure(data, rounds), json_file)))


@app.command()
def pool(
    questions: Annotated[int, Option(min=1, help="Questions per language.")] = 20,
    passages: Annotated[int, Option(min=1, help="Passages per language.")] = 1000,
    json_file: JsonFile = None,
) -> None:
    """Search one corpus of English, Japanese and Korean passages: BM25, dense and hybrid.

    Reads the fetched training sets of TyDi GoldP and JaQuAD.

    Example: xorqa bench pool --passages 300
    """
    measured = mixed_pool.measure(data_dir(), questions=questions, passages=passages)
    print_grid(mixed_pool.grid(_report(measured, json_file)))


@app.command()
def read(
    passages: Annotated[
        list[int] | None, Option(min=1, help="Passages per question (10, 50); repeatable.")
    ] = None,
    tokens: Annotated[int, Option(min=1, help="Tokens per passage.")] = 180,
    rounds: Rounds = 5,
    reader: Annotated[str, Option(help="A shipped adapter or a file.")] = DEFAULT_READER,
    json_file: JsonFile = None,
) -> None:
    """Read the passages of one question, with the weights already loaded."""
    ms = {n: 1000 * read_seconds(reader, n, tokens, rounds) for n in passages or (10, 50)}
    measured = {"tokens": tokens, "rounds": rounds, "reader": reader, "ms": ms}
    figures = _report(measured, json_file)
    console.print(f"{figures['cpu']}, {reader}, passages of {tokens} tokens, {rounds} rounds")
    for number, value in ms.items():
        console.print(f"{number:3d} passages {value:7.0f} ms")


@app.command()
def score(
    n: Annotated[int, Option(min=1, help="Number of predictions, in 7 languages.")] = 100_000,
    json_file: JsonFile = None,
) -> None:
    """Score XOR-Full answers with both scorers, against NLTK and sacreBLEU."""
    figures = _report(scorers.measure(n), json_file)
    console.print(f"{figures['cpu']}, {n} predictions, CPU seconds on one thread")
    for scorer in SCORERS:
        seconds = figures[f"{scorer}_s"]
        console.print(f"{scorer:<9} {seconds:6.2f} s {n / seconds:8.0f} predictions/s")
    console.print(f"both together      {figures['per_s']:8.0f} predictions/s, all metrics")
    console.print(f"NLTK and sacreBLEU {figures['peer_per_s']:8.0f} predictions/s, BLEU only")
    console.print(f"xorqa is {figures['ratio']:.1f} times as fast")


@app.command()
def serve(
    config: Experiment = DEFAULT,
    data: Questions = "mini",
    clients: Annotated[int, Option(min=1, max=64, help="Clients at the same time.")] = 8,
    seconds: Annotated[float, Option(min=0.1, help="Seconds of each measurement.")] = 10.0,
    json_file: JsonFile = None,
) -> None:
    """Ask a server with several clients, against the same pipeline one question after the other.

    Example: xorqa bench serve --data xquad-open --seconds 120
    """
    expect_server()
    from ....serving.server import ignore_interrupts
    from .. import serving

    try:
        measured = serving.measure(config, data, clients=clients, seconds=seconds)
    except KeyboardInterrupt:
        print_line("interrupted: nothing was measured", errors)
        ignore_interrupts()
        return
    print_grid(serving.grid(_report(measured, json_file)))


@app.command()
def hostile(
    config: Experiment = DEFAULT,
    requests: Annotated[int, Option(min=1, help="Number of requests.")] = 1000,
    seed: Annotated[int, Option(min=0, help="The same seed sends the same requests.")] = 1,
    bombs: Annotated[
        bool,
        Option(help="Also read small files that unpack to much, with 1 GiB of memory (Linux)."),
    ] = True,
    slowdown: Annotated[
        float, Option(min=0, help="How often the other clients' p95 may grow; 0: it may grow.")
    ] = 2.0,
) -> None:
    """Send hostile requests to a server over the bundled data; none may crash or block it.

    Random bytes, huge bodies, deep JSON, wrong types, control characters, slow and abandoned
    requests, uploads, and pages of other sites, also in Chromium if it is installed. Meanwhile
    other clients ask questions. The exit status is 1 if a request gets a status 500, no answer, or
    an error of another shape, or if the other clients' p95 grows more than `--slowdown`.

    Example: xorqa bench hostile --requests 200
    """
    expect_server()
    from ....serving.engine import Engine
    from ....serving.problems import Limits
    from ..hostile import measure
    from ..hostile.bombs import explode

    pipelines = open_pipelines([config], data="mini", corpus=None)
    with progress() as bars:
        report = partial(bars, "hostile requests")
        engine = Engine(pipelines, Limits(), examples=suggested_questions())
        attack = measure.attack(engine, requests=requests, seed=seed, idle=20, progress=report)
        attack.outcomes += explode(progress=partial(bars, "bombs")) if bombs else []
    print_grid(measure.grid(attack))
    failures = measure.failures(attack, slowdown=slowdown)
    for line in [attack.note] * bool(attack.note) + failures:
        print_line(line)
    if failures:
        raise typer.Exit(1)


@app.command()
def search(
    size: Annotated[
        list[int] | None, Option(min=1, help="Vectors (10000, 100000, 1000000); repeatable.")
    ] = None,
    kind: Annotated[list[str] | None, Option(help="Kinds of index; repeatable.")] = None,
    data: Annotated[str, Option(help="The data set with the real vectors.")] = "mini",
    json_file: JsonFile = None,
) -> None:
    """Search dense indexes on one thread, against FAISS's exact index."""
    sizes = size or [10_000, 100_000, 1_000_000]
    with progress() as report:
        measured = vector_search.measure(data, sizes, kind or [COMPRESSED], progress=report)
    print_grid(vector_search.grid(_report(measured, json_file)))


@app.command("start")
def start_up(rounds: Rounds = 3, json_file: JsonFile = None) -> None:
    """Start `xorqa ask` over the bundled passages and `xorqa --help` in new processes.

    Example: xorqa bench start --rounds 5
    """
    with progress() as bars:
        measured = start.measure(rounds, progress=bars)
    print_grid(start.grid(_report(measured, json_file)))


def update(
    data: Annotated[
        str, Option(help="The data set with English passages.", autocompletion=datasets)
    ] = "mini",
    added: Annotated[int, Option(min=1, help="Passages to add.")] = 20,
    replaced: Annotated[int, Option(min=1, help="Passages to replace.")] = 8,
    deleted: Annotated[int, Option(min=0, help="Passages to delete.")] = 4,
    kind: Annotated[
        list[str] | None, Option(help="Kinds of dense index; repeatable; default all.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Update the indexes of a data set's English passages, and compare them with rebuilt ones.

    The vectors of unchanged passages are those of the data set's dense index, which is built first
    if it does not exist. Needs the extra `lucene`.

    Example: xorqa bench update --kind sq8
    """
    for name in kind or ():
        check_kind(name)
    with progress() as report:
        measured = index_update.measure(
            data,
            kind or list(KINDS),
            added=added,
            replaced=replaced,
            deleted=deleted,
            progress=report,
        )
    print_grid(index_update.grid(_report(measured, json_file)))


def _report(measured: Mapping[str, Any], json_file: Path | None) -> dict[str, Any]:
    """The figures with the processor's name, also written to a file if one is given."""
    figures = {"cpu": cpu_name(), **measured}
    if json_file:
        write_json(json_file, figures)
    return figures
