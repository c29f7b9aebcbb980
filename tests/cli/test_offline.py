"""Without a network or behind a proxy: one line with what to do, and soon."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest

from tests.command_line import Xorqa
from xorqa.core.network import proxy_hint

FETCH = ("data", "fetch", "xquad")
PULL = ("models", "pull", "owner/nothing")


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a proxy that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """An unreachable proxy, or a silent one, with a password; the hub is not switched off."""
    address = "127.0.0.1:1" if request.param == "down" else request.getfixturevalue("silent")
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, f"http://me:pa55word@{address}")
    for name in ("NO_PROXY", "no_proxy", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    for module in ("datasets.fetch", "models.hub"):
        monkeypatch.setattr(f"xorqa.{module}.TIMEOUT", 0.3)
    return address


@pytest.mark.parametrize("proxy", ["down", "silent"], indirect=True)
@pytest.mark.parametrize(("command", "remedy"), [(FETCH, "--from DIR"), (PULL, "HF_ENDPOINT")])
def test_a_proxy_that_does_not_respond(
    xorqa: Xorqa, proxy: str, command: tuple[str, ...], remedy: str
) -> None:
    began = time.monotonic()
    outcome = xorqa(*command)
    assert time.monotonic() - began < 10
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert f"check HTTPS_PROXY, which names the proxy {proxy}" in line
    assert remedy in line
    assert "pa55word" not in line


def test_a_hub_that_is_switched_off(xorqa: Xorqa) -> None:
    [line] = xorqa(*PULL).err.splitlines()
    assert "HF_HUB_OFFLINE allows downloaded weights only; unset it" in line


def test_the_hint_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert proxy_hint() == "behind a proxy, set HTTPS_PROXY=http://HOST:PORT"
