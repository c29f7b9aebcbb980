import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lab.diagnosis.made_up import random_data
from tests.lab.leaderboard.systems import write_system
from xorqa.io.files import csv_text, quote_cell, unquote_cell
from xorqa.lab.building.write import table
from xorqa.lab.diagnosis.diagnosis import diagnose_data
from xorqa.lab.diagnosis.report import to_csv as diagnosis_csv
from xorqa.lab.leaderboard.entries import read_systems
from xorqa.lab.leaderboard.leaderboard import make_leaderboard, to_csv
from xorqa.metrics.significance import Settings
from xorqa.tables.grid import Grid
from xorqa.tables.render import render


@pytest.mark.parametrize(
    "text",
    ["=1+2", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "-", "-1+1"],
)
def test_a_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert quote_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["-0.5", "+12", "-1,234.5", "-.5", "1e-05", "-2.0 (24)", "-3 %", "a=b", "", "'s", "–"]
)
def test_numbers_and_other_texts_are_not(text: str) -> None:
    assert quote_cell(text) == text


@given(st.text(st.sampled_from("'=+-@\t\r1.a")))
def test_a_quoted_cell_is_read_as_it_was(text: str) -> None:
    assert unquote_cell(quote_cell(text)) == text


HOSTILE = (
    "\r=1+1",
    "x\r=1+1",
    "\r",
    "a\rb",
    "a\r\n=b",
    "\n=1",
    '"\r"',
    ",\r,",
    "x\x0b=1",
    "x\x85=1",
)


def rows(text: str, delimiter: str = ",") -> list[list[str]]:
    """The rows as a spreadsheet reads them, for which each kind of line end ends a row."""
    return list(
        csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)
    )


def of_grid(cell: str) -> list[list[str]]:
    grid = Grid("t", ("a", "b"), (((cell, "1"), ("x", "2")),), "c")
    return rows(render(grid, "csv"))


def of_diagnosis(cell: str) -> list[list[str]]:
    data = random_data(4)
    systems = {cell: next(iter(data.systems.values()))}
    done = diagnose_data(
        replace(data, systems=systems), by=["language"], settings=Settings(samples=5)
    )
    found = rows(diagnosis_csv(done))
    assert len(found) == 1 + len(done.rows())
    return found


def of_leaderboard(cell: str) -> list[list[str]]:
    with TemporaryDirectory() as folder:
        write_system(Path(folder, "a"), 0.5)
        [system], _ = read_systems(Path(folder))
    system = replace(system, metadata=replace(system.metadata, notes=cell))
    return rows(to_csv(make_leaderboard([system], (), Settings(samples=5))))


WRITERS: dict[str, Callable[[str], list[list[str]]]] = {
    "csv_text": lambda cell: rows(csv_text([[quote_cell(cell), "1"], ["x", "2"]])),
    "tables": of_grid,
    "building": lambda cell: rows(table([[cell, "1"], ["x", "2"]])),
    "export": lambda cell: rows(csv_text([[cell, "1"], ["x", "2"]], delimiter="\t"), "\t"),
    "diagnosis": of_diagnosis,
    "leaderboard": of_leaderboard,
}


@pytest.mark.parametrize("cell", HOSTILE)
@pytest.mark.parametrize("writer", WRITERS)
def test_no_cell_breaks_its_row_and_none_is_a_formula(writer: str, cell: str) -> None:
    found = WRITERS[writer](cell)
    assert len({len(row) for row in found}) == 1
    cells = {text for row in found for text in row}
    expected = cell if writer == "export" else quote_cell(cell)  # programs read that one
    assert expected in cells
    if writer != "export":
        assert not [text for text in cells if text.startswith(("=", "\r", "\n", "\t"))]


@given(st.lists(st.lists(st.text("\r\n\",\ta '"), min_size=2, max_size=2), max_size=4))
def test_rows_are_read_as_they_were_and_others_written_as_before(table: list[list[str]]) -> None:
    text = csv_text(table)
    assert rows(text) == table
    if not any("\r" in cell for row in table for cell in row):
        before = io.StringIO(newline="")
        csv.writer(before, lineterminator="\n").writerows(table)
        assert text == before.getvalue()
