import json
import platform
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest

from xorqa.core.errors import ConfigError, LockedError
from xorqa.core.stages import BaseRetriever
from xorqa.core.types import (
    Candidate,
    CandidateScores,
    Example,
    Gold,
    Hit,
    Passage,
    Query,
    Question,
    Span,
    Trace,
)
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.experiments.pipeline import Pipeline, Stop
from xorqa.experiments.run import run
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import Cache, NoCache
from xorqa.io.files import read_json, read_jsonl, write_json
from xorqa.io.locks import lock_folder
from xorqa.io.predictions import read_answers, read_passages
from xorqa.metrics.report import read_scores

RIVERS = 250
PASSAGES = [Passage(f"en-{at:03}", f"River {at} is {at + 100} km long.") for at in range(RIVERS)]
CORPUS = Corpus("rivers", PASSAGES)
FINNISH = Corpus("joet", [Passage("fi-1", "Kemijoki on 550 km pitkä.", lang="fi")])


def example(at: int) -> Example:
    text = PASSAGES[at].text
    start = text.index(str(at + 100))
    gold = Gold(str(at + 100), "en", PASSAGES[at].docid, Span(start, start + 3))
    question = Question(f"q{at}", f"Kuinka pitkä joki {at} on?", "fi")
    return Example(question, (gold, Gold(str(at + 100), "fi")), f"How long is river {at}?")


DATASET = Dataset("rivers", tuple(map(example, range(RIVERS))), {"en": CORPUS, "fi": FINNISH})
SMALL = replace(DATASET, examples=DATASET.examples[:4])


class Numbered(BaseRetriever):
    """Finds the passage whose number is in the query; it can be told to die."""

    version = 1
    asked: ClassVar[list[str]] = []
    die_after: ClassVar[int | None] = None

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def fingerprint(self) -> str:
        return self.corpus.sha

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        if self.die_after is not None and len(self.asked) >= self.die_after:
            raise KeyboardInterrupt
        self.asked.extend(query.text for query in queries)
        return [self._find(query.text)[:k] for query in queries]

    def _find(self, text: str) -> list[Hit]:
        number = int("".join(filter(str.isdigit, text)))
        passages = self.corpus.passages
        return [Hit(passages[(number + at) % len(passages)], 2.0 - at) for at in range(2)]


class Length:
    """Reads the word before "km"."""

    version = 1

    def fingerprint(self) -> str:
        return "length"

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        return [[_length(hit, rank) for rank, hit in enumerate(some)] for some in hits]


def _length(hit: Hit, rank: int) -> Candidate:
    text = hit.passage.text
    span = Span(text.index(" km") - 3, text.index(" km"))
    return Candidate(hit, rank, span, CandidateScores(-0.1, -float(rank)))


SETTINGS = PipelineSettings(
    (Route("eng", {"use": f"{__name__}:Numbered"}, {"use": "human"}),),
    name="numbered",
    reader={"use": f"{__name__}:Length"},
)


@pytest.fixture(autouse=True)
def _fresh(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Numbered.asked.clear()
    monkeypatch.setattr(Numbered, "die_after", None)


def strict(text: str) -> Any:
    """JSON without Python's Infinity and NaN, which other readers refuse."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    return json.loads(text, parse_constant=refuse)


def test_the_files_of_a_run(tmp_path: Path) -> None:
    out = tmp_path / "run"
    reports = run(SETTINGS, SMALL, out)
    assert sorted(path.name for path in out.iterdir()) == [
        "config.json",
        "manifest.json",
        "passages.jsonl",
        "per_question.jsonl",
        "qrels.txt",
        "queries.jsonl",
        "questions.jsonl",
        "run.trec",
        "scores.json",
        "spans.jsonl",
        "timings.json",
        "xor_engspan.json",
        "xor_full.json",
        "xor_retrieve.json",
    ]
    for path in out.iterdir():
        if path.suffix == ".json":
            strict(path.read_text(encoding="utf-8"))
        elif path.suffix == ".jsonl":
            assert [strict(line) for line in path.read_text().splitlines()]
    tasks = ("xor-retrieve", "xor-engspan", "xor-full")
    assert list(reports) == [(task, scorer) for task in tasks for scorer in ("official", "strict")]
    scores = read_json(out / "scores.json")
    assert list(scores) == [*tasks, "measures"]
    assert all(scores[t][scorer] == report.to_json() for (t, scorer), report in reports.items())
    questions = read_scores(out / "per_question.jsonl")
    assert list(questions) == list(reports)
    assert [score.qid for score in questions["xor-full", "strict"]] == ["q0", "q1", "q2", "q3"]
    assert reports["xor-retrieve", "official"].per_lang == {"fi": {"R@2kt": 100.0, "R@5kt": 100.0}}
    assert reports["xor-engspan", "official"].per_lang["fi"] == {"f1": 100.0, "em": 100.0}
    assert reports["xor-full", "official"].per_lang["fi"]["em"] == 100.0


def test_the_contents_of_the_files(tmp_path: Path) -> None:
    run(SETTINGS, SMALL, tmp_path)
    qids = [e.question.qid for e in SMALL.examples]
    rows = [row for _, row in read_jsonl(tmp_path / "queries.jsonl")]
    assert [row["qid"] for row in rows] == qids
    assert rows[1] == {
        "qid": "q1",
        "lang": "fi",
        "question": "Kuinka pitkä joki 1 on?",
        "queries": {"eng": "How long is river 1?"},
    }
    trec = (tmp_path / "run.trec").read_text().splitlines()
    assert trec[:3] == [
        "q0 Q0 en-000 1 2.0 eng",
        "q0 Q0 en-001 2 1.0 eng",
        "q1 Q0 en-001 1 2.0 eng",
    ]
    assert len(trec) == 2 * len(qids)
    ranked = read_passages(tmp_path / "xor_retrieve.json")
    assert list(ranked.by_qid) == qids
    assert ranked.by_qid["q2"] == (PASSAGES[2].text, PASSAGES[3].text)
    assert ranked.langs == dict.fromkeys(qids, "fi")
    for name in ("xor_engspan.json", "xor_full.json"):
        found = read_answers(tmp_path / name).by_qid
        assert found == {qid: str(100 + at) for at, qid in enumerate(qids)}
    spans = [row for _, row in read_jsonl(tmp_path / "spans.jsonl")]
    assert [c["docid"] for c in spans[3]["candidates"]] == ["en-003", "en-004"]
    about = read_json(tmp_path / "manifest.json")
    assert about["finished"] is True
    assert about["corpora"] == {"en": CORPUS.sha, "fi": FINNISH.sha}
    assert {"xorqa", "torch", "transformers"} <= set(about["versions"])
    age = datetime.now(UTC) - datetime.fromisoformat(about["date"])
    assert timedelta() <= age < timedelta(minutes=10)
    assert set(about["host"]) >= {"system", "machine", "cores"}
    assert platform.node() not in about["host"].values()
    assert about["commit"] is None or re.fullmatch(r"[0-9a-f]{40}(\+changes)?", about["commit"])
    assert read_json(tmp_path / "config.json")["name"] == "numbered"
    stages = {"eng.translate", "eng.index", "eng.retrieve", "eng.read", "answer"}
    assert set(read_json(tmp_path / "timings.json")) == stages


@pytest.mark.parametrize(
    ("until", "tasks"),
    [(Stop.RETRIEVE, ["xor-retrieve"]), (Stop.READ, ["xor-retrieve", "xor-engspan"])],
)
def test_a_run_that_stops_earlier(tmp_path: Path, until: Stop, tasks: list[str]) -> None:
    reports = run(SETTINGS, SMALL, tmp_path, until=until)
    assert [task for task, scorer in reports if scorer == "official"] == tasks
    official = {path.stem.replace("_", "-") for path in tmp_path.glob("xor_*.json")}
    assert official == set(tasks)
    assert (tmp_path / "spans.jsonl").exists() == (until is Stop.READ)
    assert read_json(tmp_path / "manifest.json")["until"] == str(until)


def test_the_same_run_can_be_repeated(tmp_path: Path) -> None:
    run(SETTINGS, SMALL, tmp_path)
    unchanged = ("run.trec", "scores.json", "spans.jsonl", "xor_full.json")
    before = {name: (tmp_path / name).read_bytes() for name in unchanged}
    manifest = read_json(tmp_path / "manifest.json")
    run(SETTINGS, SMALL, tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in unchanged} == before
    again = read_json(tmp_path / "manifest.json")
    assert again["date"] >= manifest["date"]
    assert again | {"date": manifest["date"]} == manifest


@pytest.mark.parametrize(
    ("settings", "dataset", "until"),
    [
        (replace(SETTINGS, k=1), SMALL, Stop.FULL),
        (SETTINGS, replace(SMALL, examples=SMALL.examples[:3]), Stop.FULL),
        (SETTINGS, replace(SMALL, corpora={"en": CORPUS}), Stop.FULL),
        (SETTINGS, SMALL, Stop.READ),
    ],
)
def test_a_folder_with_another_run_is_left_alone(
    tmp_path: Path, settings: PipelineSettings, dataset: Dataset, until: Stop
) -> None:
    run(SETTINGS, SMALL, tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    with pytest.raises(ConfigError, match="run contains another run; name another folder"):
        run(settings, dataset, tmp_path / "run", until=until)
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


@pytest.mark.parametrize("manifest", ['{"kind": "bm25"}', "[]"])
def test_a_folder_with_another_manifest_is_left_alone(tmp_path: Path, manifest: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(ConfigError, match="contains another run"):
        run(SETTINGS, SMALL, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["manifest.json"]
    assert (tmp_path / "manifest.json").read_text() == manifest


def test_a_config_that_cannot_be_used_writes_nothing(tmp_path: Path) -> None:
    bad = replace(SETTINGS, reader={"use": "spam"})
    with pytest.raises(ConfigError, match="no reader is called 'spam'"):
        run(bad, SMALL, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_killed_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Numbered, "die_after", 240)
    with pytest.raises(KeyboardInterrupt):
        run(SETTINGS, DATASET, tmp_path / "killed")
    assert len(Numbered.asked) == 240
    assert read_json(tmp_path / "killed" / "manifest.json")["finished"] is False
    assert not (tmp_path / "killed" / "scores.json").exists()

    monkeypatch.setattr(Numbered, "die_after", None)
    Numbered.asked.clear()
    reports = run(SETTINGS, DATASET, tmp_path / "killed")
    assert Numbered.asked == [f"How long is river {at}?" for at in range(240, RIVERS)]
    assert read_json(tmp_path / "killed" / "manifest.json")["finished"] is True
    assert reports["xor-full", "official"].n == {"fi": RIVERS}
    assert len(read_passages(tmp_path / "killed" / "xor_retrieve.json").by_qid) == RIVERS


def test_a_run_that_never_finished_gives_its_folder_to_a_corrected_config(tmp_path: Path) -> None:
    write_json(tmp_path / "manifest.json", {"run": "of a wrong config", "finished": False})
    run(SETTINGS, SMALL, tmp_path)
    assert read_json(tmp_path / "manifest.json")["finished"] is True


def test_subsets_are_reported_with_the_scores(tmp_path: Path) -> None:
    places = ("en", "target", "en", None)
    parted = [replace(e, answered_in=at) for e, at in zip(SMALL.examples, places, strict=True)]
    dataset = replace(SMALL, examples=tuple(parted))
    reports = run(SETTINGS, dataset, tmp_path, levels={"q0": "easy"})
    full = reports["xor-full", "strict"]
    assert {name: dict(part.n) for name, part in full.subsets.items()} == {
        "cross-lingual": {"fi": 2},
        "in-language": {"fi": 1},
        "easy": {"fi": 1},
    }
    assert reports["xor-retrieve", "official"].n == {"fi": 3}
    assert read_json(tmp_path / "scores.json")["xor-full"]["strict"]["parts"] == {
        name: part.to_json() for name, part in full.subsets.items()
    }


def test_two_runs_cannot_share_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with lock_folder(out, "run folder"):
        with pytest.raises(LockedError, match=r"run folder .*run is being written by process"):
            run(SETTINGS, SMALL, out)
        assert [path.name for path in out.iterdir()] == [".lock"]
    out.mkdir()
    (out / ".run.trec.a1b2c3d4.tmp").write_text("left by a killed run")
    run(SETTINGS, SMALL, out)
    assert not list(out.glob(".*"))


def composed(**options: Any) -> Pipeline:
    return Pipeline.from_config(SETTINGS, SMALL.corpora, **options)


def test_a_composed_pipeline_keeps_its_cache_translations_and_progress(tmp_path: Path) -> None:
    cache, calls = Cache(tmp_path / "own" / "stages"), []
    pipeline = composed(
        cache=cache,
        translations={"q0": "River 7?", "q1": "River 1?", "q2": "River 2?", "q3": "River 3?"},
        progress=lambda *row: calls.append(row),
    )
    run(pipeline, SMALL, tmp_path / "run")
    assert Numbered.asked == ["River 7?", "River 1?", "River 2?", "River 3?"]
    assert ("eng: read", 4, 4) in calls and cache.path.is_file()
    Numbered.asked.clear()
    pipeline.answer([example.question for example in SMALL.examples])
    assert Numbered.asked == []  # the run's results are in the pipeline's own cache
    Numbered.asked.clear()
    run(SETTINGS, SMALL, tmp_path / "settings")  # which uses the cache of all runs
    assert len(Numbered.asked) == 4


def test_a_composed_pipeline_itself_answers(tmp_path: Path) -> None:
    class Watched(Pipeline):
        answered = 0

        def answer(self, questions: Sequence[Question], **options: Any) -> list[Trace]:
            self.answered += len(questions)
            return super().answer(questions, **options)

    options = {"cache": NoCache(), "translations": SMALL.translations}
    pipeline = Watched.from_config(SETTINGS, SMALL.corpora, **options)
    run(pipeline, SMALL, tmp_path)
    assert pipeline.answered == 4


def test_a_composed_pipeline_without_cache_resumes_with_that_of_all_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Pipeline.from_config(SETTINGS, DATASET.corpora)
    monkeypatch.setattr(Numbered, "die_after", 240)
    with pytest.raises(KeyboardInterrupt):
        run(pipeline, DATASET, tmp_path)
    monkeypatch.setattr(Numbered, "die_after", None)
    Numbered.asked.clear()
    run(pipeline, DATASET, tmp_path)
    assert len(Numbered.asked) == RIVERS - 240
    assert (pipeline.cache, pipeline.translations) == (None, None)


def test_rankings_are_scored_by_gold_passages_when_asked_for(tmp_path: Path) -> None:
    plain = run(SETTINGS, SMALL, tmp_path / "plain", until="retrieve")
    scored = run(SETTINGS, SMALL, tmp_path / "scored", until="retrieve", rankings=["nDCG@10"])
    assert scored.keys() - plain.keys() == {("ranking", "official"), ("ranking", "strict")}
    assert scored["ranking", "strict"].per_lang == {"fi": {"nDCG@10": 100.0}}
    with pytest.raises(ConfigError, match="no measure is called 'nDGC'"):
        run(SETTINGS, SMALL, tmp_path / "typo", rankings=["nDGC"])
    assert not (tmp_path / "typo").exists()
