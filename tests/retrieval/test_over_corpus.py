import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from xorqa.core.progress import announcing
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval import over_corpus
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.over_corpus import announced


def announcements(
    calls: Iterable[tuple[float, int]], monkeypatch: pytest.MonkeyPatch, *, total: int = 3000
) -> list[str]:
    """The lines that a build announces whose progress is reported at these seconds."""
    lines: list[str] = []
    forwarded: list[tuple[int, int]] = []
    report = announced(
        lambda *call: forwarded.append(call), "dense", lambda passages: 1544.0 * passages
    )
    given = list(calls)
    with announcing(lines.append):
        for seconds, done in given:
            monkeypatch.setattr(over_corpus.time, "monotonic", lambda now=seconds: now)
            report(done, total)
    assert forwarded == [(done, total) for _, done in given]
    return lines


def test_a_build_is_announced_once_with_its_measured_time(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [(0.0, 0), (9.0, 50), *((9.0 + at, 50 + 10 * at) for at in range(1, 296))]
    assert announcements(steps, monkeypatch) == [
        "Indexing 3,000 passages (dense): about 5 min, 4.6 MB on disk, once"
    ]


def test_the_first_batch_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [(0.0, 0), (500.0, 10), (500.5, 20), (502.0, 1000)]
    [line] = announcements(steps, monkeypatch)
    assert "about 4 s" in line


def test_a_resumed_build_is_announced_with_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = [(0.0, 2000), (5.0, 2010), (15.0, 2110), (16.0, 2120)]
    [line] = announcements(steps, monkeypatch)
    assert "3,000 passages (dense): about 1 min" in line


@pytest.mark.parametrize(
    "steps",
    [
        [(0.0, 0), (1.0, 3000)],  # nothing is left when the speed is known
        [(0.0, 0), (1.0, 1500), (2.0, 2900), (2.1, 3000)],  # short
        [(0.0, 0), (5.0, 50), (9.0, 50)],  # no speed yet
    ],
)
def test_a_short_build_is_not_announced(
    steps: list[tuple[float, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert announcements(steps, monkeypatch) == []


def test_an_open_index_answers_although_its_folder_is_gone(tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    corpus = Corpus("rivers", [Passage("n", "The Nile."), Passage("r", "The Rhine.")])
    retriever = Bm25(corpus=corpus, folder=tmp_path / "index")
    query = Query(Question("q", "Nile", "en"), "Nile", "en")
    before = retriever.retrieve([query], k=2)
    shutil.rmtree(tmp_path / "index")  # as an update does
    retriever.build()
    assert retriever.retrieve([query], k=2) == before
    assert not (tmp_path / "index").exists()
    retriever.build(rebuild=True)
    assert (tmp_path / "index").is_dir()
    assert retriever.retrieve([query], k=2) == before
