"""`xorqa index update`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.corpus import read_corpus
from xorqa.io.locks import lock_path


@pytest.fixture
def given(corpus: Path, xorqa: Callable[..., Any]) -> tuple[str, ...]:
    """An update of indexed passages: the command without its file."""
    assert xorqa("index", "--corpus", corpus, "--retriever", "bm25").status == 0
    first = read_corpus(corpus).passages[0]
    Path("new.jsonl").write_text(
        f'{{"docid": "{first.docid}", "text": "It dried up.", "lang": "en"}}\n'
        '{"docid": "lena", "text": "The Lena is in Siberia.", "lang": "en"}\n'
    )
    Path("gone.txt").write_text("nowhere\n")
    return ("index", "update", "--corpus", "new.jsonl", "--delete", "gone.txt")


def test_the_file_and_its_indexes_are_updated(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...], config: Path, home: Path
) -> None:
    count = len(read_corpus(corpus))
    outcome = xorqa(*given, corpus)
    assert outcome.status == 0, outcome.err
    *_, last = outcome.out.splitlines()
    assert last == (
        f"{corpus}: {count + 1} passages: 1 added, 1 replaced, 1 to delete not found, "
        f"{count - 1} unchanged"
    )
    new = read_corpus(corpus)
    assert new["lena"].text == "The Lena is in Siberia."
    before = sorted(home.glob("indexes/*/bm25"))
    question = ("--config", config, "--lang", "en", "--corpus", corpus, "Where is the Lena?")
    asked = xorqa("ask", *question)
    assert asked.status == 0, asked.err
    assert sorted(home.glob("indexes/*/bm25")) == before  # nothing was indexed again
    [folder] = home.glob(f"indexes/*-{new.sha}/bm25")
    assert xorqa("doctor", folder, "--corpus", corpus).status == 0
    [old] = {*before} - {folder}
    checked = xorqa("doctor", old, "--corpus", corpus)
    assert checked.status == 0 and "before an update" in checked.out


def test_json_and_the_same_update_again(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    first = json.loads(xorqa(*given, corpus, "--json").out)
    assert (first["added"], first["replaced"], first["deleted"], first["missing"]) == (1, 1, 0, 1)
    [index] = first["indexes"]
    assert index["passages"] == index["written"] == len(read_corpus(corpus))
    before = corpus.read_bytes()
    again = json.loads(xorqa(*given, corpus, "--json").out)
    assert again["indexes"] == [] and again["unchanged"] == index["passages"]
    assert corpus.read_bytes() == before


def test_another_file_gets_the_updated_passages(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    rows = [json.loads(line) | {"url": "x"} for line in corpus.read_text("utf-8").splitlines()]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    before = corpus.read_bytes()
    assert xorqa(*given, corpus, "--out", "updated.jsonl").status == 0
    assert corpus.read_bytes() == before
    lines = Path("updated.jsonl").read_text("utf-8").splitlines()
    first, *others, added = map(json.loads, lines)
    assert added["docid"] == "lena"
    assert {row["url"] for row in others} == {"x"}
    assert "url" not in first and "url" not in added  # their lines have none


def test_of_two_updates_the_second_is_refused(
    xorqa: Callable[..., Any], corpus: Path, given: tuple[str, ...]
) -> None:
    before = corpus.read_bytes()
    with lock_path(corpus, "corpus"):
        outcome = xorqa(*given, corpus)
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert "is being written by process" in line and "add --wait" in line
    assert corpus.read_bytes() == before


def test_mistakes_are_one_line(xorqa: Callable[..., Any], corpus: Path) -> None:
    Path("gone.txt").write_text("nowhere\n")
    Path("new.jsonl").write_text('{"docid": "lena", "text": "The Lena is in Siberia."}\n')
    for command, error in (
        ((corpus,), "nothing to update; pass --corpus FILE, --delete FILE or both"),
        ((corpus, "--corpus", "new.jsonl"), "has no index of the passages of rivers"),
        (("missing.jsonl", "--delete", "gone.txt"), "missing.jsonl cannot be updated in place"),
        (
            (corpus, "--corpus", "new.jsonl", "--retriever", "lucid"),
            "no retriever is called 'lucid'",
        ),
    ):
        outcome = xorqa("index", "update", *command)
        assert outcome.status == 2
        assert error in outcome.err and len(outcome.err.splitlines()) == 1
    outcome = xorqa("index", "--corpus", corpus, "update", corpus, "--delete", "gone.txt")
    assert outcome.status == 2 and "write the options after 'update'" in outcome.err
