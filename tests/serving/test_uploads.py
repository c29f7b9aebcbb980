"""Uploads are indexed between questions, and stop when nobody waits for them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest

from tests.serving.made_up import PASSAGES, LastWord, client_of, until
from tests.serving.test_contract import QUESTION, error_of
from tests.serving.test_limits import background
from xorqa.core.progress import Progress, silent
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import Route
from xorqa.lab.common.server import running
from xorqa.retrieval.bm25 import Bm25
from xorqa.serving.client import Client
from xorqa.serving.engine import Engine
from xorqa.serving.problems import Limits

ROWS = b"".join(b'{"text": "The Oulu is in Finland %d"}\n' % number for number in range(400))
TYPE = {"Content-Type": "application/jsonl"}
SLICE = 0.02  # seconds


class Sliced(Bm25):
    """BM25 that takes a slice of time per passage; `written` counts them all."""

    use = "sliced"
    written = 0

    def write_index(self, folder: Path, progress: Progress) -> None:
        (folder / "litter").touch()
        for done in range(len(self.corpus)):
            time.sleep(SLICE if len(self.corpus) > len(PASSAGES) else 0)
            Sliced.written += 1
            progress(done, len(self.corpus))
        super().write_index(folder, silent)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder for temporary files, in which nothing may be left."""
    (folder := tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert not folders()


def folders() -> set[Path]:
    """The folders of uploads that exist."""
    return set(Path(gettempdir()).glob("xorqa-upload-*"))


def slow_engine(folder: Path, *, limits: Limits | None = None) -> Engine:
    """An engine whose uploads take seconds to index."""
    pipeline = Pipeline(
        [Route("all", f"{__name__}:Sliced", corpus="pool")],
        {"pool": Corpus("made-up", PASSAGES)},
        reader=LastWord(),
        localiser="none",
        chooser="rule",
        indexes=folder / "indexes",
        progress=silent,
    )
    return Engine({"mine": pipeline}, limits or Limits())


def is_indexing() -> bool:
    """Whether a passage has been indexed lately."""
    before = Sliced.written
    time.sleep(10 * SLICE)
    return Sliced.written > before


def test_questions_are_answered_while_an_upload_is_indexed(tmp_path: Path) -> None:
    engine = slow_engine(tmp_path)
    with client_of(engine) as client:
        thread, uploaded = background(lambda: client.post("/corpora", content=ROWS, headers=TYPE))
        assert until(is_indexing)
        spent = []
        for _ in range(20):
            start, busy = time.monotonic(), engine.worker.seconds_busy
            assert client.post("/ask", json=QUESTION).status_code == 200
            spent.append(time.monotonic() - start)
            assert engine.worker.seconds_busy > busy  # of the job that runs
        assert not uploaded and max(spent) < 100 * SLICE
        batch = client.post("/ask", json={"questions": ["Nile?"] * 20}).json()["results"]
        assert len(batch) == 20 and not uploaded
        thread.join(60)
        corpus = uploaded[0].json()["corpus"]
        own = client.post("/ask", json={"question": "Oulu?", "corpus": corpus}).json()
        assert own["answer"]["text"].isdecimal()
        assert client.delete(f"/corpora/{corpus}").status_code == 200


def test_an_upload_has_a_limit_of_seconds(tmp_path: Path) -> None:
    with client_of(slow_engine(tmp_path, limits=Limits(upload_seconds=0.5))) as client:
        late = client.post("/corpora", content=ROWS, headers=TYPE)
        assert error_of(late) == (503, "timeout")
        assert until(lambda: not is_indexing(), 5)
        [root] = folders()
        assert not any(root.iterdir())
        assert client.post("/ask", json=QUESTION).status_code == 200


def test_an_upload_goes_away_when_its_client_has_left(tmp_path: Path) -> None:
    engine = slow_engine(tmp_path)
    with running(engine) as address:
        client = Client("http://{}:{}".format(*address), timeout=1)
        with pytest.raises(TimeoutError):
            client.upload([json.loads(line) for line in ROWS.splitlines()])
        assert until(lambda: engine.metrics.cancelled == 1, 5)
        assert until(lambda: not is_indexing(), 5)
        [root] = folders()
        assert not any(root.iterdir()) and engine.worker.queued == 0
        assert Client("http://{}:{}".format(*address)).ask("Nile?").answer


def test_a_server_that_stops_does_not_wait_for_uploads(tmp_path: Path) -> None:
    engine = slow_engine(tmp_path)
    results: list[Any] = []
    with running(engine) as address:
        client = Client("http://{}:{}".format(*address))
        rows = [json.loads(line) for line in ROWS.splitlines()]

        def upload() -> None:
            with pytest.raises(Exception, match="shutting down") as error:
                client.upload(rows)
            results.append(error.value)

        threads = [threading.Thread(target=upload) for _ in range(2)]  # one waits
        for thread in threads:
            thread.start()
        assert until(is_indexing) and until(lambda: engine.worker.queued == 1)
        start = time.monotonic()
    assert time.monotonic() - start < 5
    for thread in threads:
        thread.join(10)
    assert [error.status for error in results] == [503, 503] and engine.worker.has_ended
