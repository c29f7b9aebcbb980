"""The slides of six sessions: offline, with what lessons and documents show."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.test_docs import ROOT, blocks, check, commands

DECKS = sorted((ROOT / "docs" / "slides").glob("[1-9]*.md"))
FIRST = DECKS[0]
RESULTS = ROOT / "docs" / "results.md"
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


def tables(text: str) -> list[dict[tuple[str, str], str]]:
    """The cells of each table of a text, by the labels of their rows and columns."""
    found = []
    for table in _TABLE.findall(text):
        header, _, *rows = (
            [cell.strip() for cell in row.split("|")[1:-1]] for row in table.strip().splitlines()
        )
        found.append(
            {(row[0], name): cell for row in rows for name, cell in zip(header, row, strict=True)}
        )
    return found


def slides(page: Path) -> list[str]:
    """The text of each slide of a page."""
    return re.split(r"^##? ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


def slide(title: str) -> str:
    """The text of the slide with a title, of the first session."""
    return next(text for text in slides(FIRST) if text.startswith(f"{title}\n"))


def prose(page: Path) -> str:
    """The page without its tables, code, and what it asks of lessons."""
    text = _TABLE.sub("", page.read_text(encoding="utf-8"))
    return re.sub(r"```.*?```|\([^)]*\)|^\[\[.*\]\]$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def outputs() -> Any:
    return runpy.run_path(str(ROOT / "docs" / "lesson_outputs.py"))["with_outputs"]


def test_there_is_a_deck_for_each_session_of_12_to_18_slides() -> None:
    teaching = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    assert len(re.findall(r"^### Session \d", teaching, re.MULTILINE)) == len(DECKS) == 6
    for page in DECKS:
        assert 12 <= len(slides(page)) <= 18, page.name


def test_most_slides_show_something() -> None:
    for page in DECKS:
        shown = [re.search(r"!\[|^\[\[|^\||^```|^- |^1\. ", t, re.MULTILINE) for t in slides(page)]
        assert sum(map(bool, shown)) > 0.7 * len(shown), page.name


@pytest.mark.parametrize("page", DECKS, ids=lambda page: page.name)
def test_what_slides_ask_of_lessons_is_there(page: Path, outputs: Any, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    text = outputs(page.read_text(encoding="utf-8"), tmp_path)
    assert "[[" not in text and "![](" not in text
    pictures = re.findall(r"\]\((images/lesson-[^)]*)\)", text)
    assert all((tmp_path / picture).stat().st_size for picture in pictures)


def test_what_no_lesson_prints_is_an_error(outputs: Any, tmp_path: Path) -> None:
    for asked in ("![](02b:99)", "[[02b: No table]]"):
        with pytest.raises(LookupError, match="lesson 02b has"):
            outputs(asked, tmp_path)


def test_tables_are_those_of_the_results() -> None:
    results, checked = tables(RESULTS.read_text(encoding="utf-8")), 0
    for page in DECKS:
        for table in tables(page.read_text(encoding="utf-8")):
            figures = {key: cell for key, cell in table.items() if re.fullmatch(r"[\d.,]+", cell)}
            checked += len(figures)
            assert not figures or any(figures.items() <= source.items() for source in results)
    assert checked == 23


@pytest.mark.parametrize("page", DECKS, ids=lambda page: page.name)
def test_commands_are_as_the_command_line_has_them(page: Path) -> None:
    for call in commands(page):
        check(call)


@pytest.mark.parametrize("page", DECKS[1:], ids=lambda page: page.name)
def test_sentences_have_no_measured_figures(page: Path) -> None:
    bare = re.sub(r"0\.8 |[Ss]ection \d\.\d|sections? \d(\.\d)?", "", prose(page))
    assert re.findall(r"\d+\.\d|\d+ ?%", bare) == []


def test_figures_in_sentences_are_those_of_their_sources() -> None:
    lost = re.search(r"Back-translation loses ([\d.]+) points", slide("Where points are lost"))
    ledger = json.loads((ROOT / "docs" / "images" / "losses.json").read_text(encoding="utf-8"))
    means = ledger["losses"]["human"]["macro"]
    assert lost and lost[1] == f"{means['back-translation']:.1f}"
    assert means["back-translation"] == max(means[part] for part in means if part != "f1")
    f1 = re.search(r"F1 ([\d.]+) on XQuAD", slide("What a score hides"))
    results = RESULTS.read_text(encoding="utf-8")
    assert f1
    assert re.search(rf"^\| `reader-multi` \| .* \| {f1[1]} \| [\d.]+ \|$", results, re.MULTILINE)
    assert sorted(re.findall(r"\d+\.\d", prose(FIRST))) == sorted(["3.1", "3.3", lost[1], f1[1]])


def test_the_example_is_the_readmes() -> None:
    assert blocks(FIRST, "python") == blocks(ROOT / "README.md", "python")


def test_they_are_built_and_need_no_network(tmp_path: Path) -> None:
    pytest.importorskip("sphinx_revealjs")
    runpy.run_path(str(ROOT / "docs" / "build.py"))["build_slides"](tmp_path)
    for source in DECKS:
        page = (tmp_path / f"{source.stem}.html").read_text(encoding="utf-8")
        expected = len(slides(source))
        assert len(re.findall(r"<h[12]>", page)) == page.count("<section >") / 2 == expected
        needed = re.findall(r'src="([^"]+)"|<link [^>]*rel="stylesheet"[^>]*href="([^"?]+)', page)
        files = [path for pair in needed for path in pair if path]
        assert {Path(path).suffix for path in files} <= {".css", ".js", ".svg", ".png"}
        for name in files:
            assert (tmp_path / name).is_file(), name
        for style in tmp_path.rglob("*.css"):
            if style.name in {Path(name).name for name in files}:
                assert "http" not in "".join(
                    re.findall(r"@import[^;]*|url\([^)]*\)", style.read_text())
                )
        linked = re.findall(r'href="\.\./([\w-]+)\.html', page)
        assert all((ROOT / "docs" / f"{name}.md").is_file() for name in linked)
