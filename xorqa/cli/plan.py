"""`xorqa plan`: what an index of so many passages will cost, before it is built."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..benchmarks.cpu import cpu_name
from ..core.errors import ConfigError
from ..datasets.corpus import read_corpus
from ..datasets.mini import load
from ..io.files import write_json
from ..models.checkpoints import DEFAULT
from ..models.encoder import Encoder, encoder_settings
from ..retrieval.planning.laws import Measurement
from ..retrieval.planning.plan import PLANNABLE, Forecast
from ..retrieval.planning.plan import plan as make_plan
from ..retrieval.planning.sample import Sample
from ..retrieval.vectors.synthetic import NOISE, SEED
from ..tables.grid import MISSING, Grid, Row
from .show import print_grid, progress

UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def plan(
    corpus_size: Annotated[str, typer.Argument(help="Passages: 18M, 20k or a number.")],
    kind: Annotated[
        list[str] | None, typer.Option(help="bm25 or a kind of dense index; repeatable; all.")
    ] = None,
    sample: Annotated[
        Path | None, typer.Option(help="Passages as JSONL to measure; the bundled world's.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes that encode, a thread each; 0: this one.")
    ] = 0,
    encoder: Annotated[str, typer.Option(help="A checkpoint or an adapter.")] = DEFAULT,
    measure: Annotated[
        int, typer.Option(min=2000, help="Passages of the larger index that is built.")
    ] = 20_000,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write figures.")] = None,
) -> None:
    """Predict disk, memory, hours and latency from small indexes built now.

    Example: xorqa plan 18M --kind ivf-sq8 --kind bm25 --sample passages.jsonl --workers 8
    """
    count = parse_size(corpus_size)
    corpus = read_corpus(sample) if sample else load().corpora["en"]
    with progress() as tell:
        about, forecasts = make_plan(
            count,
            list(dict.fromkeys(kind or PLANNABLE)),
            corpus,
            encoder=Encoder(encoder_settings(encoder)),
            size=measure,
            workers=workers,
            progress=tell,
        )
    if json_file:
        write_json(
            json_file,
            {
                "cpu": cpu_name(),
                "passages": count,
                "workers": workers,
                "encoder": encoder,
                "sample": asdict(about),
                "kinds": [asdict(one) for one in forecasts],
            },
        )
    print_grid(grid(about, forecasts, workers))


def parse_size(text: str) -> int:
    """A number of passages, as "18M", "1.5m", "20k", "20_000" or "20000".

    Raises:
        ConfigError: if it is none, or less than 1.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([km]?)", text.lower().replace("_", "").replace(",", ""))
    count = round(float(match[1]) * UNITS[match[2]]) if match else 0
    if count < 1:
        raise ConfigError(f"'{text}' is no number of passages; write 18M, 20k or 20000")
    return count


def grid(about: Sample, forecasts: Sequence[Forecast], workers: int) -> Grid:
    """Three rows a kind: the two indexes that were measured, and the one that was computed."""
    who = f"{workers} workers (one was measured)" if workers else "this process"
    encoding = (
        f" {about.encoded} passages were encoded, {about.passage_s * 1000:.0f} ms each a worker, "
        f"and questions, {about.question_ms:.0f} ms each, which a dense query includes; encoding "
        f"is by {who}. Vectors beyond those are one of them plus Gaussian noise {NOISE} long, "
        f"seed {SEED}."
    )
    laws = " ".join(f"{one.kind}: {one.law}." for one in forecasts)
    return Grid(
        f"{cpu_name()}, from {about.passages} passages of {about.name}, "
        f"{about.characters:.0f} characters on average",
        (
            "kind",
            "passages",
            "figures",
            "disk",
            "disk while built",
            "memory with the corpus",
            "encoding",
            "building",
            "query",
        ),
        tuple(
            (*(_measured(one.kind, at, about) for at in one.measured), _computed(one))
            for one in forecasts
        ),
        f"Memory: the whole index and the passages; dense indexes are mapped from disk and may "
        f"do with less.{encoding if about.encoded else ''} {laws}",
        labels=3,
    )


def _measured(kind: str, one: Measurement, about: Sample) -> Row:
    question = 0.0 if kind == "bm25" else about.question_ms
    return (
        kind,
        f"{one.passages:,}",
        "measured",
        _bytes(one.disk),
        MISSING,
        MISSING,
        MISSING,
        _time(one.build_s),
        f"{one.search_ms + question:.1f} ms",
    )


def _computed(one: Forecast) -> Row:
    return (
        one.kind,
        f"{one.passages:,}",
        "computed",
        _bytes(one.disk),
        _bytes(one.building_disk),
        _bytes(one.memory),
        _time(one.encode_s) if one.encode_s else MISSING,
        _time(one.build_s),
        f"{one.query_ms:.1f} ms",
    )


def _bytes(number: float) -> str:
    return f"{number / 1e9:,.1f} GB" if number >= 1e9 else f"{number / 1e6:,.1f} MB"


def _time(seconds: float) -> str:
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds:,.1f} s"
