"""Results of `xorqa backretrieval` beside Tables 1 and 2 of Backretrieval."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...io.files import read_json
from ...tables.grid import MISSING, Grid
from .printed import PrintedTable

Lines = tuple[tuple[str, ...], ...]

PARTS = ("correlation", "pairs")
"""Parts of printed tables: over encoders for two languages, or means over pairs of languages."""


def beside_results(table: PrintedTable, title: str, runs: Sequence[Path]) -> Grid:
    """The printed rows and those of `--json` files.

    Raises:
        DataError: if a file has no such results.
    """
    read = _correlation_rows if table.part == "correlation" else _pair_rows
    grid = table.grid(title, {})
    return replace(grid, rows=(*grid.rows, *(_rows(read, run) for run in runs)))


def _rows(read: Callable[[Path, Any], Lines], run: Path) -> Lines:
    values = read_json(run)
    try:
        return read(run, values)
    except (AttributeError, KeyError, TypeError) as error:
        need = "two languages and three encoders" if read is _correlation_rows else "--lang"
        raise DataError(
            f"{run} lacks {error}; needed is a --json file of xorqa backretrieval with {need}"
        ) from error


def _correlation_rows(run: Path, values: Mapping[str, Any]) -> Lines:
    """Pearson and Spearman of BkR and of CORR, with their errors over the samples."""
    rows = values["correlation"]
    cells = [
        _with_error(rows[measure][kind], rows[measure][f"{kind} error"])
        for kind in ("pearson", "spearman")
        for measure in ("BkR", "CORR")
    ]
    return ((f"{run} {values['source']}-{values['target']}", *cells),)


def _pair_rows(run: Path, values: Mapping[str, Any]) -> Lines:
    """BkR x 1000 of each encoder."""
    means = {"Random": values["random"]}
    means |= {name: row["BkR"]["mean"] for name, row in values["encoders"].items()}
    return tuple((f"{run} {name}", f"{1000 * mean:.1f}") for name, mean in means.items())


def _with_error(value: float, error: float | None) -> str:
    shown = MISSING if error is None else f"{error:.3f}".replace("0.", ".", 1)
    return f"{value:.2f}".replace("0.", ".", 1) + f" ± {shown}"
