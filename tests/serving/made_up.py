"""Pipelines without weights, and servers over them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from xorqa.core.progress import silent
from xorqa.core.types import Candidate, CandidateScores, Hit, Passage, Query, Question, Span
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import Route
from xorqa.serving.app import create_app
from xorqa.serving.engine import Engine
from xorqa.serving.problems import Limits

ATTACK = "<script>document.title = 'attacked'</script><img src=x onerror=alert(1)>"
PASSAGES = [
    Passage("nile", "The Nile is a river in Africa.", "Nile"),
    Passage("rhine", f"The Rhine is a river in Europe. {ATTACK}", f"Rhine {ATTACK}"),
    Passage("inari", "Inari on järvi Suomessa.", "Inari", "fi"),
    Passage("han", "한강은 서울을 흐르는 강이다.", "한강", "ko"),
    Passage("nil", "النيل نهر في أفريقيا.", "النيل", "ar"),
]
EXAMPLES = [
    Question("1", "The Nile?", "en"),
    Question("2", "한강은 어디를 흐르나요?", "ko"),
    Question("3", "أين النيل؟", "ar"),
]


class LastWord:
    """Reads the last word of every passage; the first hit is the most probable.

    `batches` has the number of questions of each call. While `gate` is closed, it waits.
    """

    version = 1

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()

    def fingerprint(self) -> str:
        return "last word"

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        self.batches.append(len(queries))
        self.entered.set()
        assert self.gate.wait(30)
        return [[self._read(hit, at) for at, hit in enumerate(some[:3])] for some in hits]

    def _read(self, hit: Hit, rank: int) -> Candidate:
        text = hit.passage.text.rstrip(" .")
        span = Span(text.rfind(" ") + 1, len(text))
        return Candidate(hit, rank, span, CandidateScores(-0.1, -0.1 * (1 + rank)))


def made_engine(
    home: Path, reader: Any = None, *, limits: Limits | None = None, two: bool = False
) -> Engine:
    """An engine of one or two pipelines over a few passages."""
    bm25 = {"use": "bm25"}
    retrievers = {"words": bm25}
    if two:
        retrievers["fused"] = {"use": "hybrid", "parts": [bm25, {"use": "bm25", "k1": 0.5}]}
    pipelines = {
        name: Pipeline(
            [Route("all", retriever, corpus="pool")],
            {"pool": Corpus("made-up", PASSAGES)},
            reader=reader or LastWord(),
            localiser="none",
            chooser="rule",
            name=name,
            indexes=home / "indexes",
            progress=silent,
        )
        for name, retriever in retrievers.items()
    }
    return Engine(pipelines, limits or Limits(), examples=EXAMPLES)


@contextmanager
def client_of(engine: Engine, **options: Any) -> Iterator[TestClient]:
    """A client of a server that is ready."""
    app = create_app(engine, **options)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        assert until(lambda: engine.ready)
        yield client


def until(condition: Callable[[], Any], seconds: float = 60) -> Any:
    """Wait for a condition to hold, and return its value."""
    stop = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < stop:
        time.sleep(0.02)
    return value
