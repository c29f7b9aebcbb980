"""Translators as a run uses them: remembered, reported, marked."""

from base64 import b64encode
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.candidates import candidate
from xorqa.core.errors import ConfigError
from xorqa.core.types import Candidate, Example, Gold, Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Stop
from xorqa.experiments.run import run
from xorqa.experiments.run_folder import FAILURES
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.files import read_json, read_jsonl
from xorqa.translation.recorded import record
from xorqa.translation.service import ServiceTranslator

KEY = "sk-secret-of-the-tests"
CORPUS = Corpus(
    "lakes",
    [
        Passage("en-1", "Inari is a lake in Finland."),
        Passage("en-2", "The Nile is in Africa."),
    ],
)
ENGLISH = {"Missä Inari on?": "Where is Inari?", "Missä on Niili?": "Where is the Nile?"}
DATASET = Dataset(
    "lakes",
    tuple(
        Example(Question(f"q{at}", text, "fi"), (Gold("x", "en", f"en-{at}"),))
        for at, text in enumerate(ENGLISH, 1)
    ),
    {"en": CORPUS},
)


@pytest.fixture(autouse=True)
def _fresh(home: Path, waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)


def go(
    out: Path,
    translator: dict[str, Any],
    *,
    until: Stop = Stop.RETRIEVE,
    stages: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    route = Route("eng", {"use": "bm25"}, translator)
    settings = PipelineSettings((route,), **({"reader": {"use": "span"}} | (stages or {})))
    run(settings, DATASET, out, until=until, indexes=out.parent / "indexes", **options)
    return dict(read_json(out / "manifest.json"))


def table(service: Any, **options: Any) -> dict[str, Any]:
    given = {"use": "service", "url": service.url, "model": "m", "key_env": "THE_KEY", "retries": 0}
    return {**given, **options}


class Bridge:
    """A reader that always reads the same."""

    version = 1

    def fingerprint(self) -> str:
        return ""

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        return [[candidate("a stone bridge")] for _ in queries]


def asked_for(out: Path) -> list[str]:
    return [row["queries"]["eng"] for _, row in read_jsonl(out / "queries.jsonl")]


def test_a_second_run_asks_nobody(service: Any, tmp_path: Path) -> None:
    service.replies = [ENGLISH.get]
    told: list[tuple[str, int, int]] = []
    first = go(
        tmp_path / "one", table(service, price_in=10.0), progress=lambda *call: told.append(call)
    )
    assert asked_for(tmp_path / "one") == [*ENGLISH.values()]
    assert not (tmp_path / "one" / FAILURES).exists()
    assert ("eng: translate", 2, 2) in told
    assert len(service.requests) == 2
    second = go(tmp_path / "two", table(service, price_in=10.0))
    assert asked_for(tmp_path / "two") == [*ENGLISH.values()]
    assert len(service.requests) == 2
    assert first["black_box"] == second["black_box"] == {"eng": "m at 127.0.0.1"}
    spent = {"requests": 2, "tokens_in": 40, "tokens_out": 10, "cost": 0.0004}
    assert first["spent"] == {"eng": spent}
    assert second["spent"] == {"eng": dict.fromkeys(spent, 0)}
    go(tmp_path / "three", table(service, model="n"))
    assert len(service.requests) == 4


def test_failures_are_reported_and_only_they_are_tried_again(service: Any, tmp_path: Path) -> None:
    service.replies = ["Where is Inari?", (500, {})]
    go(tmp_path / "run", table(service))
    assert asked_for(tmp_path / "run") == ["Where is Inari?", "Missä on Niili?"]
    assert [row for _, row in read_jsonl(tmp_path / "run" / FAILURES)] == [
        {
            "qid": "q2",
            "lang": "fi",
            "route": "eng",
            "question": "Missä on Niili?",
            "reason": "HTTP 500 Internal Server Error",
        },
    ]
    service.replies = ["Where is the Nile?"]
    service.requests.clear()
    manifest = go(tmp_path / "run", table(service))
    assert service.asked == ["Missä on Niili?"]
    assert asked_for(tmp_path / "run") == [*ENGLISH.values()]
    assert not (tmp_path / "run" / FAILURES).exists()
    assert manifest["spent"]["eng"]["requests"] == 3  # both times together


def test_a_dead_service_does_not_stop_a_run(tmp_path: Path) -> None:
    go(tmp_path / "run", {"use": "service", "url": "http://127.0.0.1:9/v1", "model": "m"})
    assert asked_for(tmp_path / "run") == [*ENGLISH]
    assert len([*read_jsonl(tmp_path / "run" / FAILURES)]) == 2


def test_the_key_is_in_no_file(service: Any, tmp_path: Path) -> None:
    service.replies = ["Where is Inari?", (401, {})]
    go(tmp_path / "run", table(service))
    assert {headers["Authorization"] for headers in service.headers} == {f"Bearer {KEY}"}
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(KEY.encode() in content for content in written)
    with pytest.raises(ConfigError, match="'service' has no setting 'api_key'"):
        go(tmp_path / "wrong", table(service, api_key=KEY))
    assert not any(KEY.encode() in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())


def test_replayed_translations_of_a_black_box_are_marked(service: Any, tmp_path: Path) -> None:
    service.replies = [ENGLISH.get]
    path = tmp_path / "recorded.jsonl"
    questions: Sequence[Question] = [example.question for example in DATASET.examples]
    made = ServiceTranslator(url=service.url, model="m")
    assert record(made, questions, path, to="en", provider="m", date="2026-01-31") == 2
    manifest = go(tmp_path / "replayed", {"use": "recorded", "file": str(path)})
    assert asked_for(tmp_path / "replayed") == [*ENGLISH.values()]
    assert manifest["black_box"] == {"eng": "m at 127.0.0.1"}
    assert go(tmp_path / "none", {"use": "none"})["black_box"] == {}
    assert len(service.requests) == 2


def test_a_service_that_says_answers_is_named_too(service: Any, tmp_path: Path) -> None:
    service.replies = ["Where is the lake Inari?"] * 2 + ["kivinen silta joen yli"]
    stages = {
        "localiser": {"use": "chain", "translator": table(service, price_in=10.0)},
        "reader": {"use": f"{__name__}:Bridge"},
    }
    asking = table(service)
    first = go(tmp_path / "one", asking, until=Stop.FULL, stages=stages)
    assert first["black_box"] == {"eng": "m at 127.0.0.1", "localiser": "m at 127.0.0.1"}
    assert first["spent"]["localiser"]["requests"] == len(service.requests) - 2 == 1
    second = go(tmp_path / "two", asking, until=Stop.FULL, stages=stages)
    assert second["spent"]["localiser"]["requests"] == 0


@pytest.mark.parametrize(
    "reply",
    [
        f"Where is {KEY}?",
        f"Where is {b64encode(KEY.encode()).decode()}?",
        {"choices": [{"message": {"content": None, "refusal": f"{'No. ' * 16}{KEY}"}}]},
        (500, {}),
        (403, {}),
    ],
)
def test_a_service_that_repeats_the_key_gets_it_into_no_file(
    service: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: Path, reply: Any
) -> None:
    phrases = {403: (f"Not {KEY}", ""), 500: (KEY, "")}
    monkeypatch.setattr(BaseHTTPRequestHandler, "responses", phrases)
    service.replies = [reply]
    go(tmp_path / "run", table(service))
    failures = [row["reason"] for _, row in read_jsonl(tmp_path / "run" / FAILURES)]
    assert len(failures) == 2
    assert all("key" in reason for reason in failures)
    files = [path for folder in (tmp_path, home) for path in folder.rglob("*") if path.is_file()]
    for path in files:
        assert KEY[:12].encode() not in path.read_bytes(), path
