"""Settings of the documentation's site; `docs/build.py` copies the pages and runs Sphinx."""

from __future__ import annotations

import re
from textwrap import indent
from typing import Any

import xorqa

project = "xorqa"
author = copyright = "The xorqa authors"
release = xorqa.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4  # links lead to headings by the names that GitHub gives them
_PARTS = {  # of the site; Sphinx builds the pages and the slides apart
    "site": {"url": "../{{path}}.html#{{fragment}}"},
    "deck": {"url": "slides/{{path}}.html"},
}
myst_url_schemes = {"http": None, "https": None, **_PARTS}
html_theme = "furo"
html_title = "xorqa"
revealjs_style_theme = "white"  # docs/build.py adds the extension for slides
revealjs_static_path = ["slides.css"]
revealjs_css_files = ["slides.css"]
revealjs_script_conf = {"hash": True, "slideNumber": "c/t", "width": 1280, "height": 720}
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "ignore-module-all": True}
napoleon_numpy_docstring = False
napoleon_use_ivar = True
suppress_warnings = ["ref.python"]  # several modules have a `Batch`: its name is no link then

REPOSITORY = "https://github.com/xorqa/xorqa/blob/main/"
_PAGE = re.compile(r"\]\(\.\./([\w-]+)\.md")
_DECK = re.compile(r"\]\(slides/([\w-]+)\.md")
_FENCED = re.compile(r"^( *)```(\w+)\n(.*?)\n\1```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_COMMAND = re.compile(r"(?<=^Example: )xorqa .*", re.MULTILINE)


def link_to_the_repository(app: Any, name: str, source: list[str]) -> None:
    """Links to files outside of docs/ lead to the repository, those of slides to the site."""
    if app.builder.name == "revealjs":
        source[0] = _PAGE.sub(r"](site:\1", source[0]).replace("](../../", f"]({REPOSITORY}")
    source[0] = _DECK.sub(r"](deck:\1", source[0]).replace("](../", f"]({REPOSITORY}")


def read_code(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Docstrings mark code as Markdown does; reStructuredText has backticks and directives."""
    text = _FENCED.sub(_code_block, "\n".join(lines))
    text = _COMMAND.sub(r"``\g<0>``", _CODE.sub(r"``\1``", text))
    lines[:] = re.sub(r"``(?=s\b)", r"``\\ ", text).splitlines()


def _code_block(fenced: re.Match[str]) -> str:
    margin, language, code = fenced.groups()
    return f"{margin}.. code-block:: {language}\n\n{indent(code, '   ')}"


def setup(app: Any) -> None:
    """Connect the functions above."""
    app.connect("source-read", link_to_the_repository)
    app.connect("autodoc-process-docstring", read_code)
