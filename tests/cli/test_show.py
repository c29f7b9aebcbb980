import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from xorqa.cli.options import Format
from xorqa.cli.show import print_grid
from xorqa.core.errors import ConfigError
from xorqa.tables.grid import Grid
from xorqa.tables.render import FORMATS, render

GRID = Grid(
    "Who finds it?",
    ("system", "metric", "fi", "macro"),
    (
        (("bm25", "f1", "9.5", "10.0"), ("bm25", "em", "–", "–")),
        (("[bold]", "f1", "1.0", "100.0"),),
    ),
    "Percent. Scorer: xor-full (strict, nrefs:1|case:mixed|tok:13a).",
    labels=2,
)


def test_a_terminal_gets_a_ruled_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    print_grid(GRID)
    title, *table = capsys.readouterr().out.splitlines()
    assert title.rstrip() == GRID.title
    assert table == [
        "┏━━━━━━━━┳━━━━━━━━┳━━━━━┳━━━━━━━┓",
        "┃ system ┃ metric ┃  fi ┃ macro ┃",
        "┡━━━━━━━━╇━━━━━━━━╇━━━━━╇━━━━━━━┩",
        "│ bm25   │ f1     │ 9.5 │  10.0 │",
        "│        │ em     │   – │     – │",
        "├────────┼────────┼─────┼───────┤",
        "│ [bold] │ f1     │ 1.0 │ 100.0 │",
        "└────────┴────────┴─────┴───────┘",
        GRID.caption,
    ]


@pytest.mark.parametrize("format", FORMATS)
def test_other_formats_are_printed_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    print_grid(GRID, format)
    assert capsys.readouterr().out == render(GRID, format)


def test_the_option_offers_every_format() -> None:
    literal, _ = get_args(Format)
    assert get_args(literal) == ("terminal", *FORMATS)
    with pytest.raises(ConfigError, match="'pdf'"):
        print_grid(GRID, "pdf")


def test_a_run_leaves_nothing_but_tables_on_standard_output(
    xorqa: Callable[..., Any], config: Path
) -> None:
    command = ("run", config, "--lang", "fi", "--until", "retrieve")
    outcome = xorqa(*command, "--format", "csv")
    assert outcome.status == 0
    assert "run folder: " in outcome.err
    scores, parts = outcome.out.rstrip().split("\n\n")
    rows = list(csv.DictReader(scores.splitlines()))
    assert [row["metric"] for row in rows] == ["R@2kt", "R@5kt"]
    assert {row["subset"] for row in csv.DictReader(parts.splitlines())} == {"cross-lingual"}
    shown = xorqa(*command).out
    assert "run folder: " in shown
    assert all(f"│ {row['fi'].rjust(5)} │ {row['macro'].rjust(5)} │" in shown for row in rows)
