"""Output shared by the commands: consoles, progress bars and tables."""

import json
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from rich import box
from rich.console import Console, ConsoleDimensions, ConsoleOptions, JustifyMethod, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ..core.errors import Notice
from ..core.progress import TaskProgress, displayed
from ..core.text.normalize import visible
from ..io.locks import waiting
from ..tables.fit import Layout, fit, natural
from ..tables.grid import Grid, Highlight
from ..tables.render import render

NUMBER, BEST_NUMBER = "cyan", "bold green"
UNLIMITED = 100_000  # columns


class LiteralConsole(Console):
    """Prints text literally, without markup, and makes control characters visible.

    Lines are as wide as the terminal or as COLUMNS; those into a file or a pipe are not folded.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False)

    @property
    def size(self) -> ConsoleDimensions:
        """The columns and lines to print in."""
        if self.is_terminal or os.environ.get("COLUMNS", "").isdigit():
            return super().size
        return ConsoleDimensions(UNLIMITED, super().size.height)

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def render_str(self, text: str, **options: Any) -> Text:
        """The text of a printed string, before Rich removes characters from it."""
        return super().render_str(visible(text), **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The segments of everything that Rich prints, including nested tables."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(visible(text), style)


console = LiteralConsole()
errors = LiteralConsole(stderr=True)


def progress() -> AbstractContextManager[TaskProgress]:
    """Progress bars on a terminal's standard error; on another, a line now and then."""
    return displayed(errors)


def waiting_if(wait: bool) -> AbstractContextManager[None]:
    """If `wait`, wait for locks within the block, and report each on standard error."""
    return waiting((lambda line: print_line(line, errors)) if wait else None)


def print_grid(
    grid: Grid, format: str = "terminal", *, wide: bool = False, light: bool = False
) -> None:
    """Print a table, fitted to the terminal's width unless `wide`, or in a file format.

    `light` leaves out title and frame. Captions are wrapped at words.

    Raises:
        ConfigError: for an unknown format.
    """
    if format != "terminal":
        print(visible(render(grid, format)), end="")
        return
    layout = natural(grid) if wide else fit(grid, console.width)
    if grid.title and not light:
        console.print(Text(grid.title, "table.title"))
    console.print(_table(layout, light=light), soft_wrap=wide)
    if names := ", ".join(layout.left_out):
        note = f"Left out to fit {console.width} columns: {names}; --wide prints everything."
        console.print(Text(note, "dim"))
    if grid.caption:
        console.print(Text(grid.caption, "dim"))


def print_grids(grids: Sequence[Grid], format: str = "terminal", *, wide: bool = False) -> None:
    """Print tables with an empty line after each; on a terminal, a shared caption only once."""
    for position, grid in enumerate(grids, 1):
        following = grids[position : position + 1]
        repeated = format == "terminal" and following and following[0].caption == grid.caption
        print_grid(replace(grid, caption="") if repeated else grid, format, wide=wide)
        print()


def _table(layout: Layout, *, light: bool) -> Table:
    grid = layout.grid
    if light:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    else:
        table = Table(width=layout.width)
    if layout.compact:
        table.padding = 0
    for position, (name, width) in enumerate(zip(grid.header, layout.widths, strict=True)):
        justify: JustifyMethod = "left" if position < grid.labels else "right"
        table.add_column(Text(visible(name)), justify=justify, width=width, overflow="fold")
    for group in grid.readable:
        for row in group:
            labels, numbers = row[: grid.labels], row[grid.labels :]
            styles = [BEST_NUMBER if isinstance(cell, Highlight) else NUMBER for cell in numbers]
            cells = map(Text, map(visible, numbers), styles)
            table.add_row(*map(Text, map(visible, labels)), *cells)
        table.add_section()
    return table


def print_line(line: str, stream: Console = console) -> None:
    """Print text as it is, however long."""
    stream.print(line, soft_wrap=True)


def print_message(label: str, colour: str, message: object) -> None:
    """Print a message to standard error after its coloured label, however long."""
    errors.print(Text.assemble((label, colour), visible(f" {message}")), soft_wrap=True)


def print_json(value: Any) -> None:
    """Print a JSON value on one line."""
    print(visible(json.dumps(value, ensure_ascii=False)))


@contextmanager
def counting_notices() -> Iterator[Counter[str]]:
    """The notices within the block, counted by kind, for a command's JSON; they are shown too."""
    counts: Counter[str] = Counter()
    show = warnings.showwarning

    def count(message: Warning | str, *args: Any, **options: Any) -> None:
        if isinstance(message, Notice) and message.kind:
            counts[message.kind] += message.count
        show(message, *args, **options)

    warnings.showwarning = count
    try:
        yield counts
    finally:
        warnings.showwarning = show


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name in one line: "ar 12, fi 7"."""
    return ", ".join(f"{name} {count}" for name, count in counts.items())
