"""Write the reference of modules (pdoc) and commands (Typer) as pages: `make docs`."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pdoc

import xorqa

OUT = Path(__file__).parent / "reference"
COMMANDS = "commands.md"


def rooms() -> list[str]:
    """The package, its modules and its subpackages, whose own modules follow by themselves."""
    found = (one.name for one in pkgutil.iter_modules(xorqa.__path__))
    return ["xorqa", *(f"xorqa.{name}" for name in found if name != "__main__")]


def build(out: Path) -> None:
    """Write `index.html`, a page a module, and the commands below `out`."""
    pdoc.render.configure(docformat="google", search=False)
    pdoc.pdoc(*rooms(), output_directory=out)
    typer = [sys.executable, "-m", "typer", "xorqa.cli.main", "utils", "docs", "--name", "xorqa"]
    subprocess.run([*typer, "--output", str(out / COMMANDS)], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    build(OUT)
    print(f"{OUT / 'index.html'}, {OUT / COMMANDS}")
