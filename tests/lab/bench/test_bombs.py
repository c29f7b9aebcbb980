"""Files that unpack to much, read by a process whose memory is limited."""

import sys

import pytest

from xorqa.lab.bench.hostile.bombs import BOMBS, explode

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")


def test_bombs_are_refused_in_a_limit_of_memory() -> None:
    names = [
        "paragraphs.docx",
        "unresolved.docx",
        "span.docx",
        "merged.docx",
        "line.jsonl.gz",
        "a.txt.gz",
    ]
    outcomes = explode(names)
    assert [(o.kind, o.status, o.wrong) for o in outcomes] == [
        (f"bomb {name}", 422, "") for name in names
    ]


def test_what_needs_more_memory_is_found() -> None:
    [outcome] = explode(["line.jsonl.gz"], memory=1 << 20)
    assert outcome.status == 500 and "MemoryError" in outcome.wrong


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_every_bomb_is_refused(name: str) -> None:
    [outcome] = explode([name])
    assert (outcome.status, outcome.wrong) == (422, "")
