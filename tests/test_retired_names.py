"""Names that were given up stay given up, in code and in documents.

Each file of `retired_names/` has a line per name, old and new: `xorqa.package.module`,
`xorqa.package.module:name` (that module's class or function), or a bare name that nothing
defines any more.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "xorqa"
FILES = sorted((ROOT / "tests" / "retired_names").glob("*.txt"))
RETIRED = [tuple(line.split()) for file in FILES for line in file.read_text("utf-8").splitlines()]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "notebooks").glob("*.py")]


@cache
def defined() -> dict[str, set[str]]:
    """The classes, functions and methods that each module defines."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): {
            node.name
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ClassDef | ast.FunctionDef)
        }
        for path in PACKAGE.rglob("*.py")
    }


@cache
def pages() -> str:
    """All documents but the changelog, which may name the past."""
    return "\n".join(p.read_text("utf-8") for p in PAGES if p.name != "CHANGELOG.md")


def test_each_line_has_an_old_and_a_new_name() -> None:
    assert RETIRED
    assert all(len(row) == 2 and row[0] != row[1] for row in RETIRED)


@pytest.mark.parametrize("old", [row[0] for row in RETIRED])
def test_no_retired_name_is_left(old: str) -> None:
    module, colon, name = old.partition(":")
    if colon:
        assert name not in defined().get(module, set())
    elif "." in old:
        assert old not in defined()
        assert not re.search(rf"{re.escape(old)}\b(?!\.\w)", pages())
        assert old.replace(".", "/") + ".py" not in pages()
    else:
        assert not [where for where, names in defined().items() if old in names]
        assert not re.search(rf"\b{old}\b", pages())


def test_successors_exist() -> None:
    modules = {name.removesuffix(".__init__") for name in defined()}
    new = {line[1].partition(":")[0] for line in RETIRED if len(line) > 1}
    missing = {name for name in new if name.startswith("xorqa.") and name not in modules}
    assert not missing
