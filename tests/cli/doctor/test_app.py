from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from xorqa.cli.doctor import app as doctor
from xorqa.cli.doctor.findings import Finding
from xorqa.io.files import read_json

Xorqa = Callable[..., Any]


def machine(state: Any) -> Callable[[], Iterator[Finding]]:
    found = [
        Finding("this machine", "java", "ok", "Java 21"),
        Finding("this machine", "extra mt", state, "not [installed]"),
    ]
    return lambda: iter(found)


def test_a_line_per_check_of_this_machine(
    xorqa: Xorqa, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor, "check_machine", machine("missing"))
    outcome = xorqa("doctor", "--json", tmp_path / "found.json")
    assert outcome.status == 0
    assert [line.split(maxsplit=1) for line in outcome.out.splitlines()] == [
        ["this", "machine"],
        ["ok", "java             Java 21"],
        ["missing", "extra mt         not [installed]"],
    ]
    assert read_json(tmp_path / "found.json")[1] == {
        "subject": "this machine",
        "check": "extra mt",
        "state": "missing",
        "note": "not [installed]",
    }
    monkeypatch.setattr(doctor, "check_machine", machine("broken"))
    assert xorqa("doctor").status == 1


def test_an_index_of_the_users_passages(xorqa: Xorqa, corpus: Path, home: Path) -> None:
    xorqa("index", "--corpus", corpus, "--retriever", "bm25")
    [folder] = home.glob("indexes/rivers-*/bm25")
    outcome = xorqa("doctor", folder, "--corpus", corpus)
    assert outcome.status == 0 and str(folder) in outcome.out and "broken" not in outcome.out
    corpus.write_text(corpus.read_text(encoding="utf-8").replace("Africa", "Asia"), "utf-8")
    outcome = xorqa("doctor", folder, "--corpus", corpus, "--json", "found.json")
    assert outcome.status == 1 and "the same number, but a text" in outcome.out
    assert [one["state"] for one in read_json(Path("found.json"))] == ["ok", "ok", "broken", "ok"]


def test_indexes_of_a_data_set_find_their_corpora(xorqa: Xorqa, home: Path) -> None:
    xorqa("index", "--data", "mini", "--lang", "fi,te", "--retriever", "bm25")
    folders = sorted(home.glob("indexes/mini.*/bm25"))
    outcome = xorqa("doctor", *folders, "--data", "mini")
    assert outcome.status == 0, outcome.out
    assert "50 passages of mini.fi" in outcome.out and "50 passages of mini.te" in outcome.out
    assert xorqa("doctor", folders[0], "--data", "mini", "--lang", "te").status == 1
    outcome = xorqa("doctor", folders[0], "--data", "mini", "--lang", "xx")
    assert outcome.status == 2 and "no corpus 'xx'" in outcome.err


def test_two_corpora_are_rejected(xorqa: Xorqa, corpus: Path) -> None:
    outcome = xorqa("doctor", "somewhere", "--corpus", corpus, "--data", "mini")
    assert outcome.status == 2 and "not both" in outcome.err
