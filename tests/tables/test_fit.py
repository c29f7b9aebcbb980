from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from xorqa.cli.show import print_grid, print_grids
from xorqa.tables.fit import fit, natural
from xorqa.tables.grid import Grid

LANGS = ("ar", "de", "en", "fi", "ja")
GRID = Grid(
    "F1",
    ("by", "group", *LANGS),
    (
        (("word", "what", *(f"{at}.0" for at in range(5))),),
        (("文字", "date or\nnumber", *(f"10{at}.5" for at in range(5))),),
    ),
    "Percent.",
    labels=2,
)
NUMBERS = [cell for group in GRID.rows for row in group for cell in row[2:]]


def scores(systems: int, langs: int) -> Grid:
    header = ("system", *(f"l{number}" for number in range(langs)), "macro")
    names = [f"bm25, {number} human translations" for number in range(systems)]
    rows = tuple((name, *["53.6"] * (langs + 1)) for name in names)
    return Grid("F1", header, (rows,), "Percent.")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """What is printed of tables on a terminal of some width, once all lines were measured."""

    def print_them(width: int, *grids: Grid, wide: bool = False) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        if len(grids) == 1:
            print_grid(*grids, wide=wide)
        else:
            print_grids(grids, wide=wide)
        out = capsys.readouterr().out
        assert wide or all(cell_len(line) <= width for line in out.splitlines())
        return out

    return print_them


@given(st.integers(0, 90))
def test_omitted_columns_are_named(width: int) -> None:
    layout = fit(GRID, width)
    names = layout.grid.header[layout.grid.labels :]
    every = LANGS if layout.grid.labels == 2 else ("what word", "date or number 文字")
    assert [*(" ".join(name.split()) for name in names), *layout.left_out] == [*every]
    assert names
    assert layout.width <= width or len(names) == 1
    if width >= 34:
        assert not layout.left_out


@pytest.mark.parametrize("width", [27, 36, 40, 58, 59])
def test_a_terminal_shows_every_figure_whole_in_one_table(width: int, shown) -> None:
    out = shown(width, GRID)
    assert "…" not in out
    assert sorted(NUMBERS) == sorted(cell for cell in out.split() if cell in NUMBERS)
    assert out.count("F1") == out.count("Percent.") == out.count("┏") == 1


def test_a_table_that_fits_is_not_changed() -> None:
    assert fit(GRID, 80) == natural(GRID)
    empty = Grid("none", ("by", "group"), (), labels=2)
    assert fit(empty, 80) == natural(empty)


def test_columns_become_rows_where_that_fits(shown) -> None:
    assert fit(scores(3, 7), 80).grid.header[0] == "system"
    turned = fit(scores(3, 12), 80)
    assert turned.grid.header[1] == "bm25, 0 human translations" and not turned.compact
    assert [row[0] for row in turned.grid.rows[0]] == [
        *(f"l{number}" for number in range(12)),
        "macro",
    ]
    assert shown(80, scores(3, 12)).count("53.6") == 3 * 13


def test_padding_goes_before_columns_do(shown) -> None:
    matrix = Grid("G-XLT", ("context", *["xx"] * 11), ((("xx", *["53.6"] * 11),) * 11,))
    assert fit(matrix, 80).compact
    assert shown(80, matrix).count("53.6") == 121


def test_columns_without_space_are_named_and_printed_by_wide(shown) -> None:
    grid = scores(20, 20)
    out = shown(80, grid)
    assert "Left out to fit 80 columns: " in out.replace("\n", " ")
    assert "--wide" in out
    whole = shown(80, grid, wide=True)
    assert whole.count("53.6") == 20 * 21 and whole.count("┏") == 1
    assert "Left out" not in whole


def test_tables_of_text_are_wrapped(shown) -> None:
    text = Grid("t", ("a", "b", "c"), ((("word " * 9, "word " * 20, "x"),),), labels=3)
    out = shown(60, text)
    assert out.count("word") == 29 and out.count("┏") == 1


def test_a_caption_that_tables_share_is_printed_once(shown) -> None:
    assert shown(80, scores(1, 1), scores(2, 1)).count("Percent.") == 1
    other = Grid("t", ("a",), ((("x",),),), "Other.")
    out = shown(80, scores(1, 1), other, scores(2, 1))
    assert out.count("Percent.") == 2 and out.count("Other.") == 1


def test_files_keep_the_caption_of_each_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_grids([scores(1, 1), scores(2, 1)], "markdown")
    assert capsys.readouterr().out.count("Percent.") == 2


def test_rows_that_a_caption_names_stay_rows(shown) -> None:
    langs = [f"l{number}" for number in range(9)]
    rows = tuple((lang, *["53.6"] * 9) for lang in langs)
    matrix = Grid("G-XLT", ("context of the question", *langs), (rows,), "Rows: contexts.")
    turned = {width for width in range(20, 120) if fit(matrix, width).grid.header[0] == ""}
    assert turned
    fixed = replace(matrix, fixed=True)
    assert {fit(fixed, width).grid.header[0] for width in turned} == {matrix.header[0]}
