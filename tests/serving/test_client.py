"""The client in Python, against a server with a token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.serving.made_up import made_engine
from xorqa.core.errors import ConfigError
from xorqa.lab.common.server import running
from xorqa.serving.client import Client, Reply, ServerError

TOKEN = "a-token-of-a-test"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    engine = made_engine(tmp_path_factory.mktemp("client"), two=True)
    with running(engine, token=TOKEN) as (host, port):
        yield f"http://{host}:{port}/"


def test_questions(url: str) -> None:
    client = Client(url, token=TOKEN)
    reply = client.ask("Which river is the Nile?", min_confidence=0)
    assert reply.answer and reply.answer.text == "Africa" and reply.lang == "en"
    assert reply.answer.method == "span"
    first = reply.evidence[0]
    assert first.docid == "nile" and first.text[first.start : first.end] == "Africa"
    assert client.ask("Which river is the Nile?", min_confidence=1).answer is None
    many = client.ask_all(["The Nile?", "The Rhine?"], pipeline="fused")
    assert [each.evidence[0].docid for each in many if isinstance(each, Reply)] == ["nile", "rhine"]
    [route] = client.retrieve("the Rhine", k=1)
    assert [hit["docid"] for hit in route["hits"]] == ["rhine"]


def test_stages_are_streamed(url: str) -> None:
    *stages, reply = Client(url, token=TOKEN).stages("The Nile?")
    assert isinstance(reply, Reply) and reply.evidence
    assert [stage[0] for stage in stages if isinstance(stage, tuple)][-1] == "answer"


def test_uploads(url: str) -> None:
    client = Client(url, token=TOKEN)
    corpus = client.upload([{"docid": "o", "text": "The lake of Oulu is Oulujärvi."}])
    assert client.ask("Which lake?", corpus=corpus).evidence[0].docid == "o"
    client.remove(corpus)
    with pytest.raises(ServerError, match="no corpus has this id") as caught:
        client.ask("Which lake?", corpus=corpus)
    assert (caught.value.status, caught.value.code) == (404, "not_found")


def test_errors(url: str) -> None:
    with pytest.raises(ServerError, match="needs the token") as caught:
        Client(url).ask("Where?")
    assert (caught.value.status, caught.value.code) == (401, "unauthorized")
    with pytest.raises(ServerError, match="needs the token"):
        list(Client(url, token="wrong").stages("Where?"))
    for wrong in ("localhost:8000", "ftp://localhost", ""):
        with pytest.raises(ConfigError, match="is not the address of a server"):
            Client(wrong)
