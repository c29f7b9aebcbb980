"""Write how long each lesson takes to read, by one rule: `python notebooks/minutes.py`.

A minute for every 100 words of text, 10 lines of code, table, picture and prediction, rounded up
to five; exercises and claims do not count. It is written into each lesson's first cell, its
translations and the table of `docs/teaching.md`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from math import ceil
from pathlib import Path
from typing import Any

import nbformat
from versions import lessons, tags

TEACHING = Path(__file__).parents[1] / "docs" / "teaching.md"
TIME = re.compile(r"(\*\*Time:\*\* )(\d+)( minutes of reading, )(\d+)( of exercises)")
TRANSLATED = re.compile(r"(\*\*Time:\*\* )(\d+)( minutes .*?msgstr.*?)(?<!\d)\2(?!\d)", re.DOTALL)
HEADER = "| lessons | reading | exercises |\n|---|---|---|\n"
EXERCISE = re.compile(r"^#+ Exercise\b")
APART = {"exercise", "solution", "grade", "claim", "instructor"}


def measured(book: Any) -> float:
    """The minutes of an executed lesson."""
    words, minutes, exercise = 0, 0.0, False
    for cell in book.cells:
        if cell.cell_type == "markdown":
            for part in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
                exercise = bool(EXERCISE.match(part)) or (exercise and not part.startswith("#"))
                if not exercise:
                    words += len(re.findall(r"\w+", part))
                    minutes += part.count("**Predict first.**")
        elif not tags(cell) & APART:
            minutes += sum(bool(line.strip()) for line in cell.source.splitlines()) / 10
            minutes += any(
                {"image/png", "text/html"} & {*out.get("data", ())} for out in cell.outputs
            )
    return minutes + words / 100


def rounded(minutes: float) -> int:
    """Up to the next five."""
    return 5 * ceil(minutes / 5)


def table(stated: dict[str, tuple[int, int]]) -> str:
    """The rows of `docs/teaching.md`: the lessons of the same minutes in one."""
    alike = defaultdict(list)
    for name, minutes in stated.items():
        alike[minutes].append(name)
    rows = sorted(alike.items())
    return "".join(f"| {', '.join(names)} | {read} | {done} |\n" for (read, done), names in rows)


def main() -> None:
    """Write the minutes where they stand."""
    stated = {}
    for script in lessons():
        notebook = script.with_suffix(".ipynb")
        read = rounded(measured(nbformat.read(notebook, as_version=4)))
        for path in (script, notebook):
            text = path.read_text(encoding="utf-8")
            path.write_text(TIME.sub(rf"\g<1>{read}\3\4\5", text, count=1), encoding="utf-8")
        found = TIME.search(script.read_text(encoding="utf-8"))
        assert found, f"{script.name} does not say how long it takes"
        stated[script.stem.partition("_")[0]] = (read, int(found[4]))
        for translated in (script.parent / "languages").glob(f"*/{script.stem}.po"):
            text = translated.read_text(encoding="utf-8")
            text = TRANSLATED.sub(rf"\g<1>{read}\g<3>{read}", text, count=1)
            translated.write_text(text, encoding="utf-8")
    before, header, after = TEACHING.read_text(encoding="utf-8").partition(HEADER)
    page = before + header + table(stated) + re.sub(r"\A(\|.*\n)*", "", after)
    TEACHING.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
