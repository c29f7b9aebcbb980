"""The command line as a user meets it: arguments in, exit status and two streams out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from xorqa.cli.main import main


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: its exit status and what it printed."""

    status: int
    out: str
    err: str


Xorqa = Callable[..., Outcome]


@pytest.fixture
def xorqa(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Xorqa:
    """Runs `xorqa ARGUMENTS` in an empty folder with an empty home."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["xorqa", *map(str, arguments)])
        status = 0
        try:
            main()
        except SystemExit as done:
            status = int(done.code or 0)
        streams = capsys.readouterr()
        return Outcome(status, streams.out, streams.err)

    return call


@pytest.fixture
def config(tmp_path: Path, tiny_adapter: Path) -> Path:
    """A config with BM25 and the tiny reader, for any corpus."""
    path = tmp_path / "tiny.toml"
    path.write_text(f"""
        reader = {{ use = "span", adapter = "{tiny_adapter}" }}
        chooser = {{ use = "rule" }}

        [[routes]]
        name = "eng"
        translator = {{ use = "human" }}
        retriever = {{ use = "bm25" }}
    """)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of three passages."""
    path = tmp_path / "rivers.jsonl"
    path.write_text(
        '{"docid": "n", "title": "Nile", "text": "The Nile is a river in Africa.", "lang": "en"}\n'
        '{"docid": "r", "title": "Rhine", "text": "The Rhine is a river in Europe."}\n'
        '{"docid": "k", "title": "Kemijoki", "text": "Kemijoki on joki Suomessa.", "lang": "fi"}\n',
        encoding="utf-8",
    )
    return path
