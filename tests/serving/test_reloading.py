"""A server over a file of passages whose indexes are updated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.serving.made_up import LastWord, client_of, until
from xorqa.core.progress import silent
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus, read_corpus
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import Route
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.manifest import folder_of
from xorqa.retrieval.update import update_indexes
from xorqa.serving.engine import Engine, Reloader
from xorqa.serving.problems import Limits

QUESTION = {"question": "Where is the Nile?", "lang": "en"}


class Followed:
    """A file of passages with an index, the engine over it, and what the reloader reports."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "rivers.jsonl"
        self.reader = LastWord()
        self.reported: list[str] = []
        self.write(nile="The Nile is in Africa")
        self.reloader = Reloader(self.path, self.opened, self.reported.append, seconds=0.05)
        pipelines = self.reloader.pipelines()
        for pipeline in pipelines.values():
            pipeline.retriever(pipeline.settings.routes[0], "pool").build()
        self.engine = Engine(pipelines, Limits())

    def opened(self) -> dict[str, Pipeline]:
        route = Route("all", {"use": "bm25"}, corpus="pool")
        corpora = {"pool": read_corpus(self.path)}
        stages: dict[str, Any] = {"reader": self.reader, "localiser": "none", "chooser": "rule"}
        return {"mine": Pipeline([route], corpora, indexes=self.folder / "indexes", **stages)}

    def write(self, **texts: str) -> None:
        rows = ({"docid": docid, "text": text, "lang": "en"} for docid, text in texts.items())
        self.path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def write_new(self, **texts: str) -> Corpus:
        """Replace the file only."""
        self.write(**texts)
        return read_corpus(self.path)

    @property
    def indexes(self) -> Path:
        return self.folder / "indexes"

    def update(self, **texts: str) -> None:
        """Update the index, then replace the file."""
        old = read_corpus(self.path)
        new = Corpus(old.name, [Passage(docid, text) for docid, text in texts.items()])
        update_indexes(old, new, self.folder / "indexes", progress=silent)
        self.write(**texts)


@pytest.fixture
def followed(tmp_path: Path) -> Followed:
    return Followed(tmp_path)


def answer(client: Any) -> Any:
    return client.post("/ask", json=QUESTION).json()["answer"]["text"]


def test_a_running_server_answers_from_updated_passages(followed: Followed) -> None:
    with client_of(followed.engine) as client:
        followed.reloader.follow(followed.engine)
        assert answer(client) == "Africa"
        followed.update(nile="The Nile is in Egypt")
        assert until(lambda: followed.reported)
        assert answer(client) == "Egypt"
        assert followed.reported == [f"Reloaded: {followed.path}, 1 passage"]


def test_questions_are_answered_during_a_reload(followed: Followed) -> None:
    """A question that was asked before the new pipelines are warm is answered by the old ones."""
    with client_of(followed.engine) as client:
        followed.update(nile="The Nile is in Egypt")
        old = followed.engine.pipeline(None, None)
        [job] = followed.engine.ask(["Nile?"], "en", pipeline=old, min_confidence=None)
        followed.engine.worker.submit([job])
        followed.reloader.look(followed.engine)
        followed.reloader.look(followed.engine)
        assert job.future.result()["answer"]["text"] == "Africa"
        assert answer(client) == "Egypt"


def test_a_file_without_an_index_is_not_loaded(followed: Followed) -> None:
    with client_of(followed.engine) as client:
        followed.write(nile="The Nile is in Sudan")
        for _ in range(3):
            followed.reloader.look(followed.engine)
        [line] = followed.reported
        assert "has no index" in line and "xorqa index update" in line
        assert answer(client) == "Africa"


def test_a_partial_update_makes_the_server_encode_nothing(followed: Followed) -> None:
    """The passages have a folder, with the index of another retriever or with none."""
    with client_of(followed.engine) as client:
        folder = folder_of(followed.write_new(nile="The Nile is in Egypt"), followed.indexes)
        (folder / "dense").mkdir(parents=True)
        (folder / "bm25").mkdir()
        for _ in range(4):
            followed.reloader.look(followed.engine)
        [line] = followed.reported
        assert "has no index for mine" in line
        assert answer(client) == "Africa" and not any((folder / "bm25").iterdir())
        route = Route("all", {"use": "bm25"}, corpus="pool")
        followed.opened()["mine"].retriever(route, "pool").build()
        followed.reloader.look(followed.engine)
        assert answer(client) == "Egypt" and "Reloaded" in followed.reported[-1]


def test_an_index_of_other_settings_is_not_loaded(followed: Followed) -> None:
    with client_of(followed.engine) as client:
        corpus = followed.write_new(nile="The Nile is in Egypt")
        other = Bm25(corpus=corpus, folder=folder_of(corpus, followed.indexes) / "bm25", k1=0.5)
        other.build()
        for _ in range(4):
            followed.reloader.look(followed.engine)
        [line] = followed.reported
        assert "keeps the old passages" in line and "k1" in line
        assert answer(client) == "Africa"


@pytest.mark.parametrize("content", [b"", b"{\n", b"\xff\xfe\n", b'{"docid": "nile"}\n'])
def test_a_damaged_file_is_reported_once(followed: Followed, content: bytes) -> None:
    with client_of(followed.engine) as client:
        followed.path.write_bytes(content)
        for _ in range(3):
            followed.reloader.look(followed.engine)
        assert len(followed.reported) == 1
        assert answer(client) == "Africa"


def test_a_missing_or_changing_file_is_left_alone(followed: Followed) -> None:
    with client_of(followed.engine) as client:
        followed.path.unlink()
        followed.reloader.look(followed.engine)
        followed.reloader.look(followed.engine)
        for number in range(3):
            followed.write(nile="The Nile is long" + "." * number)
            followed.reloader.look(followed.engine)
        assert followed.reported == [] and answer(client) == "Africa"


def test_a_full_queue_is_tried_again(followed: Followed) -> None:
    worker = followed.engine.worker
    with client_of(followed.engine) as client:
        followed.update(nile="The Nile is in Egypt")
        room, worker.waiting = worker.waiting, 0
        followed.reloader.look(followed.engine)
        followed.reloader.look(followed.engine)
        assert followed.reported == []
        worker.waiting = room
        followed.reloader.look(followed.engine)
        assert answer(client) == "Egypt"
