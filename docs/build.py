"""Build the documentation's site with Sphinx, `make docs`: pages, commands, API and slides."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main
from sphinx.ext.apidoc import main as write_modules

sys.path.insert(0, str(Path(__file__).parent))
from lesson_outputs import with_outputs

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "xorqa"
OUT = DOCS / "site"
COMMANDS = "commands"
SLIDES = "slides"
OPTIONS = ("-q", "--fail-on-warning")
AS_SLIDES = ("-b", "revealjs", "-D", "extensions=myst_parser,sphinx.ext.autodoc,sphinx_revealjs")


def build(out: Path) -> None:
    """Write the site to the folder `out`.

    Raises:
        SystemExit: with the exit status of the tool that failed; Sphinx fails on warnings.
    """
    with TemporaryDirectory() as folder:
        write_sources(Path(folder))
        _run_sphinx(Path(folder), out, "--jobs", "auto")
    build_slides(out / SLIDES)


def build_slides(out: Path) -> None:
    """Write the slides of all sessions to the folder `out`, with the scripts and fonts they need.

    Raises:
        SystemExit: as `build`.
        LookupError: if slides ask for what no lesson prints.
    """
    with TemporaryDirectory() as folder:
        source = Path(folder)
        shutil.copytree(DOCS / "images", source / "images")
        shutil.copy(DOCS / "conf.py", source)
        shutil.copy(DOCS / SLIDES / "slides.css", source)
        for page in (DOCS / SLIDES).glob("*.md"):
            text = page.read_text(encoding="utf-8").replace("](../images/", "](images/")
            (source / page.name).write_text(with_outputs(text, source), encoding="utf-8")
        _run_sphinx(source, out, *AS_SLIDES)


def _run_sphinx(source: Path, out: Path, *options: str) -> None:
    with TemporaryDirectory() as cache:
        if status := build_main([*OPTIONS, *options, "-d", cache, str(source), str(out)]):
            raise SystemExit(status)


def write_sources(folder: Path) -> None:
    """Copy the pages, and generate those of the commands and the modules."""
    shutil.copytree(
        DOCS, folder, ignore=shutil.ignore_patterns(OUT.name, SLIDES), dirs_exist_ok=True
    )
    home = (folder / "README.md").rename(folder / "index.md")
    text = home.read_text(encoding="utf-8")
    pages = dict.fromkeys(re.findall(rf"\]\((?!{SLIDES}/)([\w/-]+)\.md\)", text))
    contents = "\n".join((*pages, COMMANDS, "api/xorqa"))
    home.write_text(f"{text}\n```{{toctree}}\n:hidden:\n{contents}\n```\n", encoding="utf-8")
    typer = [sys.executable, "-m", "typer", "xorqa.cli.main", "utils", "docs", "--name", "xorqa"]
    path = folder / f"{COMMANDS}.md"
    subprocess.run([*typer, "--output", str(path)], check=True, stdout=subprocess.DEVNULL)
    options = ["--module-first", "--no-toc", "-q"]
    write_modules([*options, "--output-dir", str(folder / "api"), str(PACKAGE)])


if __name__ == "__main__":
    build(OUT)
    print(OUT / "index.html")
