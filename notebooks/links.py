"""Write the table of links that open the lessons in Colab and Binder: `python notebooks/links.py`.

It stands in `notebooks/README.md` and `docs/teaching.md`, and is written again when a lesson gets
another name.
"""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
PAGES = (HERE / "README.md", DOCS / "teaching.md")
HEADER = "| lesson | Colab | Binder |\n|---|---|---|\n"
COLAB = "https://colab.research.google.com/github/{repository}/blob/main/notebooks/{name}"
BINDER = "https://mybinder.org/v2/gh/{repository}/main?urlpath=lab/tree/notebooks/{name}"


def repository() -> str:
    """Owner and name of the repository, from the address in `docs/conf.py`."""
    text = (DOCS / "conf.py").read_text(encoding="utf-8")
    [name] = re.findall(r'^REPOSITORY = "https://github\.com/([^/]+/[^/]+)/', text, re.MULTILINE)
    return str(name)


def rows() -> str:
    """A row per lesson."""
    lines = []
    for path in sorted(HERE.glob("[0-9A][0-9]*_*.ipynb")):
        number = path.stem.partition("_")[0]
        names = {"repository": repository(), "name": path.name}
        colab, binder = COLAB.format(**names), BINDER.format(**names)
        lines.append(
            f"| {number} | [{number} in Colab]({colab}) | [{number} in Binder]({binder}) |\n"
        )
    return "".join(lines)


def with_links(page: str) -> str:
    """The text of a page with the table as it should be."""
    before, header, after = page.partition(HEADER)
    return before + header + rows() + re.sub(r"\A(\|.*\n)*", "", after)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_links(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path)
