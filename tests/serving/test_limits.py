"""Access, limits, the queue, time, clients that leave, and shutdown."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.serving.made_up import ATTACK, LastWord, client_of, made_engine, until
from tests.serving.test_contract import QUESTION, error_of
from xorqa.core.errors import ConfigError
from xorqa.lab.common.server import running
from xorqa.serving import guard
from xorqa.serving.app import create_app
from xorqa.serving.engine import LONG
from xorqa.serving.guard import check_token, is_loopback, new_token
from xorqa.serving.problems import Limits
from xorqa.serving.server import Server, listen, serve
from xorqa.serving.worker import BETWEEN, Job, Worker

TOKEN = "a-token-of-a-test"
JSON = {"Content-Type": "application/json"}


def basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"me:{password}".encode()).decode()


def test_every_route_except_health_needs_the_token(tmp_path: Path) -> None:
    engine = made_engine(tmp_path)
    with client_of(engine, token=TOKEN) as client:
        assert client.get("/health").status_code == 200
        paths = ["/", "/docs", "/page.js", "/openapi.json", "/about", "/ready", "/metrics", "/none"]
        for path in paths:
            response = client.get(path)
            assert error_of(response) == (401, "unauthorized")
            assert response.headers["www-authenticate"].startswith("Basic ")
        wrong = ["Bearer wrong", basic("wrong"), "Basic ?", f"Digest {TOKEN}", "Bearer é", ""]
        for header in wrong:
            sent = {"Authorization": header.encode("latin-1")}
            assert error_of(client.post("/ask", json=QUESTION, headers=sent))[0] == 401
        for header in (f"Bearer {TOKEN}", basic(TOKEN), f"bearer {TOKEN}"):
            sent = {"Authorization": header, "Host": "qa.example"}
            assert client.post("/ask", json=QUESTION, headers=sent).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("attacker.example", 403),
        ("127.0.0.1.attacker.example", 403),
        ("[::1", 403),
        ("[::1].evil.com", 403),
        ("[::1]evil.com:80", 403),
        ("[::1%evil.com]", 403),
        ("localhost:80@evil.com", 403),
        ("localhost:evil.com", 403),
        ("localhost:80:80", 403),
        ("localhost, evil.com", 403),
        ("", 403),
    ],
)
def test_without_a_token_only_names_of_loopback_are_answered(
    client: TestClient, host: str, status: int
) -> None:
    assert client.get("/about", headers={"Host": host}).status_code == status


def test_addresses_and_tokens() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "::1", "localhost", "127.8.8.8"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.2", "example.org", ""]))
    check_token(new_token())
    for token in ("short", "with a space", "nön-ascii-token"):
        with pytest.raises(ConfigError, match="a token needs"):
            check_token(token)
    with (
        closing(listen("127.0.0.1", 0)) as first,
        pytest.raises(ConfigError, match=r"cannot listen at 127\.0\.0\.1, port .+ --port"),
    ):
        listen("127.0.0.1", first.getsockname()[1])


def test_other_sites_are_kept_out(client: TestClient) -> None:
    page = client.get("/")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    headers = {"Origin": "https://attacker.example", "Access-Control-Request-Method": "POST"}
    for response in (
        client.options("/ask", headers=headers),
        client.get("/about", headers=headers),
    ):
        assert not [name for name in response.headers if name.startswith("access-control")]
    simple = client.post(
        "/ask", content=json.dumps(QUESTION), headers={"Content-Type": "text/plain"}
    )
    assert error_of(simple) == (415, "unsupported_media_type")
    form = client.post("/corpora", data={"text": "x"})
    assert error_of(form) == (415, "unsupported_media_type")


PAGES = [
    {"Origin": "https://attacker.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:1"},
    {"Origin": "http://localhost.attacker.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_pages_of_other_sites_change_nothing(tmp_path: Path, page: dict[str, str]) -> None:
    for token in (None, TOKEN):
        known = {"Authorization": basic(TOKEN)} if token else {}
        with client_of(made_engine(tmp_path), token=token) as client:
            upload = partial(client.post, "/corpora", content=b"The Oulu is long.")
            text = {"Content-Type": "text/plain", **known}
            corpus = upload(headers=text).json()["corpus"]
            for refused in (
                upload(headers={**text, **page}),
                client.delete(f"/corpora/{corpus}", headers={**known, **page}),
                client.post("/ask", json=QUESTION, headers={**known, **page}),
            ):
                assert error_of(refused) == (403, "forbidden")
                assert refused.headers["connection"] == "close"
            own = {"Origin": "http://localhost", **known}
            assert client.post("/ask", json=QUESTION, headers=own).status_code == 200
            own = {"Sec-Fetch-Site": "same-origin", "Origin": "https://a-proxy.example", **known}
            asked = {**QUESTION, "corpus": corpus}
            assert client.post("/ask", json=asked, headers=own).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"\xff\xfe", 400),
        (b'{"question": "\\ud800"}', 400),
        (b'{"question": NaN}', 400),
        (b'{"question": 1e999}', 400),
        (b"[" * 100_000, 400),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 400),
        (b"x" * 1_000_001, 413),
        (b"x" * 5_000_000, 413),
    ],
)
def test_bodies_that_are_not_json_or_too_large(
    client: TestClient, body: bytes, status: int
) -> None:
    assert error_of(client.post("/ask", content=body, headers=JSON))[0] == status


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"not json", 422),
        (b'{"docid": "x"}', 422),
        (b'{"text": "a"}\n' * 2_001, 413),
        (json.dumps({"text": "a" * 20_001}).encode(), 413),
        (json.dumps({"text": "a", "docid": "d" * 1_001}).encode(), 413),
        (json.dumps({"text": "a", "title": "t" * 1_001}).encode(), 413),
        (b'{"docid": "1", "text": "a"}\n' * 2, 422),
        (b"", 422),
    ],
)
def test_uploads_that_are_damaged_or_too_large(
    client: TestClient, body: bytes, status: int
) -> None:
    headers = {"Content-Type": "application/jsonl"}
    response = client.post("/corpora", content=body, headers=headers)
    assert error_of(response)[0] == status
    assert str(Path.cwd()) not in response.text


def background(call: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """A thread that runs a call, and the list that its result is added to."""
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    return thread, results


def test_a_full_queue_refuses_and_waiting_questions_are_answered_together(tmp_path: Path) -> None:
    reader = LastWord()
    with client_of(made_engine(tmp_path, reader, limits=Limits(queue=4))) as client:
        reader.batches.clear()
        reader.gate.clear()
        reader.entered.clear()
        first = background(lambda: client.post("/ask", json=QUESTION))
        assert reader.entered.wait(30)
        waiting = background(lambda: client.post("/ask", json={"questions": ["Nile?"] * 3}))
        assert until(lambda: "xorqa_queue_length 3" in client.get("/metrics").text)
        full = client.post("/ask", json={"questions": ["Nile?"] * 2})
        assert error_of(full) == (429, "busy") and int(full.headers["retry-after"]) > 0
        reader.gate.set()
        for thread, _ in (first, waiting):
            thread.join(30)
        assert [result[0].status_code for _, result in (first, waiting)] == [200, 200]
        assert reader.batches == [1, 3]


def test_one_bad_question_does_not_fail_its_batch(client: TestClient) -> None:
    rows = client.post("/ask", json={"questions": ["Nile?", "\u2028", "Inari?"]})
    assert error_of(rows)[0] == 422  # checked before anything is queued


def test_time_is_limited(tmp_path: Path) -> None:
    reader = LastWord()
    with client_of(made_engine(tmp_path, reader, limits=Limits(seconds=0.3))) as client:
        reader.gate.clear()
        assert error_of(client.post("/ask", json=QUESTION)) == (503, "timeout")
        stream = client.post("/ask", json=QUESTION, headers={"Accept": "text/event-stream"})
        assert "event: error" in stream.text and "timeout" in stream.text
        reader.gate.set()


def test_the_server_is_not_ready_before_its_weights_are_loaded(tmp_path: Path) -> None:
    reader = LastWord()
    reader.gate.clear()
    engine = made_engine(tmp_path, reader)
    with TestClient(create_app(engine), base_url="http://localhost") as client:
        assert client.get("/health").status_code == 200
        for response in (client.get("/ready"), client.post("/ask", json=QUESTION)):
            assert error_of(response) == (503, "starting")
            assert "retry-after" in response.headers
        reader.gate.set()
        assert until(lambda: client.get("/ready").status_code == 200)


def test_a_failure_of_loading_is_reported(tmp_path: Path) -> None:
    class Broken(LastWord):
        def read(self, queries: Any, hits: Any) -> Any:
            raise ConfigError("no weights")

    failures: list[BaseException | None] = []
    with TestClient(create_app(made_engine(tmp_path, Broken()), warm=failures.append)):
        assert until(lambda: failures)
    assert isinstance(failures[0], ConfigError)


def test_an_unexpected_error_is_logged_without_the_question(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(LastWord):
        def read(self, queries: Any, hits: Any) -> Any:
            if any("secret" in query.text for query in queries):
                raise RuntimeError("a secret question")
            return super().read(queries, hits)

    with client_of(made_engine(tmp_path, Broken())) as client:
        response = client.post("/ask", json={**QUESTION, "question": "The secret Nile?"})
        assert error_of(response) == (500, "internal")
        assert client.post("/ask", json=QUESTION).status_code == 200
    assert "RuntimeError in read" in caplog.text
    assert "secret" not in caplog.text + response.text


def test_abandoned_jobs_do_not_run_and_a_running_batch_ends_after_its_stage() -> None:
    worker = Worker(waiting=9, together=9)
    entered, gate, stages = threading.Event(), threading.Event(), []

    def work(items: list[Any], on_stage: Callable[[str, float], None]) -> list[Any]:
        for name in items[0]:
            entered.set()
            assert gate.wait(30)
            on_stage(name, 0.0)
            stages.append(name)
        return items

    running, waiting, last = (Job(work, text) for text in ("ab", "cd", "ef"))
    worker.submit([running, waiting, last])
    worker.start()
    assert entered.wait(30)
    running.abandon()
    waiting.abandon()
    gate.set()
    assert last.future.result(30) == "ef"
    assert stages == ["e", "f"]
    worker.stop(30)


def test_clients_share_the_worker() -> None:
    """A client with many long questions holds up another one by the running one only."""
    worker = Worker(waiting=99, together=8)
    order: list[str] = []

    def work(items: list[Any], on_stage: Callable[[str, float], None]) -> list[Any]:
        order.extend(items)
        time.sleep(0.3 * ("long 0" in items))
        return items

    attack = [Job(work, f"long {n}", "ask", client="attacker") for n in range(9)]
    first, *more = (Job(work, f"{n} of {name}", "ask", client=name) for n in "12" for name in "abc")
    last = Job(work, "of no batch", client="attacker")
    worker.submit([attack[0]])
    worker.start()
    assert until(lambda: order == ["long 0"])
    worker.submit([*attack[1:], last, first, *more])
    assert attack[-1].future.result(30) and last.future.result(30)
    assert {*order[1:7]} == {job.item for job in (first, *more)}
    assert order[7:] == [*(f"long {n}" for n in range(1, 9)), "of no batch"]
    worker.stop(30)


def test_clients_are_told_apart_by_their_addresses(tmp_path: Path) -> None:
    engine = made_engine(tmp_path)
    clients: list[str] = []
    submit = engine.worker.submit

    def submitted(jobs: Any) -> None:
        clients.extend(job.client for job in jobs)
        submit(jobs)

    with running(engine) as address:
        engine.worker.submit = submitted  # type: ignore[method-assign]
        lines, proxy = {"Accept": "application/x-ndjson"}, {"X-Forwarded-For": "192.0.2.1"}
        for headers in ({}, lines, proxy):
            connection = http.client.HTTPConnection(*address, timeout=30)
            connection.request("POST", "/ask", json.dumps(QUESTION), JSON | headers)
            assert connection.getresponse().read()
            connection.close()
    assert clients == ["127.0.0.1", "127.0.0.1", "192.0.2.1"]


def test_a_text_that_takes_long_to_split_is_refused_at_once(client: TestClient) -> None:
    headers, start = {"Content-Type": "text/plain"}, time.process_time()
    for text in ("word " * 200_001, "湖" * 1_000_001):
        refused = client.post("/corpora", content=text.encode(), headers=headers)
        assert error_of(refused)[0] == 413 and "1,000,000 characters" in refused.text
    assert time.process_time() - start < 5


def test_the_worker_stops_after_the_running_stage(tmp_path: Path) -> None:
    reader = LastWord()
    engine = made_engine(tmp_path, reader)
    with client_of(engine) as client:
        reader.gate.clear()
        reader.entered.clear()
        running = background(lambda: client.post("/ask", json=QUESTION))
        assert reader.entered.wait(30)
        stopping = threading.Thread(target=engine.stop)
        stopping.start()
        assert until(lambda: engine.worker.stopping)
        assert error_of(client.post("/ask", json=QUESTION))[0] == 503
        reader.gate.set()
        for thread in (stopping, running[0]):
            thread.join(30)
        assert error_of(running[1][0]) == (503, "stopping")


def asking(address: tuple[str, int], question: str) -> socket.socket:
    """A connection on which a question was sent."""
    body = json.dumps({"question": question}).encode()
    head = f"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    connection = socket.create_connection(address, timeout=30)
    connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
    return connection


def slow_post(address: tuple[str, int], headers: str = "") -> socket.socket:
    """A connection on which a part of a request was sent."""
    head = f"POST /ask HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: 100\r\n"
    connection = socket.create_connection(address, timeout=30)
    connection.sendall(f"{head}Content-Type: application/json\r\n\r\n{{".encode())
    return connection


@pytest.mark.parametrize("headers", ["", "Origin: https://attacker.example\r\n"])
def test_a_refused_request_does_not_hold_its_connection(tmp_path: Path, headers: str) -> None:
    token = None if headers else TOKEN
    with running(made_engine(tmp_path), token=token) as address:
        with slow_post(address, headers) as connection:
            start, reply = time.monotonic(), b""
            while chunk := connection.recv(9999):
                reply += chunk
        assert time.monotonic() - start < 5
        assert b"connection: close" in reply.lower() and b'"error"' in reply


def test_slow_senders_do_not_keep_others_out(tmp_path: Path) -> None:
    engine = made_engine(tmp_path, limits=Limits(connections=8))
    with running(engine, token=TOKEN) as address, ExitStack() as connections:
        for number in range(40):
            sent = slow_post(address, f"Authorization: Bearer {TOKEN}\r\n")
            connections.enter_context(sent)
            if number % 8 == 0:
                health = http.client.HTTPConnection(*address, timeout=5)
                health.request("GET", "/health")
                assert health.getresponse().status == 200
                health.close()


def test_a_docid_given_to_read_has_a_length(client: TestClient) -> None:
    passage = {"text": "a", "docid": "d" * 1_001}
    body = {"question": "Nile?", "passages": [passage]}
    assert error_of(client.post("/read", json=body))[0] == 413


def test_the_documents_state_the_limits() -> None:
    limits, page = (
        Limits(),
        (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8"),
    )
    rows = [line.strip("| ").rpartition(" | ") for line in page.splitlines() if " | " in line]
    stated = {name: value.split(", ") for name, _, value in rows}
    for name, values in {
        "body of a request, of an upload": ("1 MB", "8 MB"),
        "passages of an upload, characters of a passage": (limits.passages, limits.passage),
        "characters of an uploaded text (`text/plain`)": (limits.text,),
        "characters of a docid, of a title": (limits.name,),
        "uploaded corpora (the oldest is removed), uploads at the same time (then 429)": (
            limits.corpora,
            limits.uploading,
        ),
        "characters of a question, questions or passages of a request": (
            limits.question,
            limits.batch,
        ),
        "answers to score in a request": (limits.items,),
        "waiting questions (then 429)": (limits.queue,),
        "seconds to send the headers, the body, until an answer, until an upload is indexed": (
            limits.headers,
            limits.sending,
            limits.seconds,
            limits.upload_seconds,
        ),
        "connections": (limits.connections,),
    }.items():
        assert stated[name] == [v if isinstance(v, str) else f"{v:,.0f}" for v in values]
    assert (limits.body, limits.upload) == (1_000_000, 8_000_000)
    assert f"stops it within {limits.shutdown:.0f} seconds" in page
    assert f"Questions of up to {LONG} characters" in page and limits.together == 8
    assert "batches of up to eight" in page and "for a quarter of a second" in page
    assert BETWEEN == 0.25


def test_the_questions_of_a_client_that_leaves_are_dropped(tmp_path: Path) -> None:
    reader = LastWord()
    engine = made_engine(tmp_path, reader)
    with running(engine) as address:
        reader.batches.clear()
        reader.gate.clear()
        reader.entered.clear()
        with asking(address, "Nile?") as first:
            assert reader.entered.wait(30)
            with asking(address, "Rhine?"):
                assert until(lambda: engine.worker.queued == 1)
            assert until(lambda: engine.metrics.cancelled == 1)
            reader.gate.set()
            assert first.recv(15).endswith(b"200 OK")
        assert until(lambda: engine.worker.queued == 0)
        assert reader.batches == [1]


def test_a_server_that_stops_answers_the_requests_it_has(tmp_path: Path) -> None:
    reader = LastWord()
    engine = made_engine(tmp_path, reader)
    listening = listen("127.0.0.1", 0)
    servers: list[Server] = []
    ready = threading.Event()
    thread, _ = background(
        lambda: serve(engine, listening, token=None, ready=ready.set, started=servers.append)
    )
    assert ready.wait(30)
    reader.gate.clear()
    reader.entered.clear()
    with asking(listening.getsockname(), "Nile?") as connection:
        assert reader.entered.wait(30)
        servers[0].should_exit = True
        with pytest.raises(OSError):
            until(lambda: asking(listening.getsockname(), "Nile?").close(), seconds=30)
        reader.gate.set()
        assert connection.recv(15).endswith(b"200 OK")
    thread.join(30)
    assert not thread.is_alive()


def test_scripts_stay_text(client: TestClient) -> None:
    request = {**QUESTION, "question": f"The Rhine? {ATTACK}"}
    response = client.post("/ask", json=request)
    assert response.headers["content-type"] == "application/json"
    assert any(ATTACK in row["text"] for row in response.json()["evidence"])
    missing = client.get(f"/{ATTACK}")
    assert missing.headers["content-type"] == "application/json"


def test_slow_senders_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    async def never() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    class Nothing:
        def request(self, *given: Any) -> None: ...

    app: Any = guard.Guard(
        None,  # type: ignore[arg-type]
        limits=Limits(sending=0.05),
        token=None,
        metrics=Nothing(),  # type: ignore[arg-type]
        routes=set(),
    )
    scope = {"type": "http", "path": "/ask", "method": "POST", "headers": []}
    asyncio.run(app(scope, never, send))
    assert sent[0]["status"] == 408 and b"slow_request" in sent[1]["body"]
