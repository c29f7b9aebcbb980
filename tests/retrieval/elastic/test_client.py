"""Connection errors are one line each, without secrets."""

from __future__ import annotations

import logging
import time
import traceback
from base64 import b64encode
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.retrieval.elastic.client import ClusterError, UnlicensedError, connect, response_error

REQUIRED = "Elasticsearch 8.11 to 9.x is required"


def line(error: pytest.ExceptionInfo[ClusterError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_cluster_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "CLOUD_ID"):
        monkeypatch.delenv(f"XORQA_ELASTIC_{name}", raising=False)
    with pytest.raises(ConfigError, match=r"set XORQA_ELASTIC_URL .* or XORQA_ELASTIC_CLOUD_ID"):
        connect()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("URL", "elk.example", "XORQA_ELASTIC_URL must look like https://host:9200"),
        ("URL", "http://me:pa55@host", "XORQA_ELASTIC_URL must look like https://host:9200"),
        ("URL", "http://me:pa55@[x:1", "XORQA_ELASTIC_URL must look like https://host:9200"),
        (
            "TIMEOUT",
            "soon",
            "XORQA_ELASTIC_TIMEOUT must be a number of seconds, such as 60, not 'soon'",
        ),
        (
            "TIMEOUT",
            "-1",
            "XORQA_ELASTIC_TIMEOUT must be a number of seconds, such as 60, not '-1'",
        ),
        ("CA", "/no/ca.pem", "XORQA_ELASTIC_CA names /no/ca.pem, which is not a file"),
    ],
)
def test_settings_that_cannot_be_used(
    fake: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(f"XORQA_ELASTIC_{name}", value)
    with pytest.raises(ConfigError) as error:
        connect()
    assert str(error.value) == message
    assert fake.seen == []


def test_a_cloud_id(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XORQA_ELASTIC_URL")
    monkeypatch.setenv("XORQA_ELASTIC_CLOUD_ID", "name:nonsense")
    with pytest.raises(ConfigError, match=r"^XORQA_ELASTIC_CLOUD_ID must look like a cloud ID"):
        connect()


def test_the_key_is_sent_and_never_shown(
    fake: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("XORQA_ELASTIC_API_KEY", "S3CR3T")
    cluster = connect()
    assert fake.sent[-1]["authorization"] == "ApiKey S3CR3T"
    assert cluster.version == "8.15.3"
    fake.answer = lambda *_: (401, {"error": {"type": "security_exception", "reason": "no"}})
    with pytest.raises(ClusterError, match="rejects the credentials; set XORQA_") as error:
        connect()
    shown = "".join(traceback.format_exception(error.value)) + caplog.text + repr(cluster)
    assert "S3CR3T" not in shown


def test_a_password_in_the_address_is_sent_and_never_shown(
    fake: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("XORQA_ELASTIC_URL", fake.url.replace("//", "//me:pa55@"))
    cluster = connect()
    assert fake.sent[-1]["authorization"].startswith("Basic ")
    fake.answer = lambda *_: (500, {})
    with pytest.raises(ClusterError) as error:
        connect()
    shown = "".join(traceback.format_exception(error.value)) + caplog.text + repr(cluster)
    assert "pa55" not in shown
    assert cluster.address == fake.url


@pytest.mark.parametrize("shape", ["{}", "Basic {}", "ApiKey {}"])
def test_a_cluster_that_repeats_credentials(
    fake: Any, monkeypatch: pytest.MonkeyPatch, shape: str
) -> None:
    monkeypatch.setenv("XORQA_ELASTIC_URL", fake.url.replace("//", "//me:pa%2F55word@"))
    pair = b64encode(b"me:pa/55word").decode()
    for secret in (pair, "pa/55word", "pa%2F55word", "S3CR3T=="):
        monkeypatch.setenv("XORQA_ELASTIC_API_KEY", "S3CR3T==")
        echo = {"error": {"type": "security_exception", "reason": shape.format(secret)}}
        error = response_error(fake.url, 403, echo["error"])
        assert secret not in str(error)
        assert "[key removed]" in str(error)
    monkeypatch.delenv("XORQA_ELASTIC_API_KEY")
    fake.answer = lambda *_: (
        403,
        {"error": {"type": "x", "reason": fake.sent[-1]["authorization"]}},
    )
    with pytest.raises(ClusterError) as told:
        connect()
    assert pair not in line(told)
    fake.answer = lambda *_: (200, {"version": {"number": "1.0 pa/55word"}})
    with pytest.raises(ClusterError, match=r"is Elasticsearch 1\.0 .key removed.;"):
        connect()
    fake.answer = lambda *_: (200, {"version": "8.15"})
    with pytest.raises(ClusterError, match="does not report its version"):
        connect()


def test_both_servers_are_spoken_to_as_version_8(fake: Any) -> None:
    connect().client.msearch(searches=[{}, {}])
    for headers in fake.sent:
        assert headers["accept"].endswith("compatible-with=8")
    assert fake.sent[-1]["content-type"].endswith("compatible-with=8")


def test_down(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XORQA_ELASTIC_URL", "http://127.0.0.1:1")
    with pytest.raises(ClusterError) as error:
        connect()
    assert line(error).startswith(
        "the cluster at http://127.0.0.1:1 cannot be reached; start it or set XORQA_ELASTIC_URL ("
    )


def test_slow(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XORQA_ELASTIC_TIMEOUT", "0.2")
    fake.answer = lambda *_: time.sleep(0.6) or (200, {})
    with pytest.raises(ClusterError) as error:
        connect()
    assert line(error) == (
        f"the cluster at {fake.url} did not respond within 0.2 s; "
        "run again later or raise XORQA_ELASTIC_TIMEOUT"
    )


def test_no_tls_where_it_is_expected(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XORQA_ELASTIC_URL", fake.url.replace("http", "https"))
    with pytest.raises(ClusterError, match="failed TLS verification; set XORQA_ELASTIC_CA to"):
        connect()


@pytest.mark.parametrize("number", ["7.17.24", "8.10.4", "10.0.0"])
def test_another_version(fake: Any, number: str) -> None:
    fake.answer = lambda *_: (200, {"version": {"number": number}})
    with pytest.raises(ClusterError) as error:
        connect()
    assert line(error) == f"the cluster at {fake.url} is Elasticsearch {number}; {REQUIRED}"


@pytest.mark.parametrize("number", ["8.11.0", "8.19.0-SNAPSHOT", "9.2.1"])
def test_versions_that_are_spoken_to(fake: Any, number: str) -> None:
    fake.answer = lambda *_: (200, {"version": {"number": number}})
    assert connect().version == number


def test_opensearch(fake: Any) -> None:
    fake.headers = {}
    fake.answer = lambda *_: (
        200,
        {"version": {"distribution": "opensearch", "number": "2.17.0"}},
    )
    with pytest.raises(ClusterError) as error:
        connect()
    assert line(error).endswith("an index of OpenSearch is opened by opensearch-index")


def test_a_proxy_that_answers_in_html(fake: Any) -> None:
    fake.headers |= {"Content-Type": "text/html"}
    fake.answer = lambda *_: (404, "<html>\n<p>Nothing here</p>\n</html>")
    with pytest.raises(ClusterError) as error:
        connect()
    assert line(error) == f"the cluster at {fake.url} rejects the request: 404"


@pytest.mark.parametrize(
    ("status", "kind", "reason", "meaning"),
    [
        (
            403,
            "cluster_block_exception",
            "index [x] blocked by: [FORBIDDEN/8/index write (api)];",
            "is read-only; lift the block and run again (index [x] blocked by: [FORBIDDEN/8/",
        ),
        (
            429,
            "cluster_block_exception",
            "blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark]",
            "is full; free space in it and run again (blocked by",
        ),
        (
            400,
            "validation_exception",
            "this cluster currently has [1000]/[1000] maximum normal shards open",
            "is full; free space in it and run again (this cluster",
        ),
        (
            429,
            "es_rejected_execution_exception",
            "queue is full",
            "is overloaded; run again later (queue is full)",
        ),
        (503, "", "", "is overloaded; run again later"),
        (
            403,
            "security_exception",
            "action [x] is unauthorized",
            "forbids this; set XORQA_ELASTIC_API_KEY to a key with more privileges (action",
        ),
        (
            400,
            "media_type_header_exception",
            "Invalid media-type",
            f"is not a supported version of Elasticsearch; {REQUIRED} (Invalid",
        ),
        (
            400,
            "mapper_parsing_exception",
            "analyzer [x] has not been configured",
            "rejects the request: mapper_parsing_exception (analyzer [x] has not",
        ),
    ],
)
def test_refusals(status: int, kind: str, reason: str, meaning: str) -> None:
    error = response_error("http://h:1", status, {"type": kind, "reason": reason})
    assert str(error).startswith(f"the cluster at http://h:1 {meaning}")
    assert not isinstance(error, UnlicensedError)


def test_what_the_licence_does_not_include() -> None:
    reason = "current license is non-compliant for [Reciprocal Rank Fusion (RRF)]"
    assert isinstance(response_error("h", 403, {"reason": reason}), UnlicensedError)
