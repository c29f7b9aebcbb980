"""A full disk is reported with the file that did not fit, and a closed input in one line."""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def _small_disk() -> Iterator[None]:
    """No file may have more than 8 KB; Python ignores the signal, and writing raises an error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("_small_disk")
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["run", "bm25", "--data", "mini", "--sample", "9", "--out", "runs"], "stages.sqlite"),
        (["data", "export", "mini", "--format", "folder", "--out", "folder"], "folder/"),
        (["corpus", "make", "big.jsonl", "--out", "made.jsonl"], "made.jsonl"),
    ],
)
def test_the_file_is_named(xorqa: Callable[..., Any], arguments: list[str], named: str) -> None:
    rows = ({"docid": str(n), "text": f"Oulu on kaupunki {n}. " * 9} for n in range(60))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    Path("big.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
    outcome = xorqa(*arguments)
    assert outcome.status == 2, outcome.out
    last = outcome.err.splitlines()[-1]
    assert named in last and ("File too large" in last or "disk I/O error" in last)


def test_a_session_without_input(
    xorqa: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    outcome = xorqa("ask", "-i", "--config", "bm25")
    assert outcome.status == 2
    assert outcome.err == (
        "error: ConfigError: -i reads questions from standard input, which is closed\n"
    )
