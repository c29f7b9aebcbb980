"""A command that is killed at any moment and repeated leaves what an unkilled one leaves.

XORQA_TEST_KILLS sets how often each command is killed (5).
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.lab.training.conftest import RIVERS, paragraph
from tests.translation.conftest import serving
from xorqa.core.types import Query, Question
from xorqa.datasets.corpus import read_corpus
from xorqa.io.files import write_json, write_jsonl
from xorqa.retrieval import manifest
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.manifest import folder_of
from xorqa.retrieval.vectors.kinds import open_index, row_positions, row_vectors

pytest.importorskip("peft")
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("XORQA_TEST_KILLS", "5"))
SEED = 29
TIMES = {"seconds", "timings", "date", "spent"}  # in files that else are the same
OWN = {"timings.json", "checkpoint.pt", "best.pt"}  # times, or state with times
STAGES = f"{__name__.rpartition('.')[0]}.stages"
COMMANDS = {
    "index": ["index", "--corpus", "rivers.jsonl", "--retriever", f"{STAGES}:TinyDense"],
    "index bm25": ["index", "--corpus", "rivers.jsonl", "--retriever", "bm25"],
    "index update": [
        *("index", "update", "rivers.jsonl", "--corpus", "new.jsonl", "--delete", "gone.txt"),
        *("--retriever", f"{STAGES}:TinyDense", "--retriever", "bm25"),
    ],
    "run": ["run", "run.toml", "--lang", "fi", "--sample", "4", "--out", "out"],
    "train": ["train", "reader", "reader.toml", "--out", "out"],
    "translate questions": [
        *("translate", "questions", "--file", "train.json", "--from", "fi", "--out", "out.jsonl"),
        *("--translator", f"{STAGES}:Shouting"),
    ],
    "run generate": ["run", "generate.toml", "--lang", "fi", "--sample", "4", "--out", "out"],
    "checklist run": ["checklist", "run", "suite.jsonl", "--reader", "ADAPTER", "--out", "out"],
}


UPDATE = "index update"  # of the indexes that two other commands build
GENERATE = "run generate"  # with a chat service


class Worker:
    """The process whose forks run commands."""

    def __init__(self, folder: Path, tiny: Path) -> None:
        self.log = (folder / "worker.log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{STAGES.rpartition('.')[0]}.worker"],
            cwd=folder,
            env={
                **os.environ,
                "OMP_NUM_THREADS": "1",
                "TOKENIZERS_PARALLELISM": "false",
                "PYTHONPATH": str(ROOT),
                "XORQA_TEST_TINY": str(tiny),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )

    def run(self, folder: Path, name: str, adapter: Path, *, kill_at: int | None) -> dict[str, Any]:
        """Run a command in `folder`/work, with the home `folder`/home."""
        command = {
            "arguments": [str(adapter) if word == "ADAPTER" else word for word in COMMANDS[name]],
            "cwd": str(folder / "work"),
            "under": str(folder),
            "environment": {
                "XORQA_HOME": str(folder / "home"),
                "COLUMNS": "100",
                "NO_PROXY": "127.0.0.1",
            },
            "kill_at": kill_at,
        }
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def close(self) -> None:
        self.process.communicate()
        self.log.close()


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory, tiny: Path) -> Iterator[Worker]:
    made = Worker(tmp_path_factory.mktemp("worker"), tiny)
    yield made
    made.close()


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, tiny: Path, tiny_adapter: Path) -> Path:
    """A folder with the files that the commands read."""
    folder = tmp_path_factory.mktemp("inputs")
    articles = [{"title": r, "paragraphs": [paragraph(r, at) for at in (1, 2)]} for r in RIVERS]
    write_json(folder / "train.json", {"data": articles})
    texts = [one["context"] for article in articles for one in article["paragraphs"]]
    rows = [{"docid": f"p{at}", "text": text, "lang": "en"} for at, text in enumerate(texts)]
    write_jsonl(folder / "rivers.jsonl", rows)
    changed = [{**row, "text": f"{row['text']} It is long."} for row in rows[3:6]]
    added = [{**row, "docid": f"new{at}"} for at, row in enumerate(rows[:12])]
    write_jsonl(folder / "new.jsonl", [*changed, *added])
    (folder / "gone.txt").write_text("p0\np7\n")
    (folder / "run.toml").write_text(f"""
        reader = {{ use = "span", adapter = "{tiny_adapter}", passages = 2 }}
        chooser = {{ use = "rule" }}
        k = 4

        [[routes]]
        name = "eng"
        translator = {{ use = "human" }}
        retriever = {{ use = "bm25" }}

        [[routes]]
        name = "target"
        corpus = "target"
        retriever = {{ use = "{STAGES}:TinyDense" }}
    """)
    (folder / "reader.toml").write_text(f"""
        [reader]
        base = "{tiny}"
        questions = 22
        validation = 4
        batch_size = 4
        max_tokens = 96
        rank = 2
        alpha = 4
        dtype = "float32"

        [reader.schedule]
        learning_rate = 1e-2
        log_every = 3
        checkpoint_seconds = 0
        validate_every = 2

        [[reader.sources]]
        files = ["./train.json"]
        held_out = 0.3
        first_offsets = true
    """)
    cases = [
        {
            "id": f"en/test/{at:03}",
            "lang": "en",
            "test": "test",
            "capability": "Taxonomy",
            "type": "MFT",
            "articles": [],
            "examples": [{"context": text, "question": "How long?", "answers": ["107 km"]}],
        }
        for at, text in enumerate(texts[:6])
    ]
    write_jsonl(folder / "suite.jsonl", cases)
    return folder


def fresh(inputs: Path, folder: Path) -> Path:
    """A folder with the inputs and an empty home."""
    shutil.copytree(inputs, folder / "work")
    (folder / "home").mkdir()
    return folder


def results(folder: Path) -> dict[str, Any]:
    """What a command left, without times: path to content."""
    return {
        str(path.relative_to(folder)): content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "stages.sqlite" not in path.name
    }


def content(path: Path) -> Any:
    if path.name in OWN:
        return path.name
    if path.suffix == ".json":
        return without_times(json.loads(path.read_text("utf-8")))
    if path.suffix == ".jsonl":
        return [without_times(json.loads(line)) for line in path.read_text("utf-8").splitlines()]
    if path.suffix == ".safetensors":
        return tensors(path)
    return path.read_bytes()


def tensors(path: Path) -> Any:
    from safetensors import safe_open

    with safe_open(path, framework="np") as stream:
        card = json.loads(stream.metadata().get("card", "{}"))
        values = {name: stream.get_tensor(name).tobytes() for name in sorted(stream.keys())}
    return without_times(card), values


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(one) for key, one in value.items() if key not in TIMES}
    return [without_times(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in (UPDATE, GENERATE)])
def test_a_killed_command_resumes_to_the_same_results(
    worker: Worker,
    inputs: Path,
    tiny_adapter: Path,
    tmp_path: Path,
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = fresh(inputs, tmp_path / "whole")
    done = worker.run(whole, name, tiny_adapter, kill_at=None)
    assert done["status"] == 0, done["printed"]
    expected, rng = results(whole), random.Random(f"{SEED} {name}")
    moments = done["moments"]
    assert moments > 3
    for kill in range(KILLS):
        folder = fresh(inputs, tmp_path / "killed")
        at = rng.randrange(moments) if moments < KILLS else moments * kill // KILLS
        at = min(moments - 1, at + rng.randrange(max(1, moments // KILLS)))
        killed = worker.run(folder, name, tiny_adapter, kill_at=at)
        assert killed["status"] == -signal.SIGKILL, (at, killed["printed"])
        resumed = worker.run(folder, name, tiny_adapter, kill_at=None)
        assert resumed["status"] == 0, (at, resumed["printed"])
        assert results(folder) == expected, f"killed at moment {at} of {moments}"
        shutil.rmtree(folder)
    with capsys.disabled():
        if KILLS > 5:
            print(f"\n{name}: {KILLS} kills at {moments} moments, all resumed to the same results")


def test_a_killed_update_leaves_indexes_as_before_or_as_after(
    worker: Worker,
    inputs: Path,
    tiny_adapter: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = tmp_path / "before"
    shutil.copytree(inputs, before / "work")
    (before / "home").mkdir()
    for name in ("index", "index bm25"):
        assert worker.run(before, name, tiny_adapter, kill_at=None)["status"] == 0
    after = tmp_path / "after"
    shutil.copytree(before, after)
    done = worker.run(after, UPDATE, tiny_adapter, kill_at=None)
    assert done["status"] == 0, done["printed"]
    expected, states = results(after), [opened(before), opened(after)]
    assert states[0] != states[1]
    seen, rng = set(), random.Random(f"{SEED} {UPDATE}")
    for _ in range(KILLS):
        folder = tmp_path / "killed"
        shutil.copytree(before, folder)
        at = rng.randrange(done["moments"])
        killed = worker.run(folder, UPDATE, tiny_adapter, kill_at=at)
        assert killed["status"] == -signal.SIGKILL, (at, killed["printed"])
        state = opened(folder)
        assert state in states, f"killed at moment {at}"
        seen.add(states.index(state))
        resumed = worker.run(folder, UPDATE, tiny_adapter, kill_at=None)
        assert resumed["status"] == 0, (at, resumed["printed"])
        assert results(folder) == expected, f"killed at moment {at} of {done['moments']}"
        shutil.rmtree(folder)
    assert 0 in seen
    with capsys.disabled():
        if KILLS > 5:
            print(f"\n{UPDATE}: {KILLS} kills at {done['moments']} moments, as before or after")


def test_a_killed_generation_asks_nothing_twice(
    worker: Worker,
    inputs: Path,
    tiny_adapter: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Only the reply that was on its way when the kill came can be asked for again."""

    def go(folder: Path, *, kill_at: int | None = None) -> tuple[dict[str, Any], list[str]]:
        """The worker's answer, and the questions that it asked the service."""
        service.requests.clear()
        return worker.run(folder, GENERATE, tiny_adapter, kill_at=kill_at), service.asked

    with serving() as service:
        service.replies = [scripted]
        config = tmp_path / "generate.toml"
        config.write_text(GENERATING.format(url=service.url))
        whole = with_config(config, fresh(inputs, tmp_path / "whole"))
        done, questions = go(whole)
        assert done["status"] == 0, done["printed"]
        assert len(questions) == len(set(questions)) == 4
        expected, midway = results(whole), 0
        moments = [at + after for at in done["commits"] for after in (0, 1)]
        for kill in range(KILLS):
            at = moments[len(moments) * kill // KILLS]
            folder = with_config(config, fresh(inputs, tmp_path / "killed"))
            killed, before = go(folder, kill_at=at)
            assert killed["status"] == -signal.SIGKILL, (at, killed["printed"])
            stored = replies_in(folder)
            assert len(before) - stored in (0, 1), f"killed at moment {at}"
            resumed, after = go(folder)
            assert resumed["status"] == 0, (at, resumed["printed"])
            assert after == questions[stored:], f"killed at moment {at}"
            left = results(folder)
            left.pop("work/.replies.jsonl.lock", None)  # the next run that adds replies breaks it
            assert left == expected, f"killed at moment {at} of {done['moments']}"
            midway += 0 < stored < len(questions)
            shutil.rmtree(folder)
    assert midway
    with capsys.disabled():
        if KILLS > 5:
            print(f"\n{GENERATE}: {KILLS} kills, {midway} between two replies, none asked twice")


GENERATING = """
    chooser = {{ use = "rule" }}
    k = 4

    [reader]
    use = "generate"
    endpoint = "{url}"
    model = "scripted"
    recorded = "replies.jsonl"

    [[routes]]
    name = "eng"
    translator = {{ use = "human" }}
    retriever = {{ use = "bm25" }}
"""


def scripted(message: str) -> str:
    """An answer that no model made, from the first passage."""
    [text, *_] = [row["text"] for row in json.loads(message)["passages"]]
    quote = " ".join(text.split()[:3])
    return json.dumps({"answer": quote, "citations": [{"passage": 1, "quote": quote}]})


def with_config(config: Path, folder: Path) -> Path:
    shutil.copy(config, folder / "work")
    return folder


def replies_in(folder: Path) -> int:
    """How many replies are in the stage cache: they alone are stored as strings."""
    [path] = folder.rglob("stages.sqlite")
    with closing(sqlite3.connect(path)) as db:
        values = [json.loads(value) for (value,) in db.execute("SELECT value FROM outputs")]
    return sum(isinstance(value, str) for value in values)


def opened(folder: Path) -> Any:
    """The passages in the file, and their positions in the vector index and docids by BM25."""
    corpus = read_corpus(folder / "work" / "rivers.jsonl")
    indexes = folder_of(corpus, folder / "home" / "indexes")
    dense = indexes / f"{STAGES}.TinyDense"
    for index in (dense, indexes / "bm25"):
        assert manifest.read(index)["corpus_sha"] == corpus.sha
        assert "have their sums" in manifest.verify(index)
    vectors = open_index(dense / "index.faiss", passages=len(corpus))
    by_position = row_vectors(vectors, np.argsort(row_positions(vectors))).round(3).tolist()
    query = Query(Question("q", "How long?", "en"), "How long is it?", "en")
    [hits] = Bm25(corpus=corpus, folder=indexes / "bm25").retrieve([query], k=50)
    return corpus.sha, by_position, [hit.passage.docid for hit in hits]
