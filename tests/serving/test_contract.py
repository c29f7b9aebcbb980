"""The API as clients meet it: requests, responses, streams, uploads and metrics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serving.made_up import PASSAGES, client_of, made_engine
from xorqa.core.registry import build

QUESTION = {"question": "Which river is the Nile?", "lang": None, "min_confidence": 0}

ITEM = {"prediction": "", "answers": [""]}


def error_of(response: Any) -> tuple[int, str]:
    """The status and code of an error, whose shape is checked."""
    body = response.json()
    assert set(body) == {"error"} and set(body["error"]) == {"code", "message"}
    return response.status_code, body["error"]["code"]


def test_a_question_is_answered_with_its_evidence_and_trace(client: TestClient) -> None:
    response = client.post("/ask", json=QUESTION)
    assert response.status_code == 200
    reply = response.json()
    assert set(reply) == {"answer", "evidence", "lang", "trace", "milliseconds"}
    assert reply["answer"]["text"] == "Africa" and reply["answer"]["made"] == "span"
    assert set(reply["answer"]) == {"text", "lang", "original", "confidence", "made"}
    first = reply["evidence"][0]
    assert set(first) == {"docid", "title", "text", "start", "end", "score"}
    assert (first["docid"], first["text"][first["start"] : first["end"]]) == ("nile", "Africa")
    assert reply["lang"] == "en" and reply["milliseconds"] > 0
    assert reply["trace"]["routes"][0]["query"]["text"] == QUESTION["question"]


def test_a_fused_pipeline_shows_the_hits_of_each_retriever(client: TestClient) -> None:
    reply = client.post("/ask", json={**QUESTION, "pipeline": "fused"}).json()
    [route] = reply["trace"]["routes"]
    assert [part["retriever"] for part in route["parts"]] == ["bm25", "bm25"]
    assert all(part["hits"][0]["docid"] == "nile" for part in route["parts"])


def test_the_answer_is_null_below_the_least_confidence(client: TestClient) -> None:
    reply = client.post("/ask", json={**QUESTION, "min_confidence": 1}).json()
    assert reply["answer"] is None and reply["evidence"]
    assert reply["trace"]["found"] is False and reply["trace"]["answers"]


def test_a_batch_has_a_result_or_an_error_per_question(client: TestClient) -> None:
    request = {"questions": ["The Nile?", "Inari?"], "min_confidence": 0}
    rows = client.post("/ask", json=request).json()["results"]
    assert [row["answer"]["text"] for row in rows] == ["Africa", "Suomessa"]


@pytest.mark.parametrize("media", ["text/event-stream", "application/x-ndjson"])
def test_the_stages_of_a_question_are_streamed(client: TestClient, media: str) -> None:
    response = client.post("/ask", json=QUESTION, headers={"Accept": media})
    assert response.headers["content-type"].startswith(media)
    if media == "application/x-ndjson":
        rows = [json.loads(line) for line in response.text.splitlines()]
        events = [(row.pop("event"), row) for row in rows]
    else:
        blocks = [block.split("\n") for block in response.text.split("\n\n") if block]
        events = [(name[7:], json.loads(data[6:])) for name, data in blocks]
    *stages, (last, answer) = events
    assert {name for name, _ in stages} == {"stage"} and last == "answer"
    names = [row["stage"] for _, row in stages]
    assert names == ["all.translate", "all.index", "all.retrieve", "all.read", "answer"]
    assert answer["answer"] == client.post("/ask", json=QUESTION).json()["answer"]


def test_single_stages(client: TestClient) -> None:
    reply = client.post("/retrieve", json={"question": "the Rhine", "k": 1}).json()
    [hit] = reply["routes"][0]["hits"]
    assert hit["docid"] == "rhine" and hit["text"] == PASSAGES[1].text
    given = {
        "question": "Where?",
        "passages": ["Oulu is in Finland.", {"text": "A b", "docid": "x"}],
    }
    rows = client.post("/read", json=given).json()["candidates"]
    assert [(row["docid"], row["text"]) for row in rows] == [("1", "Finland"), ("x", "b")]
    items = [
        {"prediction": "the Nile", "answers": ["Nile"]},
        {"prediction": "Rhine", "answers": ["Nile", "Inari"]},
    ]
    scored = client.post("/score", json={"items": items, "task": "squad"}).json()
    assert [row["em"] for row in scored["scores"]] == [1, 0]
    assert scored["report"]["macro"]["em"] == 50


def test_every_task_with_a_text_per_question_has_a_score(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    names = schemas["Score"]["properties"]["task"]["enum"]
    assert names == ["xor-full", "xor-engspan", "squad", "tydi-goldp", "mlqa"]
    response = client.post("/score", json={"items": [ITEM], "task": "xor-retrieve"})
    assert error_of(response) == (422, "invalid")
    listed = "'xor-full', 'xor-engspan', 'squad', 'tydi-goldp' or 'mlqa'"
    assert response.json()["error"]["message"] == f"body.task: Input should be {listed}"
    assert "made" in schemas["Answer"]["properties"]


def test_a_question_is_translated(tmp_path: Path) -> None:
    engine = made_engine(tmp_path)
    vars(engine)["_translator"] = build("translator", {"use": "none"})
    with client_of(engine) as client:
        translated = client.post("/translate", json={"question": "Missä Niili on?"}).json()
    assert translated == {"text": "Missä Niili on?", "lang": "fi", "from": "fi"}


def test_an_uploaded_corpus_is_asked_and_removed(client: TestClient) -> None:
    rows = [{"docid": "a", "text": "The lake of Oulu is Oulujärvi."}, {"text": "Nothing."}]
    body = "\n".join(map(json.dumps, rows))
    uploaded = client.post("/corpora", content=body, headers={"Content-Type": "application/jsonl"})
    assert uploaded.status_code == 200 and uploaded.json()["passages"] == 2
    corpus = uploaded.json()["corpus"]
    for pipeline in ("words", "fused"):
        request = {**QUESTION, "question": "The lake?", "corpus": corpus, "pipeline": pipeline}
        assert client.post("/ask", json=request).json()["answer"]["text"] == "Oulujärvi"
    assert client.delete(f"/corpora/{corpus}").json() == {"removed": corpus}
    gone = client.post("/ask", json={**QUESTION, "corpus": corpus})
    assert error_of(gone) == (404, "not_found")


def test_pasted_text_is_split_into_passages(client: TestClient) -> None:
    text = "\n\n".join(f"Paragraph {n} of a text about the town of Oulu. " * 12 for n in range(4))
    uploaded = client.post("/corpora", content=text, headers={"Content-Type": "text/plain"}).json()
    assert uploaded["passages"] > 2 and uploaded["languages"] == ["en"]
    request = {"question": "Which town?", "corpus": uploaded["corpus"]}
    reply = client.post("/ask", json=request).json()
    assert reply["evidence"][0]["docid"].startswith("text.txt#")


def test_the_oldest_upload_is_removed(client: TestClient) -> None:
    headers = {"Content-Type": "text/plain"}
    ids = [
        client.post("/corpora", content=f"Text {n}.", headers=headers).json()["corpus"]
        for n in range(5)
    ]
    statuses = [
        client.post("/ask", json={**QUESTION, "corpus": corpus}).status_code for corpus in ids
    ]
    assert statuses == [404, 200, 200, 200, 200]


@pytest.mark.parametrize(
    ("path", "body", "error"),
    [
        ("/ask", {}, (422, "invalid")),
        ("/ask", {"question": "?", "questions": []}, (422, "invalid")),
        ("/ask", {"question": " "}, (422, "invalid")),
        ("/ask", {"question": 1}, (422, "invalid")),
        ("/ask", {"question": "Where?", "language": "en"}, (422, "invalid")),
        ("/ask", {"question": "Where?", "lang": "xx"}, (422, "invalid")),
        ("/ask", {"question": "Where?", "pipeline": "../x"}, (422, "invalid")),
        ("/ask", {"question": "Where?", "corpus": "../x"}, (404, "not_found")),
        ("/ask", {"question": "Where?", "min_confidence": 2}, (422, "invalid")),
        ("/ask", {"question": "x" * 10_000}, (413, "too_large")),
        ("/ask", {"questions": ["x"] * 65}, (422, "invalid")),
        ("/ask", ["Where?"], (422, "invalid")),
        ("/score", {"items": []}, (422, "invalid")),
        (
            "/score",
            {"items": [{"prediction": "", "answers": [""]}], "task": "os:x"},
            (422, "invalid"),
        ),
        ("/translate", {"question": "Where?", "to": "??"}, (422, "invalid")),
        ("/read", {"question": "Where?", "passages": []}, (422, "invalid")),
        ("/nowhere", {}, (404, "not_found")),
        ("/health", {}, (405, "method_not_allowed")),
    ],
)
def test_errors_have_one_shape(
    client: TestClient, path: str, body: Any, error: tuple[int, str]
) -> None:
    assert error_of(client.post(path, json=body)) == error


def test_states_and_metrics(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/ready").json() == {"ready": True, "pipelines": ["words", "fused"]}
    client.post("/ask", json=QUESTION)
    client.get("/nowhere<script>")
    text = client.get("/metrics").text
    assert 'xorqa_requests_total{route="/ask",status="200"}' in text
    assert 'xorqa_requests_total{route="other",status="404"}' in text and "script" not in text
    values = dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
    assert int(values["xorqa_questions_total"]) >= 1 and float(values["xorqa_resident_bytes"]) > 0
    assert values['xorqa_ask_seconds_bucket{le="+Inf"}'] == values["xorqa_ask_seconds_count"]
    kinds = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert len(kinds) == len(set(kinds)) >= 8


def test_openapi_describes_every_route(client: TestClient) -> None:
    api = client.get("/openapi.json").json()
    assert {"/ask", "/retrieve", "/read", "/translate", "/score", "/corpora"} <= set(api["paths"])
    assert {"/health", "/ready", "/metrics"} <= set(api["paths"])
    answered = api["components"]["schemas"]["Answered"]["properties"]
    assert set(answered) == {"answer", "evidence", "lang", "trace", "milliseconds"}
    routes = [route for methods in api["paths"].values() for route in methods.values()]
    assert all(route["description"] for route in routes)
