"""Write docs/papers/ from the experiments and the printed tables: `python docs/paper_pages.py`."""

from collections.abc import Iterator
from pathlib import Path

from xorqa.lab.papers.paper import PAPERS, Experiment, PaperRows, read_paper
from xorqa.lab.papers.printed import PrintedTable, printed_tables

FOLDER = Path(__file__).with_name("papers")


def page(paper: PaperRows) -> str:
    """The page of a paper: a section per place, in the order of the text."""
    tables = printed_tables(paper.name)
    parts = [
        f"# {paper.title}",
        f"The experiments of [{paper.citation}]({paper.link}), with the commands that repeat them. "
        f"`xorqa paper {paper.name} PLACE RUN...` prints a table with your runs beside it. "
        "This page is written by docs/paper_pages.py.",
    ]
    for place in dict.fromkeys(row.place for row in paper.rows):
        rows = [row for row in paper.rows if row.place == place]
        parts += [f"## {place[0].upper()}{place[1:]}", *map("\n\n".join, map(_experiment, rows))]
        if (table := tables.get(rows[0].key)) is not None:
            parts.append(_printed(table))
    return "\n\n".join(parts) + "\n"


def _experiment(row: Experiment) -> Iterator[str]:
    yield f"{row.what}."
    for title, commands in (("Here", row.here), ("At full scale", row.full)):
        if commands:
            cost = f" ({row.cost})" if title != "Here" and row.cost else ""
            yield f"{title}{cost}:\n\n```sh\n" + "\n".join(commands) + "\n```"
    if row.ours:
        yield f"Ours: {row.ours}"
    if row.reason:
        yield row.reason


def _printed(table: PrintedTable) -> str:
    rule = ["---"] * table.labels + ["---:"] * (len(table.columns) - table.labels)
    lines = [table.columns, rule, *table.lines]
    grid = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    notes = " ".join(table.notes)
    return f"Printed: {table.title}.\n\n{grid}" + (f"\n\n{notes}" if notes else "")


def main() -> None:
    """Write every page."""
    FOLDER.mkdir(exist_ok=True)
    for name in PAPERS:
        (FOLDER / f"{name}.md").write_text(page(read_paper(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
