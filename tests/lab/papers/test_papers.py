import runpy
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
from click import Group
from click.exceptions import ClickException

from xorqa.cli.main import app
from xorqa.lab.papers.paper import PAPERS, read_paper
from xorqa.lab.papers.printed import printed_tables

ROOT = Path(__file__).parents[3]
CITATIONS = tomllib.loads((ROOT / "tests" / "citations.toml").read_text("utf-8"))
ROWS = [(name, row) for name in PAPERS for row in read_paper(name).rows]
TABLES = [(name, place) for name in PAPERS for place in printed_tables(name)]
COMMANDS = sorted({line for _, row in ROWS for line in [*row.here, *row.full]})


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_parses(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "xorqa"
    command = typer.main.get_command(app)
    context = command.make_context("xorqa", words, resilient_parsing=False)
    while isinstance(command, Group):
        words = [*context.protected_args, *context.args]
        _, command, words = command.resolve_command(context, words)
        assert command is not None
        try:
            context = command.make_context(line, words, parent=context)
        except ClickException as error:
            pytest.fail(f"{line}: {error.format_message()}")


@pytest.mark.parametrize("name", PAPERS)
def test_places_of_rows_are_listed_with_their_paper(name: str) -> None:
    paper = read_paper(name)
    places = {place.lower() for place in CITATIONS[paper.title]["places"]}
    assert {row.place.lower() for row in paper.rows} <= places


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda value: getattr(value, "key", value))
def test_every_row_has_a_command_or_a_reason(name: str, row: object) -> None:
    assert row.here or row.full or row.reason


@pytest.mark.parametrize(("name", "place"), TABLES)
def test_printed_tables_are_rectangular_and_of_an_experiment(name: str, place: str) -> None:
    table = printed_tables(name)[place]
    assert {len(line) for line in table.lines} == {len(table.columns)}
    assert read_paper(name).find(place)


def test_the_pages_are_those_of_the_rows() -> None:
    write = runpy.run_path(str(ROOT / "docs" / "paper_pages.py"))
    for name in PAPERS:
        path = write["FOLDER"] / f"{name}.md"
        assert path.read_text("utf-8") == write["page"](read_paper(name)), (
            "run python docs/paper_pages.py"
        )
