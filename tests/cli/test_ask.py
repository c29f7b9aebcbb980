import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def strict(text: str) -> Any:
    """JSON without Python's Infinity and NaN, which other readers refuse."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def test_json_has_the_answer_and_its_evidence(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    outcome = xorqa(
        "ask",
        "--json",
        "--config",
        config,
        "--corpus",
        corpus,
        "--lang",
        "en",
        "Is the Nile a river?",
    )
    assert (outcome.status, outcome.err) == (0, "")
    shown = strict(outcome.out)
    assert shown["question"] == {"text": "Is the Nile a river?", "lang": "en"}
    span, passage = shown["span"], shown["evidence"]
    assert shown["answer"]["text"] == passage["text"][span["start"] : span["end"]] != ""
    assert shown["answer"]["made"] == "span"
    assert passage["docid"] in {"n", "r"} and passage["lang"] == "en"
    assert {candidate["docid"] for candidate in shown["candidates"]} == {"n", "r"}
    best = max(shown["candidates"], key=lambda c: c["span_score"] + c["passage_score"])
    assert best["docid"] == passage["docid"]
    assert set(shown["ms"]) == {"pool.translate", "pool.retrieve", "pool.read", "answer"}


def test_nothing_found_is_an_answer_too(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    asked = ("ask", "--config", config, "--corpus", corpus, "--lang", "en", "unheard words")
    shown = strict(xorqa(*asked, "--json").out)
    assert shown["answer"] == {"text": "", "lang": "en", "made": "none", "score": None}
    assert (shown["evidence"], shown["span"], shown["candidates"]) == (None, None, [])
    outcome = xorqa(*asked)
    assert outcome.status == 0
    assert outcome.out.startswith("no answer")


def test_the_passage_is_shown_as_it_is(
    xorqa: Callable[..., Any], config: Path, corpus: Path
) -> None:
    corpus.write_text(
        '{"docid": "[b]", "text": "A [red]Nile[/red] :river: of 6650 km.", "lang": "en"}'
    )
    outcome = xorqa("ask", "--config", config, "--corpus", corpus, "--lang", "en", "Nile")
    assert outcome.status == 0
    assert "A [red]Nile[/red] :river: of 6650 km." in outcome.out
    assert "[[b]]" in outcome.out
    assert "route pool" in outcome.out


def test_questions_a_line_each(
    xorqa: Callable[..., Any], config: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Where is the Rhine?\n\n joki Suomessa \n"))
    outcome = xorqa("ask", "-i", "--json", "--config", config, "--corpus", corpus, "the Nile?")
    assert outcome.status == 0
    asked = [strict(line)["question"]["text"] for line in outcome.out.splitlines()]
    assert asked == ["the Nile?", "Where is the Rhine?", "joki Suomessa"]


def test_a_mistake_among_several_questions_ends_nothing(
    xorqa: Callable[..., Any], config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Missä?\n"))
    outcome = xorqa("ask", "-i", "--config", config, "--lang", "fi")
    assert outcome.status == 0
    assert "has no human translation" in outcome.err


def test_passages_may_change_between_questions(
    xorqa: Callable[..., Any],
    config: Path,
    corpus: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ("ask", "--json", "--config", config, "--corpus", corpus, "--lang", "en", "the lake?")
    outcome = xorqa(*command)
    corpus.write_text('{"docid": "l", "text": "Inari is a lake.", "lang": "en"}')
    outcome = xorqa(*command)
    assert outcome.status == 2  # an index of a home is shared, and may have cost hours
    assert f"delete {home / 'indexes' / 'rivers' / 'bm25'} to have it rebuilt" in outcome.err
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    monkeypatch.delenv("XORQA_HOME")
    assert strict(xorqa(*command).out)["evidence"]["docid"] == "l"
    corpus.write_text('{"docid": "i", "text": "Inari is a deep lake.", "lang": "en"}')
    assert strict(xorqa(*command).out)["evidence"]["docid"] == "i"


def test_the_users_folder_stays_as_it_was(
    xorqa: Callable[..., Any], config: Path, corpus: Path, home: Path
) -> None:
    xorqa("ask", "--config", config, "--corpus", corpus, "--lang", "en", "Where is the Nile?")
    assert list(Path().iterdir()) == []
    assert (home / "indexes" / "rivers" / "bm25" / "manifest.json").is_file()
