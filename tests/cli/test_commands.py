"""The root of the command line: help in groups, without imports, and completion of names."""

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

import xorqa as package
from xorqa.cli import options as completion
from xorqa.cli.commands import PANELS, commands, load
from xorqa.cli.compare import p_text
from xorqa.cli.options import split_langs
from xorqa.lab.training.commands.recipes import recipe_names

ROOT = Path(__file__).parents[2]


def in_a_process(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    return done.stdout


def test_the_help_imports_no_command() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['xorqa', '--help']\n"
        "from xorqa.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(*sorted(sys.modules))"
    )
    *_, modules = in_a_process("-c", code).splitlines()
    loaded = set(modules.split())
    assert not loaded & {
        "numpy",
        "xorqa.experiments.pipeline",
        "xorqa.cli.ask",
        "xorqa.lab.training.commands.app",
    }


def test_each_command_has_a_line_of_help_in_its_panel(xorqa: Callable[..., Any]) -> None:
    out = xorqa("--help").out
    for name, (_, summary, panel, _) in commands().items():
        assert panel in PANELS
        assert f"─ {panel} ─" in out
        assert len(summary) <= 64
        assert any(name in line and summary in line for line in out.splitlines())


@pytest.mark.parametrize("name", commands())
def test_each_command_can_be_loaded(name: str) -> None:
    loaded = load(commands()[name])
    assert isinstance(loaded, typer.Typer) or inspect.getdoc(loaded)


def test_the_version(xorqa: Callable[..., Any]) -> None:
    assert xorqa("--version").out == f"xorqa {package.__version__}\n"


def test_names_are_completed() -> None:
    assert completion.configs("dense") == [
        "dense",
        "dense-late",
        "dense-ranked",
        "dense-translated",
    ]
    assert completion.datasets("m") == ["mini"]
    assert "reader-multi" in completion.readers("reader-m")
    assert "e5-small-q4" in completion.models("e5")
    assert "squad" in completion.publications("squ")
    assert "encoder-lareqa" in recipe_names("encoder-l")


def test_a_shell_completes_commands_and_configs() -> None:
    def complete(words: str) -> list[str]:
        variables = {"_XORQA_COMPLETE": "complete_bash", "COMP_WORDS": words}
        code = "import sys; sys.argv = ['xorqa']; from xorqa.cli.main import main; main()"
        at = str(len(words.split(" ")) - 1)
        return in_a_process("-c", code, **variables, COMP_CWORD=at).split()

    assert complete("xorqa tr") == ["translate", "train", "transform"]
    assert complete("xorqa run hyb") == ["hybrid", "hybrid-late", "hybrid-lucene"]


def test_languages_are_given_together_or_one_by_one() -> None:
    assert split_langs(["fi,ko", " te", "fi"]) == ["fi", "ko", "te"]
    assert split_langs(None) is split_langs([]) is None


@pytest.mark.parametrize(
    ("p", "text"), [(0.0504, "0.0504"), (0.0496, "0.05"), (0.05, "0.05"), (0.0123, "0.012")]
)
def test_a_p_is_printed_on_its_side_of_the_threshold(p: float, text: str) -> None:
    assert p_text(p, 0.05) == text
    assert (float(p_text(p, 0.05)) <= 0.05) == (p <= 0.05)


@pytest.mark.parametrize(("given", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_left_out_by_request(given: dict[str, str], coloured: bool) -> None:
    code = (
        "from xorqa.cli.show import print_grid; from xorqa.tables.grid import Grid; "
        "print_grid(Grid('t', ('a', 'b'), ((('x', '1.0'),),)))"
    )
    environment = {"FORCE_COLOR": "1", **given}
    assert ("\x1b[36m" in in_a_process("-c", code, **environment)) == coloured


def test_a_pipe_is_not_folded() -> None:
    code = "from xorqa.cli.show import console; console.print('word ' * 100)"
    assert len(in_a_process("-c", code).splitlines()) == 1
