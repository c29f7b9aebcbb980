"""What these tests share: float32, and copies of what an earlier version left."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.before.access import float32
from tests.before.record import INDEXES, RUNS
from xorqa.answering.transliteration.name_table import BUNDLED, FAMOUS
from xorqa.answering.transliteration.transliterate import _WORD


@pytest.fixture(autouse=True)
def in_float32() -> Iterator[None]:
    """On the CPU and in float32, as when the fixtures were made."""
    with float32():
        yield


@pytest.fixture
def old_indexes(tmp_path: Path) -> Path:
    """A folder of indexes that an earlier version built."""
    return Path(shutil.copytree(INDEXES, tmp_path / "indexes"))


@pytest.fixture
def old_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folders of two runs by an earlier version; the working folder is the one above."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(RUNS, tmp_path / "runs"))


@pytest.fixture(autouse=True)
def with_earlier_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Localise without what the chain has learned since: terms, lists, generic words, spellings."""
    chain = "xorqa.answering.localising.chain"
    monkeypatch.setattr(f"{chain}.TERMS", BUNDLED)  # a table that it has anyway
    monkeypatch.setattr(f"{chain}.USUAL", BUNDLED)
    monkeypatch.setattr(f"{chain}.read_english_list", lambda text: None)
    monkeypatch.setattr(f"{chain}.read_english_generic", lambda text: None)
    names = "xorqa.answering.transliteration.transliterate"
    monkeypatch.setattr(f"{names}.TABLES", (FAMOUS, BUNDLED))
    monkeypatch.setattr(f"{names}._WORD", re.compile(_WORD.pattern.replace("Fitz|", "")))
