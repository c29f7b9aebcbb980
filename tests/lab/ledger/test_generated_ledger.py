"""The ledger of runs whose answers are scripted; no model made them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.translation.conftest import service  # noqa: F401
from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import (
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Query,
    Question,
    Span,
)
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Stop
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import stage_cache
from xorqa.lab.ledger import generated_ledger
from xorqa.lab.ledger.generated_ledger import (
    SPAN_GOLD,
    SPAN_READER,
    SPAN_UNRANKED,
    make_generated_ledger,
)
from xorqa.lab.ledger.ledger import CITED, END_TO_END, READ, RETRIEVED, UNRANKED, Ledger

LAKES = {"inari": "Finland has lake Inari.", "van": "Turkey has lake Van.", "tana": "Lake Tana."}
CORPUS = Corpus("lakes", [Passage(docid, text) for docid, text in LAKES.items()])
EXAMPLES = (
    Example(
        Question("q1", "Where is lake Van?", "fi"), (Gold("Turkey", "fi"), Gold("x", "en", "van"))
    ),
    Example(
        Question("q2", "Where is lake Inari?", "fi"),
        (Gold("Finland", "fi"), Gold("x", "en", "inari")),
    ),
    Example(Question("q3", "Where is lake Atlantis?", "fi"), (), answered_in="nowhere"),
)
DATASET = Dataset("lakes", EXAMPLES, {"en": CORPUS})
NAME = "lake_stages"


class FirstWord:
    """A reader that answers with the first word of the first passage."""

    version = 1

    def __init__(self, *, passages: int = 5) -> None:
        self.passages = passages

    def fingerprint(self) -> str:
        return f"first word of {self.passages}"

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        assert all(len(row) <= self.passages for row in hits)
        return [[_first_word(hit) for hit in row[:1]] for row in hits]


class LastFirst:
    """A ranker that turns the list around."""

    version = 1

    def fingerprint(self) -> str:
        return "last first"

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        return [
            [Hit(hit.passage, float(number)) for number, hit in enumerate(row)][::-1]
            for row in hits
        ]


def _first_word(hit: Hit) -> Candidate:
    word = hit.passage.text.split()[0]
    return Candidate(hit, 0, Span(0, len(word)), CandidateScores(0.0, 0.0))


@pytest.fixture(autouse=True)
def _fresh(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, NAME, sys.modules[__name__])
    span = {"use": f"{NAME}:FirstWord"}
    monkeypatch.setattr(
        generated_ledger, "with_span_reader", lambda settings: replace(settings, reader=span)
    )


def scripted(message: str) -> Any:
    """Right from the passage if it is given; else a wrong answer that cites the first passage."""
    data = json.loads(message)
    numbers = {row["text"]: row["passage"] for row in data["passages"]}
    for name in ("Van", "Inari"):
        texts = [text for text in numbers if name in text]
        if name in data["question"] and texts:
            cited = [{"passage": numbers[texts[0]], "quote": "lake"}]
            return json.dumps({"answer": texts[0].split()[0], "citations": cited})
    return json.dumps({"answer": "Norja", "citations": [{"passage": 1, "quote": "lake"}]})


Make = Callable[..., Ledger]


@pytest.fixture
def ledger_of(service: Any, tmp_path: Path) -> Make:  # noqa: F811
    service.replies = [scripted]

    def make(
        *, ranker: Any = "none", until: Stop = Stop.FULL, corpus: str = "en", recorded: str = ""
    ) -> Ledger:
        endpoint = {} if recorded else {"endpoint": service.url}
        path = str(tmp_path / (recorded or "replies.jsonl"))
        reader = {"use": "generate", "model": "m", "passages": 1, "recorded": path, **endpoint}
        route = Route("eng", {"use": "bm25"}, corpus=corpus)
        settings = PipelineSettings(
            (route,), k=3, ranker=ranker, reader=reader, localiser="none", chooser="rule"
        )
        folder = tmp_path / f"run-{recorded}"
        run(settings, DATASET, folder, until=until)
        before = len(service.requests)
        ledger = make_generated_ledger(folder, cache=stage_cache(), trust=True)
        assert len(service.requests) == before  # the model is not asked again
        return ledger

    return make


def test_each_stage_of_a_generated_run(ledger_of: Make) -> None:
    ledger = ledger_of()
    assert list(ledger.answers) == [SPAN_GOLD, SPAN_READER, END_TO_END]
    assert [report.macro["em"] for report in ledger.answers.values()] == [100.0, 100.0, 100.0]
    assert list(ledger.passages) == [RETRIEVED, READ, CITED]
    assert {report.macro["gold passage"] for report in ledger.passages.values()} == {100.0}
    assert ledger.answers[END_TO_END].n == {"fi": 2}  # without the question without an answer


def test_recorded_replies_have_the_same_ledger(ledger_of: Make) -> None:
    assert ledger_of() == ledger_of(recorded="replies.jsonl")


def test_what_a_ranker_lost(ledger_of: Make) -> None:
    ledger = ledger_of(ranker={"use": f"{NAME}:LastFirst"})
    exact = {name: report.macro["em"] for name, report in ledger.answers.items()}
    assert exact == {SPAN_GOLD: 100.0, SPAN_UNRANKED: 100.0, SPAN_READER: 0.0, END_TO_END: 0.0}
    gold = {name: report.macro["gold passage"] for name, report in ledger.passages.items()}
    assert gold == {RETRIEVED: 100.0, UNRANKED: 100.0, READ: 0.0, CITED: 0.0}


def test_a_run_that_stopped_early(ledger_of: Make) -> None:
    with pytest.raises(ConfigError, match="repeat it with --until full"):
        ledger_of(until=Stop.RETRIEVE)


def test_a_run_over_the_pool(ledger_of: Make) -> None:
    with pytest.raises(ConfigError, match="needs a route over the English corpus"):
        ledger_of(corpus="pool")


def test_a_run_without_gold_passages(ledger_of: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tuple(replace(e, golds=(Gold("x", "fi"),)) for e in EXAMPLES)
    monkeypatch.setattr(sys.modules[__name__], "DATASET", replace(DATASET, examples=bare))
    with pytest.raises(DataError, match="has no English gold passages"):
        ledger_of()
