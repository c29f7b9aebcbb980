"""`xorqa plan`: predict the cost of an index before building it."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import JsonFile
from ....cli.show import print_grid, print_line, progress
from ....core.config import stage_table
from ....core.errors import ConfigError
from ....core.progress import disk_size, quantity
from ....datasets.corpus import read_corpus
from ....datasets.ir_datasets import find_collection, is_collection, reading
from ....datasets.mini import load
from ....io.files import write_json
from ....models.checkpoints import DEFAULT
from ....models.device import pick_device
from ....models.encoder import Encoder
from ....models.encoder_settings import encoder_settings
from ....tables.grid import MISSING, Grid, Row
from ...bench.synthetic import NOISE, SEED
from ...common.machine import cpu_name
from ...training.common.recipe import RECIPES
from ..laws import Measurement
from ..measure import LEXICAL, Sample
from ..mining import KIND as MINE
from ..mining import plan_mining
from ..plan import PLANNABLE, Forecast
from ..plan import plan as make_plan
from ..stage_cost import rank_ms, read_ms
from ..training import TrainingForecast, plan_training
from ..workloads import Limits

UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
LABELS = ("kind", "passages", "figures")
COLUMNS = ("disk", "disk while built", "memory with the corpus", "encoding", "building", "query")


def plan(
    corpus_size: Annotated[
        str,
        Argument(
            help="Passages: 18M, 20k, a number, or those of ir_datasets:ID. Or a recipe of "
            "`xorqa train`, to predict its training: lareqa-x-y."
        ),
    ],
    kind: Annotated[
        list[str] | None,
        Option(
            help="bm25, psq, a kind of dense index, or mine (sentence pairs of two collections of "
            "this size); repeatable; default: all indexes."
        ),
    ] = None,
    sample: Annotated[
        Path | None, Option(help="A sample of your passages or documents; default: bundled ones.")
    ] = None,
    workers: Annotated[
        int, Option(min=0, help="Encoding processes, one thread each; 0: this process.")
    ] = 0,
    encoder: Annotated[str, Option(help="A checkpoint or an adapter.")] = DEFAULT,
    measure: Annotated[int, Option(min=2000, help="Passages of the larger test index.")] = 20_000,
    ranker: Annotated[
        str | None, Option(help="Also measure a ranker: a name, or a table of settings.")
    ] = None,
    reader: Annotated[
        str | None, Option(help="Also measure a reader: span, or a table; a generator is asked.")
    ] = None,
    changes: Annotated[
        list[str] | None, Option("--set", help="Of a recipe: base=./mbert, batch_size=8.")
    ] = None,
    batch: Annotated[
        int | None,
        Option(
            min=1,
            help="Of a recipe: measure so many examples of a batch (questions; windows; passages "
            "of a ranker or of DPR's reader; pairs), and scale the time to a whole one.",
        ),
    ] = None,
    questions: Annotated[
        int | None,
        Option(min=1, help="Of a recipe that trains in epochs, while its data is missing."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Predict disk, memory, build time and latency from small indexes built now.

    For a recipe, predict how long it trains, from a few batches computed now.

    The size of a collection of ir_datasets is known without a download.

    Example: xorqa plan 18M --kind ivf-sq8 --kind bm25 --sample passages.jsonl --workers 8

    Example: xorqa plan lareqa-x-y

    Example: xorqa plan mlqa-mbert --questions 87599 --batch 4
    """
    if corpus_size in RECIPES or corpus_size.endswith(".toml"):
        limits = Limits(questions, batch)
        print_training(plan_training(corpus_size, changes or (), limits), json_file)
        return
    if changes or batch or questions:
        raise ConfigError(
            f"--set, --batch and --questions are for a recipe, and '{corpus_size}' is no recipe"
        )
    known = is_collection(corpus_size)
    count = collection_size(corpus_size) if known else parse_size(corpus_size)
    corpus = read_corpus(sample) if sample else load().corpora["en"]
    with progress() as report:
        passage_sample, forecasts = make_plan(
            count,
            list(dict.fromkeys(kind or PLANNABLE)),
            corpus,
            encoder=Encoder(encoder_settings(encoder)),
            size=measure,
            workers=workers,
            others={MINE: plan_mining},
            progress=report,
        )
    ranking = {} if ranker is None else {ranker: rank_ms(stage_table(ranker), corpus)}
    reading = {} if reader is None else {reader: read_ms(stage_table(reader), corpus)}
    if json_file:
        settings = {"passages": count, "workers": workers, "encoder": encoder}
        kinds = [asdict(forecast) for forecast in forecasts]
        figures = {"sample": asdict(passage_sample), "kinds": kinds, "ranker_ms": ranking}
        figures["readers"] = {name: {"ms": ms, **spent} for name, (ms, spent) in reading.items()}
        write_json(json_file, {"cpu": cpu_name(), **settings, **figures})
    print_grid(grid(passage_sample, forecasts, workers))
    for name, ms in ranking.items():
        print_line(f"ranker {name}: {ms:.0f} ms per question, whatever the number of passages")
    for name, (ms, spent) in reading.items():
        costs = "".join(f", {value:,.4g} {key}" for key, value in spent.items())
        print_line(f"reader {name}: {ms:.0f} ms per question{costs}")


def print_training(forecast: TrainingForecast, json_file: Path | None) -> None:
    """Print a recipe's forecast, and write it to a file."""
    if json_file:
        seconds = {"seconds": forecast.seconds}
        write_json(json_file, {"cpu": cpu_name(), **asdict(forecast), **seconds})
    limit = "at most " if forecast.at_most else ""
    hours = forecast.seconds / 3600
    took = f"{hours / 24:,.1f} days" if hours >= 48 else _time(forecast.seconds)
    part = "" if forecast.share == 1 else f" (with {forecast.share:.1%} of a batch, scaled)"
    print_line(
        f"{forecast.recipe} on {pick_device().type} ({cpu_name()}): {limit}{took} for "
        f"{forecast.steps:,} steps of {forecast.accumulate} batches, "
        f"measured at {forecast.batch_s:.2f} s a batch{part} and {forecast.update_s:.2f} s an "
        "update"
    )
    print_line(
        f"trains {forecast.parameters:,} weights; its checkpoints take up to "
        f"{disk_size(forecast.disk)}; not included: reading data, mining, validation"
    )


def collection_size(name: str) -> int:
    """The number of documents, which the library knows without a download.

    Raises:
        ConfigError, DataError, MissingExtraError: as `load_collection`.
    """
    source = find_collection(name, "docs")
    with reading(name):
        return int(source.docs_count() or sum(1 for _ in source.docs_iter()))


def parse_size(text: str) -> int:
    """Parse a number of passages, such as "18M", "1.5m", "20k", "20_000" or "20000".

    Raises:
        ConfigError: if it is not a number of at least 1.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([km]?)", text.lower().replace("_", "").replace(",", ""))
    count = round(float(match[1]) * UNITS[match[2]]) if match else 0
    if count < 1:
        raise ConfigError(f"'{text}' is not a number of passages; write 18M, 20k or 20000")
    return count


def grid(sample: Sample, forecasts: Sequence[Forecast], workers: int) -> Grid:
    """Three rows per kind: two measured indexes and the predicted one."""
    encoder = f"{workers} workers (one was measured)" if workers else "this process"
    encoding = (
        f" {sample.encoded} passages were encoded in {sample.passage_s * 1000:.0f} ms each per "
        f"worker, questions in {sample.question_ms:.0f} ms each, included in dense queries; "
        f"encoding is by {encoder}. Further vectors are synthetic: one of these plus Gaussian "
        f"noise of length {NOISE}, seed {SEED}."
    )
    laws = " ".join(f"{forecast.kind}: {forecast.law}." for forecast in forecasts)
    return Grid(
        f"{cpu_name()}, from {quantity(sample.passages, 'passage')} of {sample.name}, "
        f"{sample.characters:.0f} characters on average",
        (*LABELS, *COLUMNS),
        tuple(
            (*(_measured(f.kind, index, sample) for index in f.measured), _computed(f))
            for f in forecasts
        ),
        f"Memory: the whole index and the passages; dense indexes are memory-mapped and may "
        f"need less.{encoding if sample.encoded else ''} {laws}",
        labels=len(LABELS),
    )


def _measured(kind: str, index: Measurement, sample: Sample) -> Row:
    query_ms = index.search_ms + (0.0 if kind in (*LEXICAL, MINE) else sample.question_ms)
    labels = (kind, f"{index.passages:,}", "measured")
    costs = (disk_size(index.disk), MISSING, MISSING, MISSING, _time(index.build_s))
    return (*labels, *costs, _latency(query_ms))


def _computed(forecast: Forecast) -> Row:
    labels = (forecast.kind, f"{forecast.passages:,}", "computed")
    space = map(disk_size, (forecast.disk, forecast.building_disk, forecast.memory))
    encoding = _time(forecast.encode_s) if forecast.encode_s else MISSING
    return (*labels, *space, encoding, _time(forecast.build_s), _latency(forecast.query_ms))


def _latency(ms: float) -> str:
    return f"{ms:.1f} ms" if ms else MISSING


def _time(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds:,.1f} s"
