"""The versions of a lesson, all made from its script.

    python notebooks/versions.py OUT          # OUT/student/*.ipynb and OUT/instructor/*.ipynb
                                              # with the package `lessons` beside each
    python notebooks/versions.py OUT 01 02    # of two lessons only

Tags of cells say what is whose. The notebook beside a script has the `exercise` cells (stubs) and,
folded, their `solution` cells and the `claim` cells. The student's version has the stubs alone.
The instructor's has the solutions, open, and the `instructor` cells, which are notes.
"""

from __future__ import annotations

import argparse
import base64
import copy
import mimetypes
import re
import shutil
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import jupytext
import nbformat

HERE = Path(__file__).parent
HELPERS = HERE / "lessons"
FOLDED = {"source_hidden": True, "outputs_hidden": True}
LEFT_OUT = {  # the tags of cells that a version does without
    "full": {"instructor"},
    "student": {"instructor", "solution", "claim"},
    "instructor": {"exercise", "claim"},
}
HIDDEN = {"solution", "claim"}  # the tags of cells that the full version folds
HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
IMAGE = re.compile(r"!\[([^]]*)\]\((?!\w+:)([^)]+)\)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the student's and the instructor's versions, without output."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("lessons", nargs="*", help="01, or a whole name; all of them by default")
    given = parser.parse_args(arguments)
    for script in select(given.lessons):
        for kind in ("student", "instructor"):
            path = given.out / kind / f"{script.stem}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(embed_images(read(script, kind), script.parent), path)
    for kind in ("student", "instructor"):
        copy_helpers(given.out / kind)
    print(f"written to {given.out / 'student'} and {given.out / 'instructor'}")
    return 0


def copy_helpers(folder: Path) -> None:
    """Copy the package `lessons`, which the lessons import, beside their notebooks."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HELPERS, folder / "lessons", ignore=ignored, dirs_exist_ok=True)


def lessons() -> list[Path]:
    """The scripts of all lessons, in order."""
    return sorted(HERE.glob("[0-9A][0-9]*_*.py"))


def select(names: Sequence[str]) -> list[Path]:
    """The scripts of the lessons whose names begin with one of `names`; all without names."""
    found = [script for script in lessons() if script.stem.startswith(tuple(names or [""]))]
    if not found:
        valid = ", ".join(script.stem for script in lessons())
        sys.exit(f"no lesson {' or '.join(names)}; valid: {valid}")
    return found


def read(script: Path, kind: str = "full") -> Any:
    """A version of a lesson without output: "full", "student" or "instructor"."""
    book = jupytext.read(script)
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    book.cells = [cell for cell in book.cells if not tags(cell) & LEFT_OUT[kind]]
    for at, cell in enumerate(book.cells):
        cell["id"] = f"cell-{at:02d}"
        if kind == "full" and tags(cell) & HIDDEN:
            cell.metadata["jupyter"] = dict(FOLDED)
    return book


def prose_free(book: Any) -> Any:
    """The notebook without its prose: headings, code, and what the exercises ask."""
    book, asked = copy.deepcopy(book), False
    for cell in book.cells:
        if cell.cell_type == "markdown":
            headings = HEADING.findall(cell.source)
            asked = "exercise" in headings[-1].lower() if headings else asked
            if not asked:
                cell.source = "\n\n".join(headings)
    book.cells = [cell for cell in book.cells if cell.source]
    return book


def tags(cell: Any) -> Collection[str]:
    """The tags of a cell."""
    return set(cell.metadata.get("tags", ()))


def embed_images(book: Any, folder: Path) -> Any:
    """The notebook with the images that its text links inside, so that it can go anywhere."""

    def embedded(link: re.Match[str]) -> str:
        path = folder / link[2]
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        return f"![{link[1]}](data:{mimetypes.guess_type(path)[0]};base64,{data})"

    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = IMAGE.sub(embedded, cell.source)
    return book


if __name__ == "__main__":
    sys.exit(main())
