"""The measurements of `xorqa bench serve`: several clients at once, and the same pipeline alone."""

import http.client
import json
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...core.types import Question
from ...datasets.catalog import load_dataset
from ...experiments.pipeline import Pipeline
from ...serving.engine import Engine
from ...serving.metrics import resident_bytes
from ...serving.problems import Limits
from ...tables.grid import Grid
from ..common.server import running

SEED = 1
EARLY = 200  # requests before the memory is first measured
TIMEOUT = 120.0  # seconds


@dataclass(slots=True)
class Load:
    """What the clients measure: seconds per answer, statuses of errors, memory after `EARLY`."""

    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    early_bytes: int = 0
    elapsed: float = 0.0  # until the last answer


def measure(config: str, data: str, *, clients: int, seconds: float) -> dict[str, Any]:
    """Ask a pipeline one question after the other for `seconds`, then as a server for as long.

    The questions are drawn at random. Server and clients share the process.
    """
    dataset = load_dataset(data)
    pipeline = Pipeline.from_config(config, dataset.corpora)
    questions = [example.question for example in dataset.examples]
    engine = Engine({"measured": pipeline}, Limits())
    with running(engine) as address:
        alone = _one_by_one(pipeline, questions, seconds)
        load = _load(address, questions, clients, seconds)
        last_bytes = resident_bytes()
    p50, p95 = (1000 * np.percentile(load.seconds or [0.0], (50, 95))).tolist()
    served = len(load.seconds) / load.elapsed
    return {
        "config": config,
        "data": data,
        "passages": sum(map(len, dataset.corpora.values())),
        "clients": clients,
        "seconds": seconds,
        "elapsed": load.elapsed,
        "one_by_one_per_s": alone,
        "per_s": served,
        "ratio": served / alone,
        "p50_ms": p50,
        "p95_ms": p95,
        "answered": len(load.seconds),
        "errors": dict(load.errors),
        "early_bytes": load.early_bytes or None,
        "last_bytes": last_bytes,
    }


def grid(figures: dict[str, Any]) -> Grid:
    """The figures as a table."""
    early, last = figures["early_bytes"], figures["last_bytes"]
    growth = f"{last / early - 1:+.1%}" if early else f"fewer than {EARLY} requests"
    rows = (
        ("one by one, questions/s", f"{figures['one_by_one_per_s']:.2f}"),
        ("served, questions/s", f"{figures['per_s']:.2f}"),
        ("ratio", f"{figures['ratio']:.2f}"),
        ("p50, ms", f"{figures['p50_ms']:.0f}"),
        ("p95, ms", f"{figures['p95_ms']:.0f}"),
        ("errors", str(sum(figures["errors"].values()))),
        (f"memory since request {EARLY}", growth),
    )
    title = (
        f"{figures['cpu']}, {figures['clients']} clients for {figures['seconds']:g} s, "
        f"{figures['config']}, {figures['passages']:,} passages of {figures['data']}"
    )
    return Grid(title, ("measured", "value"), (rows,))


def _one_by_one(pipeline: Pipeline, questions: list[Question], seconds: float) -> float:
    """Questions per second of `ask`."""
    rng, count, start = random.Random(SEED), 0, time.monotonic()
    while (spent := time.monotonic() - start) < seconds or not count:
        question = rng.choice(questions)
        pipeline.ask(question.text, lang=question.lang)
        count += 1
    return count / spent


def _load(
    address: tuple[str, int], questions: list[Question], clients: int, seconds: float
) -> Load:
    load, start = Load(), time.monotonic()
    end = start + seconds
    threads = [
        threading.Thread(target=_client, args=(address, questions, number, end, load), daemon=True)
        for number in range(clients)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    load.elapsed = time.monotonic() - start
    return load


def _client(
    address: tuple[str, int], questions: list[Question], number: int, end: float, load: Load
) -> None:
    """Ask questions on one connection until the end."""
    rng, headers = random.Random(f"{SEED}-{number}"), {"Content-Type": "application/json"}
    connection = http.client.HTTPConnection(*address, timeout=TIMEOUT)
    while (start := time.monotonic()) < end:
        question = rng.choice(questions)
        body = json.dumps({"question": question.text, "lang": question.lang})
        try:
            connection.request("POST", "/ask", body.encode(), headers)
            response = connection.getresponse()
            response.read()
        except (OSError, http.client.HTTPException) as error:
            load.errors[type(error).__name__] += 1
            connection.close()
            continue
        if response.status != 200:
            load.errors[str(response.status)] += 1
        else:
            load.seconds.append(time.monotonic() - start)
            if len(load.seconds) == EARLY:
                load.early_bytes = resident_bytes()
    connection.close()
