"""Settings of the documentation's site; `docs/build.py` copies the pages and runs Sphinx."""

from __future__ import annotations

import re
from typing import Any

import xorqa

project = "xorqa"
author = copyright = "The xorqa authors"
release = xorqa.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4  # links lead to headings by the names that GitHub gives them
html_theme = "furo"
html_title = "xorqa"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "ignore-module-all": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True
suppress_warnings = ["ref.python"]  # several modules have a `Batch`: its name is no link then

REPOSITORY = "https://github.com/xorqa/xorqa/blob/main/"
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_COMMAND = re.compile(r"(?<=^Example: )xorqa .*", re.MULTILINE)


def link_to_the_repository(app: Any, name: str, source: list[str]) -> None:
    """Links to files outside of docs/ lead to the repository."""
    source[0] = source[0].replace("](../", f"]({REPOSITORY}")


def read_code(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings mark code with single backticks, reStructuredText with two."""
    text = _COMMAND.sub(r"``\g<0>``", _CODE.sub(r"``\1``", "\n".join(lines)))
    lines[:] = re.sub(r"``(?=s\b)", r"``\\ ", text).splitlines()


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("source-read", link_to_the_repository)
    app.connect("autodoc-process-docstring", read_code)
