"""The Python interface: the shortest answer, composed pipelines, live objects, saved runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import xorqa
from xorqa import Bm25, Dense, Hit, Hybrid, Passage, Pipeline, Query, Question, Route, SpanReader
from xorqa.core.errors import ConfigError, DataError
from xorqa.core.registry import build, described, table_of
from xorqa.core.stages import BaseRetriever
from xorqa.experiments.settings import PipelineSettings, load_settings
from xorqa.io.files import read_json
from xorqa.lab.common.saved_run import open_run
from xorqa.metrics.report import Score, write_scores

RIVERS = ["The Nile is a river in Africa.", "The Rhine is a river in Europe."]


class ByLength(BaseRetriever):
    """A retriever of a user's own: the longest passages it was given, whatever the query."""

    version = 1

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = sorted(passages, key=lambda passage: -len(passage.text))

    def fingerprint(self) -> str:
        return f"{len(self.passages)} passages"

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        hits = [Hit(passage, float(len(passage.text))) for passage in self.passages]
        return [hits[:k] for _ in queries]


@pytest.fixture
def reader(tiny_adapter: Path) -> SpanReader:
    return SpanReader(adapter=str(tiny_adapter), passages=2)


def test_the_shortest_answer() -> None:
    trace = xorqa.ask("Where is the Nile?", RIVERS, config=tiny_config())
    assert trace.question.lang == "en"
    assert trace.answer is not None and trace.evidence is not None
    assert trace.answer.text in trace.evidence.text
    assert trace.by_route["pool"].hits[0].passage.docid == "1"


def tiny_config() -> PipelineSettings:
    return PipelineSettings((Route("eng", Bm25()),), reader=SpanReader(passages=1))


def test_ask_takes_passages_and_refuses_none() -> None:
    passage = Passage("nile", RIVERS[0], title="Nile")
    trace = xorqa.ask("Where is the Nile?", [passage], lang="en", config=tiny_config())
    assert trace.evidence == passage
    with pytest.raises(DataError, match="needs at least one passage"):
        xorqa.ask("Where?", [], config=tiny_config())


def test_a_composed_pipeline_is_its_config(
    tmp_path: Path, tiny: Path, tiny_adapter: Path, reader: SpanReader
) -> None:
    world = xorqa.load_dataset("mini").only(["fi"])
    composed = Pipeline(
        [Route("eng", Hybrid([Bm25(k1=1.2), Dense(str(tiny))]), "human")],
        world.corpora,
        reader=reader,
        chooser="rule",
        k=5,
        translations=world.translations,
        indexes=tmp_path / "composed",
    )
    file = tmp_path / "same.toml"
    file.write_text(
        f"""
        name = "experiment"
        k = 5
        reader = {{ use = "span", adapter = "{tiny_adapter}", passages = 2 }}
        chooser = {{ use = "rule" }}
        [[routes]]
        name = "eng"
        translator = {{ use = "human" }}
        retriever = {{ use = "hybrid", parts = [
            {{ use = "bm25", k1 = 1.2 }}, {{ use = "dense", encoder = "{tiny}" }}] }}
        """
    )
    configured = Pipeline.from_config(
        file, world.corpora, translations=world.translations, indexes=tmp_path / "configured"
    )
    assert composed.settings == configured.settings
    questions = [example.question for example in world.examples[:2]]
    ours, theirs = composed.answer(questions), configured.answer(questions)
    assert [t.answer for t in ours] == [t.answer for t in theirs]
    folders = [
        sorted(p.relative_to(root) for p in root.rglob("manifest.json"))
        for root in (composed.indexes, configured.indexes)
    ]
    assert folders[0] == folders[1] != []


def test_a_live_object_needs_no_import_path(tmp_path: Path, reader: SpanReader) -> None:
    world = xorqa.load_dataset("mini").only(["fi"]).sample(8)
    english = world.corpora["en"]
    route = Route("eng", ByLength(english.passages), "human")
    pipeline = Pipeline([route], world.corpora, reader=reader, chooser="rule", k=2)
    reports = xorqa.run(pipeline, world, tmp_path / "run")
    assert reports["xor-retrieve", "official"].n
    saved = read_json(tmp_path / "run" / "config.json")
    assert saved["routes"][0]["retriever"] == {"use": f"{__name__}:ByLength"}
    with pytest.raises(ConfigError, match="--trust"):
        open_run(tmp_path / "run")
    assert len(open_run(tmp_path / "run", trust=True).answers) == 8
    other = replace(route, retriever=ByLength(english.passages[:9]))
    with pytest.raises(ConfigError, match="contains another run"):
        xorqa.run(
            Pipeline([other], world.corpora, reader=reader, chooser="rule", k=2),
            world,
            tmp_path / "run",
        )


def test_runs_are_compared(tmp_path: Path, tiny_adapter: Path) -> None:
    settings = load_settings("bm25", changes=[f'reader.adapter="{tiny_adapter}"', "chooser=rule"])
    world = xorqa.load_dataset("mini").only(["fi", "ko"]).sample(8)
    folders = [tmp_path / name for name in "ab"]
    for folder, k in zip(folders, (1, 9), strict=True):
        xorqa.run(replace(settings, k=k), world, folder, until="retrieve")
    compared = xorqa.compare(*folders)
    assert list(compared) == ["xor-retrieve"]
    assert {row.lang for row in compared["xor-retrieve"]} == {"fi", "ko", "macro"}
    with pytest.raises(ConfigError, match="needs two runs or more"):
        xorqa.compare(folders[0])


def test_a_comparison_prints_as_one_table(tmp_path: Path) -> None:
    folders = [str(tmp_path / name) for name in ("base", "better", "same")]
    for folder, wrong in zip(folders, (range(30), range(5), range(1, 30)), strict=True):
        scores = [Score(f"q{n}", "fi", {"f1": float(n not in wrong)}) for n in range(40)]
        scores += [Score(f"k{n}", "ko", {"f1": 0.5}) for n in range(4)]
        write_scores(Path(folder) / "per_question.jsonl", {("xor-full", "official"): scores})
    compared = xorqa.compare(*folders)
    assert compared.keys() == {"xor-full"}
    title, header, rule, *rows, caption = str(compared).splitlines()
    assert (title.split(), header.split()) == (["xor-full"], ["lang", "run", "F1"])
    assert set(rule) == {"─"}
    assert [row.split() for row in rows] == [
        ["fi", "a", folders[0], "25.0"],
        ["b", folders[1], "87.5ᵃ"],
        ["c", folders[2], "27.5"],
        ["ko", "a", folders[0], "50.0"],
        ["b", folders[1], "50.0"],
        ["c", folders[2], "50.0"],
        ["macro", "a", folders[0], "37.5"],
        ["b", folders[1], "68.8ᵃ"],
        ["c", folders[2], "38.8"],
    ]
    assert {row.rindex(".") for row in rows} == {rows[0].rindex(".")}
    assert "Scorer: official" in caption and "p of at most 0.05" in caption
    assert "<td" in compared._repr_html_() and "87.5ᵃ" in compared._repr_html_()


def test_traces_are_evaluated(reader: SpanReader) -> None:
    world = xorqa.load_dataset("mini").only(["fi"]).sample(8)
    pipeline = Pipeline(
        [Route("eng", Bm25(), "human")],
        world.corpora,
        reader=reader,
        translations=world.translations,
    )
    traces = pipeline.answer([example.question for example in world.examples])
    assert {task for task, _ in xorqa.evaluate(world, traces)} >= {"xor-retrieve", "xor-full"}


@pytest.mark.parametrize(
    ("stage", "table"),
    [
        ("bm25", {"use": "bm25"}),
        ({"use": "bm25", "b": 0.5}, {"use": "bm25", "b": 0.5}),
        (Bm25(), {"use": "bm25"}),
        (Bm25(k1=0.9, b=0.5), {"use": "bm25", "b": 0.5}),
        (Hybrid([Bm25()], depth=9), {"use": "hybrid", "parts": [{"use": "bm25"}], "depth": 9}),
    ],
)
def test_a_stage_as_a_config_has_it(stage: Any, table: dict[str, Any]) -> None:
    assert table_of("retriever", stage) == table


def test_live_objects_stay_themselves_and_are_described() -> None:
    live = ByLength([])
    table = table_of("retriever", Hybrid([Bm25(), live]))
    assert table["parts"][1]["use"] is live
    path = f"{__name__}:ByLength"
    assert described(table)["parts"] == [{"use": "bm25"}, {"use": path}]


@pytest.mark.parametrize("stage", [object(), 5, ByLength([])])
def test_an_object_without_the_methods_is_refused(stage: object) -> None:
    with pytest.raises(ConfigError, match=r"^\[reader\] .* is not a reader: it has no read"):
        table_of("reader", stage)


def test_a_class_is_named_and_an_object_takes_no_further_settings() -> None:
    assert table_of("retriever", Bm25) == {"use": "bm25"}
    assert table_of("retriever", ByLength) == {"use": f"{__name__}:ByLength"}
    with pytest.raises(ConfigError, match="ByLength is already built; it takes no depth"):
        build("retriever", {"use": ByLength([]), "depth": 9})


def test_a_retriever_without_a_corpus_says_so() -> None:
    with pytest.raises(ConfigError, match="Bm25 has no corpus yet; pass it to a Pipeline"):
        Bm25().retrieve([Query(Question("q", "Nile?", "en"), "Nile?", "en")], k=1)


def test_what_the_package_does_not_have() -> None:
    with pytest.raises(AttributeError, match="No xorqa attribute pipelines"):
        xorqa.pipelines  # noqa: B018
