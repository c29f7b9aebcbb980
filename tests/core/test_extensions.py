"""An installed package adds commands, stages, tasks and data sets by entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MODULE = '''
from xorqa.core.stages import BaseRetriever
from xorqa.datasets.mini.world import MINI
from xorqa.metrics.tasks.squad import SQUAD


class Nothing(BaseRetriever):
    """Finds nothing."""

    version = 1

    def fingerprint(self):
        return "nothing"

    def retrieve(self, queries, *, k):
        return [[] for _ in queries]


def greet(name: str = "you") -> None:
    """Greet somebody."""
    print(f"hello, {name}")
'''
POINTS = """
[xorqa.commands]
greet = added_package:greet
eval greet = added_package:greet
ask = added_package:greet

[xorqa.stages]
retriever.nothing = added_package:Nothing
retriever.bm25 = added_package:Nothing
retreiver.typo = added_package:Nothing
reader = added_package:Nothing

[xorqa.tasks]
quad = added_package:SQUAD

[xorqa.datasets]
small = added_package:MINI
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with `added_package`, as pip leaves one."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "added_package.py").write_text(MODULE, encoding="utf-8")
    about = folder / "added_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: added-package\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    return folder


def run(installed: Path, *arguments: str, stream: str = "stdout") -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": f"{installed}:{ROOT}", "COLUMNS": "120"},
    )
    return str(getattr(done, stream))


def test_its_commands_are_listed_and_run(installed: Path) -> None:
    out = run(installed, "-m", "xorqa", "--help")
    assert "─ Other packages ─" in out
    assert any("greet" in line and "added-package" in line for line in out.splitlines())
    assert "greet" in run(installed, "-m", "xorqa", "eval", "--help")
    assert run(installed, "-m", "xorqa", "greet", "--name", "Oulu") == "hello, Oulu\n"
    assert run(installed, "-m", "xorqa", "eval", "greet") == "hello, you\n"


def test_its_stages_tasks_and_data_sets_have_names(installed: Path) -> None:
    code = (
        "from xorqa.core.registry import build; from xorqa.metrics.registry import find_task; "
        "from xorqa.datasets.catalog import load_dataset; "
        "print(type(build('retriever', {'use': 'nothing'})).__name__, find_task('quad').name, "
        "len(load_dataset('small').examples))"
    )
    assert run(installed, "-c", code) == "Nothing squad 168\n"


def test_a_stage_without_a_role_is_reported_in_a_line(installed: Path) -> None:
    lines = run(
        installed, "-W", "always", "-c", "import xorqa.core.registry", stream="stderr"
    ).splitlines()
    roles = "chooser, localiser, ranker, reader, retriever, translator"
    assert [line.partition("Notice: ")[2] for line in lines if "Notice: " in line] == [
        f"the stage '{name}' (added_package:Nothing) is left out: its name must be a role and a "
        f"name, such as 'retriever.mine'; valid roles: {roles}"
        for name in ("retreiver.typo", "reader")
    ]


def test_names_of_the_road_stay_its_own(installed: Path) -> None:
    code = "from xorqa.core.registry import find; print(find('retriever', 'bm25').__module__)"
    assert run(installed, "-c", code) == "xorqa.retrieval.bm25\n"
    assert "Answer a question" in run(installed, "-m", "xorqa", "ask", "--help")
