"""Updates that are killed under a running server: no mixed answer, and in the end no litter.

XORQA_TEST_KILLS sets how many updates are killed (5).
"""

from __future__ import annotations

import random
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.kills.test_kills import KILLS, SEED, STAGES, UPDATE, Worker, inputs, worker
from tests.serving.made_up import LastWord, until
from xorqa.core.progress import silent
from xorqa.datasets.corpus import Corpus, read_corpus
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import Route
from xorqa.io.files import write_jsonl
from xorqa.lab.common.server import running
from xorqa.retrieval import manifest
from xorqa.retrieval.update import generations
from xorqa.serving.client import Client
from xorqa.serving.engine import Engine, Reloader
from xorqa.serving.problems import Limits

pytest.importorskip("peft")
pytest.importorskip("fastapi")
__all__ = ["inputs", "worker"]  # fixtures

Texts = frozenset[tuple[str, str]]
RETRIEVERS = {"dense": f"{STAGES}:TinyDense", "bm25": "bm25"}


class Asking:
    """A client that asks both pipelines all the time; every answer must be of one generation."""

    def __init__(self, address: tuple[str, int], passages: Texts) -> None:
        self.client = Client("http://{}:{}".format(*address))
        self.valid, self.seen, self.wrong = [passages], Counter[int](), list[str]()
        self.last = -1
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._ask_on)
        self._thread.start()

    def _ask_on(self) -> None:
        while not self._stop.is_set():
            try:
                self.last = self._generation("dense", whole=True)
                self._generation("bm25", whole=False)
                self.seen[self.last] += 1
            except Exception as error:
                self.wrong.append(repr(error))

    def _generation(self, pipeline: str, *, whole: bool) -> int:
        """The generation of the passages that a retriever returns, which are all or some of it."""
        [route] = self.client.retrieve("How long is it?", pipeline=pipeline, k=100)
        hits = frozenset((hit["docid"], hit["text"]) for hit in route["hits"])
        of = [n for n, each in enumerate(self.valid) if hits == each or (not whole and hits < each)]
        if not of or not hits:
            raise AssertionError(f"{pipeline}: a mixture of {sorted(hits)}")
        return of[-1]

    def close(self) -> None:
        self._stop.set()
        self._thread.join()


@contextmanager
def followed(folder: Path) -> Iterator[tuple[Asking, list[str]]]:
    """A server that follows the passages of `folder`, a client of it, and what it reports."""
    path, reported = folder / "work" / "rivers.jsonl", list[str]()

    def opened() -> dict[str, Pipeline]:
        corpora = {"pool": read_corpus(path)}
        stages: dict[str, Any] = {"reader": LastWord(), "localiser": "none", "chooser": "rule"}
        return {
            name: Pipeline(
                [Route("all", {"use": use}, corpus="pool")],
                corpora,
                indexes=folder / "home" / "indexes",
                progress=silent,
                **stages,
            )
            for name, use in RETRIEVERS.items()
        }

    reloader = Reloader(path, opened, reported.append, seconds=0.05)
    engine = Engine(reloader.pipelines(), Limits())
    with running(engine) as address:
        reloader.follow(engine)
        asking = Asking(address, texts(read_corpus(path)))
        try:
            yield asking, reported
        finally:
            asking.close()


def texts(corpus: Corpus) -> Texts:
    return frozenset((passage.docid, passage.text) for passage in corpus)


def write_change(work: Path, number: int) -> Texts:
    """Write the files of an update; returns the passages after it."""
    old = {passage.docid: passage.text for passage in read_corpus(work / "rivers.jsonl")}
    changed = {f"p{at}": f"River {at} has changed, it is long: {number}." for at in (3, 4, 5)}
    added = {f"new{number}-{at}": f"A new river, it is long: {number}." for at in range(6)}
    gone = [docid for docid in old if docid.startswith("new")]
    rows = [{"docid": docid, "text": text} for docid, text in {**changed, **added}.items()]
    write_jsonl(work / "new.jsonl", [{**row, "lang": "en"} for row in rows])
    (work / "gone.txt").write_text("".join(f"{docid}\n" for docid in [*gone, "p0"]))
    stay = {docid: text for docid, text in old.items() if docid not in {*gone, "p0"}}
    return frozenset({**stay, **changed, **added}.items())


def litter(folder: Path) -> list[str]:
    """Whatever is neither an input nor of the indexes that an update keeps."""
    corpus, indexes = read_corpus(folder / "work" / "rivers.jsonl"), folder / "home" / "indexes"
    present = manifest.folder_of(corpus, indexes)
    made = generations(present)
    assert made.finished
    names = {present.name, made.first, *made.earlier} - {""}
    kept = {name for name in names if (indexes / name).is_dir()}
    assert len(kept) <= 3
    files = {"rivers.jsonl", "new.jsonl", "gone.txt"}
    found = [path for path in (folder / "work").iterdir() if path.name.startswith(".")]
    found += [path for path in indexes.iterdir() if path.name not in kept]
    for name in kept:
        found += [each for each in (indexes / name).iterdir() if each.name not in BESIDE]
        for index in (indexes / name).glob("*/"):
            listed = {*manifest.read(index)["files"], manifest.FILE}
            inside = (path.relative_to(index).as_posix() for path in index.rglob("*"))
            found += [
                index / path
                for path in inside
                if path not in listed and not (index / path).is_dir()
            ]
            assert "have their sums" in manifest.verify(index)
    assert files <= {path.name for path in (folder / "work").iterdir()}
    return [str(path) for path in found]


BESIDE = {".update.json", "bm25", f"{STAGES}.TinyDense"}


def test_killed_updates_under_a_running_server(
    worker: Worker,
    inputs: Path,
    tiny: Path,
    tiny_adapter: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XORQA_TEST_TINY", str(tiny))
    folder, rng = tmp_path / "served", random.Random(f"{SEED} {UPDATE} served")
    shutil.copytree(inputs, folder / "work")
    (folder / "home").mkdir()
    run = partial(worker.run, folder, adapter=tiny_adapter)
    for name in ("index", "index bm25"):
        assert run(name, kill_at=None)["status"] == 0
    path = folder / "work" / "rivers.jsonl"
    with followed(folder) as (asking, reported):

        def complete(number: int) -> int:
            """Update to other passages, which the server then serves; returns the moments."""
            asking.valid.append(write_change(folder / "work", number))
            done = run(UPDATE, kill_at=None)
            assert done["status"] == 0, done["printed"]
            served = until(lambda: asking.last == len(asking.valid) - 1 or asking.wrong)
            assert served and not asking.wrong, (asking.wrong, reported)
            assert litter(folder) == []
            return int(done["moments"])

        moments, states = complete(0), Counter[str]()
        for kill in range(KILLS):
            before = texts(read_corpus(path))
            after = write_change(folder / "work", 2 * kill + 1)
            asking.valid.append(after)
            at = rng.randrange(moments)
            killed = run(UPDATE, kill_at=at)
            assert killed["status"] in (-signal.SIGKILL, 0), (at, killed["printed"])
            now = texts(read_corpus(path))
            assert now in (before, after)
            states["killed" if killed["status"] else "done", now == after] += 1
            if rng.random() < 0.5:  # the same command
                assert run(UPDATE, kill_at=None)["status"] == 0
                assert until(lambda: asking.last == len(asking.valid) - 1 or asking.wrong)
                assert litter(folder) == []
            complete(2 * kill + 2)
        assert not asking.wrong
    assert not [line for line in reported if not line.startswith("Reloaded")], reported
    with capsys.disabled():
        if KILLS > 5:
            print(
                f"\n{UPDATE} under a server: {dict(states)} at {moments} moments, "
                f"{sum(asking.seen.values())} answers of {len(asking.seen)} generations, "
                "none mixed, no litter"
            )
