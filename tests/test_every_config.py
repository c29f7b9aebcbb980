"""Every bundled config answers questions of the bundled world, with tiny weights.

Configs are those of the package's folders `configs`, so that a new one is run here, too. What they
need from outside is stood in for: weights of the hub and of recipes, a cluster, a chat service, and
the files of `tests/lab/papers/made_up.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import xorqa as package
from tests.commands.tiny_home import tiny_home
from tests.commands.training_data import write_adapters_of_recipes
from tests.lab.papers.made_up import write_files_of_systems
from tests.translation.conftest import serving
from xorqa.datasets.mini import load as load_mini
from xorqa.experiments.settings import EXAMPLES
from xorqa.lab.papers.paper import PAPERS, read_paper
from xorqa.lab.training.common.recipe import RECIPES

REPLY = '{"answer": "1871", "right": true, "citations": [{"passage": 1, "quote": "1871"}]}'
ASKED = "fi"


def with_markers(name: str) -> object:
    """A parameter of the test below; Java runs for the configs that need it."""
    lucene = 'use = "lucene"' in EXAMPLES[name].read_text("utf-8")
    return pytest.param(name, marks=[pytest.mark.jvm] if lucene else [])


def test_all_configs_of_the_package_are_known() -> None:
    folder = Path(package.__file__).parent
    assert sorted(EXAMPLES.values()) == sorted(folder.rglob("configs/*.toml"))


@pytest.mark.parametrize("paper", PAPERS)
def test_rows_of_papers_name_configs_and_recipes_that_exist(paper: str) -> None:
    for row in read_paper(paper).rows:
        for line in (*row.here, *row.full):
            words = line.split()
            for verb, at, known in (("run", 2, EXAMPLES), ("train", 3, RECIPES)):
                if words[1] == verb and words[2] not in ("parallel", "lexicon"):
                    assert words[at] in known or words[at].endswith(".toml"), line


@dataclass(frozen=True, slots=True)
class World:
    """A folder to run configs in, its home, and the address of a scripted chat service."""

    folder: Path
    chat: str


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory, tiny: Path, tiny_adapter: Path, tiny_translator: Path
) -> Iterator[World]:
    """Everything that the configs name, in one folder."""
    folder = tmp_path_factory.mktemp("configs")
    with (
        tiny_home(folder, base=tiny, reader=tiny_adapter, translator=tiny_translator) as patch,
        serving() as chat,
    ):
        patch.setenv("NO_PROXY", "127.0.0.1")
        chat.replies = [REPLY]
        write_adapters_of_recipes(folder)
        write_files_of_systems(folder, load_mini())
        yield World(folder, chat.url)


@pytest.mark.slow
@pytest.mark.parametrize("name", [with_markers(name) for name in EXAMPLES])
def test_a_config_answers_questions(
    xorqa: Callable[..., Any],
    world: World,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.chdir(world.folder)
    monkeypatch.setenv("XORQA_HOME", str(world.folder / "home"))
    text = EXAMPLES[name].read_text("utf-8")
    if '"elastic"' in text:
        request.getfixturevalue("cluster")
    chat = [f"--set=reader.endpoint={world.chat}"] if '"generate"' in text else []
    outcome = xorqa("run", name, "--lang", ASKED, "--sample", 3, *chat, "--out", tmp_path / "run")
    assert outcome.status == 0, outcome.err
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["finished"]
    answers = json.loads((tmp_path / "run" / "xor_full.json").read_text("utf-8"))
    assert len(answers) == 3


@pytest.mark.slow
def test_tables_of_xor_full_beside_the_runs_of_its_systems(
    xorqa: Callable[..., Any], world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(world.folder)
    monkeypatch.setenv("XORQA_HOME", str(world.folder / "home"))
    monkeypatch.setattr("xorqa.lab.papers.commands.paper._lines", lambda row: [])
    systems = [("xor-full-gmt-gs-dpr", "target,eng"), ("xor-full-none-gs-mdpr", "eng")]
    runs = [tmp_path / name for name, _ in systems]
    for (name, routes), run in zip(systems, runs, strict=True):
        options = ("--routes", routes, "--lang", "ar,fi", "--sample", 1)
        assert xorqa("run", name, *options, "--out", run).status == 0
    printed = {
        (table, format): xorqa(
            *("paper", "xor-qa", table, *runs, "--format", format, "--json", "table.json")
        )
        for table in ("table-7", "table-15")
        for format in ("terminal", "csv", "latex")
    }
    assert {outcome.status for outcome in printed.values()} == {0}
    rows = [line.split(",") for line in printed["table-15", "csv"].out.splitlines()]
    [mine] = [row for row in rows if row[0] == str(runs[0])]
    assert mine[5] != "–" and mine[6] == "–" and mine[12] != "–"
    about = "mini, 2 questions in ar, fi, official scorer."
    for outcome in printed.values():
        assert about in " ".join(outcome.out.split())
    assert str(runs[1]) in printed["table-7", "latex"].out.replace("\\_", "_")
    [*_, table] = json.loads((world.folder / "table.json").read_text())
    scores = json.loads((runs[1] / "scores.json").read_text())["xor-full"]["official"]
    assert table["runs"][str(runs[1])]["fi"] == scores["per_lang"]["fi"]
