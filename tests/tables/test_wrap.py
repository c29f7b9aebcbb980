import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.cli.show import print_grid
from xorqa.tables.grid import Grid
from xorqa.tables.wrap import wrap

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


@given(st.integers(0, 90))
def test_no_column_is_lost_and_labels_are_repeated(width: int) -> None:
    parts = wrap(GRID, width)
    assert [name for part in parts for name in part.header[2:]] == list(LANGS)
    for part in parts:
        assert part.header[:2] == ("by", "group")
        assert [[row[:2] for row in group] for group in part.rows] == [
            [row[:2] for row in group] for group in GRID.rows
        ]
    assert [part.caption for part in parts] == [""] * (len(parts) - 1) + ["Percent."]


@pytest.mark.parametrize("width", [27, 36, 40, 58, 59])
def test_a_terminal_shows_every_figure_whole(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for part in wrap(GRID, width):
        print_grid(part)
    out = capsys.readouterr().out
    assert "…" not in out
    assert all(cell in out for group in GRID.rows for row in group for cell in row[2:])


def test_what_fits_stays_as_it_is() -> None:
    assert wrap(GRID, 80) == [GRID]
    empty = Grid("none", ("by", "group"), (), labels=2)
    assert wrap(empty, 5) == [empty]
