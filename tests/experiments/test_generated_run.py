"""Runs with the reader `generate`; all answers are scripted, no model made them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.types import Candidate, Example, Gold, Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.run import run
from xorqa.experiments.run_folder import UNREAD
from xorqa.experiments.settings import PipelineSettings, Route, load_settings
from xorqa.io.cache import stage_cache
from xorqa.io.files import read_json, read_jsonl
from xorqa.lab.common.saved_run import open_run
from xorqa.lab.ledger import losses as losses_module
from xorqa.lab.ledger.attribution import attribution_of
from xorqa.lab.ledger.losses import make_losses
from xorqa.lab.ledger.reduced import with_span_reader

SPAN = {"use": "tests.experiments.test_generated_run:Silent"}
KEY = "sk-secret-of-the-tests"
CORPUS = Corpus(
    "lakes",
    [
        Passage("inari", "Inari is a lake in Finland.", "Inari"),
        Passage("nile", "The Nile is in Africa.", "Nile"),
    ],
)
TEXTS = {"q1": "Where is Inari?", "q2": "Where is the Nile?", "q3": "Which lake is in Atlantis?"}
EXAMPLES = (
    Example(Question("q1", TEXTS["q1"], "fi"), (Gold("Suomessa", "fi"), Gold("x", "en", "inari"))),
    Example(Question("q2", TEXTS["q2"], "fi"), (Gold("Afrikassa", "fi"), Gold("x", "en", "nile"))),
    Example(Question("q3", TEXTS["q3"], "fi"), (), answered_in="nowhere"),
)
DATASET = Dataset("lakes", EXAMPLES, {"en": CORPUS})


@pytest.fixture(autouse=True)
def _fresh(home: Path, waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_KEY", KEY)


class Silent:
    """A reader that finds nothing."""

    version = 1

    def fingerprint(self) -> str:
        return "silent"

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        return [[] for _ in queries]


def scripted(message: str) -> Any:
    """Right about the Nile, wrong about Inari, nothing about Atlantis."""
    question = json.loads(message)["question"]
    passages = {row["title"]: row["passage"] for row in json.loads(message)["passages"]}
    nile, inari = passages.get("Nile", 11), passages.get("Inari", 11)
    if question == TEXTS["q3"]:
        return '{"answer": null}'
    wrong = [{"passage": nile, "quote": "in Asia"}, {"passage": inari, "quote": "a lake"}]
    right = [{"passage": nile, "quote": "in Africa"}]
    cited = right if question == TEXTS["q2"] else wrong
    return json.dumps({"answer": "Afrikassa", "citations": cited})


def settings(service: Any, **options: Any) -> PipelineSettings:
    reader = {"use": "generate", "endpoint": service.url, "model": "scripted", "retries": 0}
    route = Route("eng", {"use": "bm25"})
    table = reader | {"key_env": "THE_KEY"} | options
    return PipelineSettings((route,), reader=table, chooser="rule")


def go(out: Path, service: Any, **options: Any) -> dict[str, Any]:
    run(settings(service, **options), DATASET, out, indexes=out.parent / "indexes")
    return dict(read_json(out / "manifest.json"))


def test_a_run_and_its_attribution(service: Any, tmp_path: Path) -> None:
    service.replies = [scripted]
    manifest = go(tmp_path / "one", service, price_in=10.0)
    assert manifest["black_box"] == {"eng.read": "scripted at 127.0.0.1"}
    assert manifest["spent"]["eng.read"]["requests"] == 3
    answers = read_json(tmp_path / "one" / "xor_full.json")
    assert answers == {"q1": "Afrikassa", "q2": "Afrikassa", "q3": ""}
    assert not (tmp_path / "one" / "xor_engspan.json").exists()  # the answers are not English
    scores = read_json(tmp_path / "one" / "scores.json")
    assert scores["xor-full"]["official"]["macro"]["em"] == 50.0
    measures = scores["measures"]
    assert measures["abstention"]["hallucination_rate"] == 0.0
    found = attribution_of(tmp_path / "one")
    for name, value in {
        "citation precision": 75.0,
        "citation recall": 100.0,
        "supported quotations": 75.0,
    }.items():
        assert found[name]["macro"] == measures[name]["macro"] == {name: value}
    assert found["abstention"] == {"answerable": 0.0, "unanswerable": 1.0, "failed": 0}


def test_a_saved_run_keeps_its_citations(service: Any, tmp_path: Path) -> None:
    service.replies = [scripted]
    go(tmp_path / "one", service)
    saved = open_run(tmp_path / "one")
    [answer] = saved.answers[1]
    assert (answer.text, answer.method) == ("Afrikassa", "generated")
    assert answer.source and answer.source.generated
    [citation] = answer.source.generated.citations
    assert (citation.quote, citation.docid, answer.source.evidence) == (
        "in Africa",
        "nile",
        "in Africa",
    )
    assert saved.answers[2] == ()


def test_a_second_run_asks_nothing(service: Any, tmp_path: Path) -> None:
    service.replies = [scripted]
    go(tmp_path / "one", service)
    go(tmp_path / "two", service)
    assert len(service.requests) == 3
    rows = [row for _, row in read_jsonl(tmp_path / "two" / "spans.jsonl")]
    assert rows == [row for _, row in read_jsonl(tmp_path / "one" / "spans.jsonl")]


def test_failures_are_counted_and_only_they_are_tried_again(service: Any, tmp_path: Path) -> None:
    service.replies = [scripted, (500, {}), scripted]
    go(tmp_path / "one", service)
    [row] = [row for _, row in read_jsonl(tmp_path / "one" / UNREAD)]
    assert (row["qid"], row["route"], row["reason"][:8]) == ("q2", "eng", "HTTP 500")
    assert attribution_of(tmp_path / "one")["abstention"]["failed"] == 1
    go(tmp_path / "one", service)
    assert len(service.requests) == 4
    assert not (tmp_path / "one" / UNREAD).exists()


def test_a_dead_endpoint_does_not_end_a_run(service: Any, tmp_path: Path) -> None:
    go(tmp_path / "one", service, endpoint="http://127.0.0.1:9/v1")
    assert len([*read_jsonl(tmp_path / "one" / UNREAD)]) == 3
    found = attribution_of(tmp_path / "one")
    assert found["abstention"] == {"answerable": None, "unanswerable": None, "failed": 3}


def test_a_killed_run_asks_nothing_twice(
    service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from xorqa.models.chat_client import ChatClient

    complete = ChatClient.complete

    def killed(client: ChatClient, messages: Any) -> Any:
        if len(service.requests) == 2:
            raise KeyboardInterrupt
        return complete(client, messages)

    service.replies = [scripted]
    with monkeypatch.context() as patch:
        patch.setattr(ChatClient, "complete", killed)
        with pytest.raises(KeyboardInterrupt):
            go(tmp_path / "one", service)
    manifest = go(tmp_path / "one", service)
    assert len(service.requests) == len(set(service.asked)) == 3
    assert manifest["finished"]


def test_the_key_is_in_no_file(service: Any, tmp_path: Path) -> None:
    service.replies = [scripted, (401, {}), f"the key is {KEY}"]
    go(tmp_path / "one", service, recorded=str(tmp_path / "replies.jsonl"))
    assert {headers["Authorization"] for headers in service.headers} == {f"Bearer {KEY}"}
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not any(KEY.encode() in content for content in written)
    with pytest.raises(ConfigError, match="'generate' has no setting 'api_key'"):
        go(tmp_path / "two", service, api_key=KEY)


def test_an_answer_in_the_passages_language_is_localised_and_scored_as_a_span(
    service: Any, tmp_path: Path
) -> None:
    service.replies = ['{"answer": "Africa", "citations": [{"passage": 1, "quote": "Africa"}]}']
    go(tmp_path / "one", service, answer_in="passage")
    spans = read_json(tmp_path / "one" / "xor_engspan.json")
    assert set(spans.values()) == {"Africa"}
    assert read_json(tmp_path / "one" / "xor_full.json")["q1"] == "Afrikka"


def test_an_asked_question_has_no_confidence_of_another_reader(service: Any) -> None:
    service.replies = [scripted]
    given = settings(service)
    for chooser in ("rule", "learned"):
        pipeline = Pipeline(given.routes, DATASET.corpora, reader=given.reader, chooser=chooser)
        trace = pipeline.ask(TEXTS["q2"], lang="fi")
        assert trace.found and trace.answer and trace.answer.confidence is None
        assert trace.evidence == CORPUS["nile"]
        assert not pipeline.ask(TEXTS["q3"], lang="fi").found


def test_the_example_is_a_config() -> None:
    table = load_settings("generate").reader
    assert {"use", "endpoint", "model", "passages", "prompt"} <= set(table)


def test_the_ledger_compares_with_the_span_reader(
    service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.replies = [scripted]
    given = settings(service)
    assert with_span_reader(given).reader == {"use": "span"}
    monkeypatch.setattr(losses_module, "with_span_reader", lambda _: replace(given, reader=SPAN))
    translated = tuple(replace(e, human_translation=e.question.text) for e in EXAMPLES if e.golds)
    losses = make_losses(
        given, replace(DATASET, examples=translated), {"none": {"use": "none"}}, cache=stage_cache()
    )
    assert losses.reports["none"].macro["f1"] == 50.0
    assert losses.with_span_reader["none"].macro["f1"] == 0.0
    assert "none" not in losses.without_ranker


def test_the_ledger_of_recorded_replies_counts_what_is_not_recorded(
    service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question's only hit is its gold passage, so the oracle's requests are recorded, too."""
    service.replies = [scripted]
    path = tmp_path / "replies.jsonl"
    go(tmp_path / "one", service, recorded=str(path))
    reader = {"use": "generate", "model": "scripted", "recorded": str(path)}
    replayed = replace(settings(service), reader=reader)
    span = replace(replayed, reader=SPAN)
    monkeypatch.setattr(losses_module, "with_span_reader", lambda _: span)
    translated = tuple(replace(e, human_translation=e.question.text) for e in EXAMPLES if e.golds)
    tables: dict[str, dict[str, Any]] = {"none": {"use": "none"}}
    world = replace(DATASET, examples=translated)
    losses = make_losses(replayed, world, tables, cache=stage_cache())
    assert losses.reports["none"].macro["f1"] == 50.0
    assert losses.unread == {}
    assert len(service.requests) == 3
    path.write_text("")
    other = replace(replayed, reader={**reader, "passages": 1})
    unrecorded = make_losses(other, world, tables, cache=stage_cache())
    assert unrecorded.unread == {"human": 2, "none": 2, "gold passage": 2}
    assert unrecorded.reports["none"].macro["f1"] == 0.0
