"""The slides of the first lecture: ten, offline, with the figures of the documents."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from tests.test_docs import ROOT, blocks

SLIDES = ROOT / "docs" / "slides.md"
RESULTS = ROOT / "docs" / "results.md"
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


def tables(page: Path) -> list[dict[tuple[str, str], str]]:
    """The cells of each table of a page, by the labels of their rows and columns."""
    found = []
    for table in _TABLE.findall(page.read_text(encoding="utf-8")):
        header, _, *rows = ([cell.strip() for cell in row.split("|")[1:-1]] for row in _rows(table))
        found.append(
            {(row[0], name): cell for row in rows for name, cell in zip(header, row, strict=True)}
        )
    return found


def _rows(table: str) -> list[str]:
    return table.strip().splitlines()


def slide(title: str) -> str:
    """The text of the slide with a title."""
    text = SLIDES.read_text(encoding="utf-8")
    return re.split(r"^## ", text.partition(f"## {title}\n")[2], flags=re.MULTILINE)[0]


def test_there_are_ten() -> None:
    assert len(re.findall(r"^##? ", SLIDES.read_text(encoding="utf-8"), re.MULTILINE)) == 10


def test_tables_are_those_of_the_results() -> None:
    results, checked = tables(RESULTS), 0
    for table in tables(SLIDES):
        figures = {key: cell for key, cell in table.items() if re.fullmatch(r"[\d.]+", cell)}
        checked += len(figures)
        assert not figures or any(figures.items() <= source.items() for source in results), figures
    assert checked == 12


def test_figures_in_sentences_are_those_of_their_sources() -> None:
    lost = re.search(r"Back-translation loses ([\d.]+) points", slide("Where points are lost"))
    ledger = json.loads((ROOT / "docs" / "images" / "losses.json").read_text(encoding="utf-8"))
    means = ledger["losses"]["human"]["macro"]
    assert lost and lost[1] == f"{means['back-translation']:.1f}"
    assert means["back-translation"] == max(means[part] for part in means if part != "f1")
    f1 = re.search(r"F1 ([\d.]+) on XQuAD", slide("What a score hides"))
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert f1
    assert re.search(rf"^\| `reader-multi` \| .* \| {f1[1]} \| [\d.]+ \|$", results, re.MULTILINE)
    prose = re.sub(r"```.*?```|\([^)]*\)", "", _without_tables(), flags=re.DOTALL)
    assert sorted(re.findall(r"\d+\.\d", prose)) == sorted(["3.1", "3.3", lost[1], f1[1]])


def _without_tables() -> str:
    return _TABLE.sub("", SLIDES.read_text(encoding="utf-8"))


def test_the_example_is_the_readmes() -> None:
    assert blocks(SLIDES, "python") == blocks(ROOT / "README.md", "python")


def test_they_are_built_and_need_no_network(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_revealjs")
    runpy.run_path(str(ROOT / "docs" / "build.py"))["build_slides"](tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert len(re.findall(r"<h[12]>", page)) == page.count("<section >") / 2 == 10
    needed = re.findall(r'src="([^"]+)"|<link [^>]*href="([^"?]+)', page)
    files = [path for pair in needed for path in pair if path]
    assert {Path(path).suffix for path in files} == {".css", ".js", ".svg"}
    for name in files:
        assert (tmp_path / name).is_file(), name
    for style in tmp_path.rglob("*.css"):
        if style.name in {Path(name).name for name in files}:
            assert "http" not in "".join(
                re.findall(r"@import[^;]*|url\([^)]*\)", style.read_text())
            )
    linked = re.findall(r'href="\.\./([\w-]+)\.html', page)
    assert linked and all((ROOT / "docs" / f"{name}.md").is_file() for name in linked)
