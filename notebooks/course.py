"""Zips to hand out, one for students and one for instructors: `make course`.

    python notebooks/course.py OUT

Each has the package as a wheel, the lessons without output, the same without their prose (in the
folder `plain`) and in other languages as far as they are translated, and the documentation; that of
instructors also has solutions, notes and slides.
"""

from __future__ import annotations

import argparse
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from predictions import sheet
from translations import in_language, languages, translated
from versions import copy_helpers, embed_images, lessons, prose_free, read

ROOT = Path(__file__).parents[1]
KINDS = ("student", "instructor")
PLAIN = "plain"
LINK = re.compile(r"\]\((?!\w+:|#)([^)]+)\)")
README = """# A course on cross-lingual open-retrieval question answering

Python 3.11 or later, 8 GB of memory, 5 GB of disk. With a network, once, in this folder:

    python -m venv .venv
    . .venv/bin/activate
    pip install -c constraints.txt "./{wheel}[notebooks]"

On Windows, the second line is `.venv\\Scripts\\activate`. Then, also without a network:

    jupyter lab notebooks/

`predictions.html` lists what the lessons ask you to predict, with room to write: print it, and
write each guess down before you run the next cell.

`notebooks/plain` has the same lessons without their prose: headings, code and exercises;
`notebooks/fi` and others have some of them in another language.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the wheel and the slides, and write the zips."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="the folder to write to")
    out: Path = parser.parse_args(arguments).out
    with TemporaryDirectory() as folder:
        wheel, slides = build_wheel(Path(folder)), Path(folder) / "slides"
        runpy.run_path(str(ROOT / "docs" / "build.py"))["build_slides"](slides)
        for kind in KINDS:
            print(write_zip(out, kind, wheel, slides))
    return 0


def build_wheel(out: Path) -> Path:
    """The package's wheel, built from a copy, so that nothing of an earlier build is in it."""
    source = out / "source"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "build", "*.egg-info", "tests", "docs")
    shutil.copytree(ROOT, source, ignore=ignored)
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(out), str(source)], check=True)
    return next(out.glob("*.whl"))


def write_zip(out: Path, kind: str, wheel: Path, slides: Path) -> Path:
    """Write a version of the course to `out` as a zip of one folder; returns its path."""
    name = f"xorqa-{kind}"
    with TemporaryDirectory() as folder:
        course = Path(folder) / name
        write_folder(course, kind, wheel)
        if kind == "instructor":
            shutil.copytree(slides, course / "slides")
        out.mkdir(parents=True, exist_ok=True)
        return Path(shutil.make_archive(str(out / name), "zip", folder, name))


def write_folder(course: Path, kind: str, wheel: Path) -> None:
    """Write a version of the course but its slides."""
    course.mkdir()
    (course / "README.md").write_text(README.format(wheel=wheel.name), encoding="utf-8")
    (course / "predictions.html").write_text(sheet(), encoding="utf-8")
    for path in (wheel, ROOT / "constraints.txt", ROOT / "LICENSE"):
        shutil.copy(path, course)
    ignored = shutil.ignore_patterns("site", "deploy", "__pycache__", "*.py", "*.css")
    shutil.copytree(ROOT / "docs", course / "docs", ignore=ignored)
    write_lessons(course / "notebooks", kind)


def write_lessons(folder: Path, kind: str) -> None:
    """Write the lessons, in `plain` without their prose, in `fi` and others in that language."""
    parts = {"": lessons(), PLAIN: lessons()} | {lang: translated(lang) for lang in languages()}
    for part, scripts in parts.items():
        (folder / part).mkdir()
        copy_helpers(folder / part)
        for script in scripts:
            book = read(script, kind)
            if part == PLAIN:
                book = prose_free(book)
            elif part:
                book = in_language(book, script, part)
            book = embed_images(book, script.parent)
            if part:
                book = _one_folder_deeper(book, {other.stem for other in scripts})
            nbformat.write(book, folder / part / f"{script.stem}.ipynb")


def _one_folder_deeper(book: Any, beside: Collection[str]) -> Any:
    """The notebook with links that lead from one folder deeper, but to lessons that stand there."""

    def link(found: re.Match[str]) -> str:
        is_beside = found[1].removesuffix(".ipynb") in beside
        return found[0] if is_beside else f"](../{found[1]})"

    for cell in book.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(link, cell.source)
    return book


if __name__ == "__main__":
    sys.exit(main())
