"""The page for lecturers, and the links that open lessons in a browser."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from tests.test_docs import ROOT, blocks

TEACHING = ROOT / "docs" / "teaching.md"
LESSONS = ROOT / "notebooks" / "README.md"


@pytest.mark.parametrize("page", [TEACHING, LESSONS], ids=lambda page: page.name)
def test_every_lesson_has_its_links(page: Path) -> None:
    tool, text = runpy.run_path(str(ROOT / "notebooks" / "links.py")), page.read_text("utf-8")
    assert tool["with_links"](text) == text, "write them with: python notebooks/links.py"
    links = re.findall(r"in (?:Colab|Binder)\]\(([^)]+)\)", text)
    lessons = list((ROOT / "notebooks").glob("[0-9A][0-9]*_*.ipynb"))
    assert len(links) == 2 * len(lessons) > 0
    assert all(f"/{tool['repository']()}/" in link for link in links)
    assert {link.rpartition("/")[2] for link in links} == {path.name for path in lessons}


@pytest.mark.parametrize("page", [TEACHING, LESSONS], ids=lambda page: page.name)
def test_links_that_nobody_could_try_are_marked(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").replace("*", "").split())
    assert "Untested until the repository is public" in text


def test_every_lesson_has_its_session_and_its_pitfalls() -> None:
    text = TEACHING.read_text(encoding="utf-8")
    lessons = {path.stem.split("_")[0] for path in (ROOT / "notebooks").glob("[0-9A][0-9]*_*.py")}
    table = text.partition("## Six sessions")[2].partition("### Session 1")[0]
    appendix = text.partition("### Appendix")[2].partition("### The project")[0]
    pitfalls = text.partition("## What students get wrong")[2].partition("\n## ")[0]
    for lesson in lessons:
        assert re.search(rf"\b{lesson}", table + appendix), lesson
        assert re.search(rf"^\| {lesson}", pitfalls, re.MULTILINE), lesson
    assert len(re.findall(r"^### Session \d", text, re.MULTILINE)) == 6


def test_minutes_of_each_session_add_up() -> None:
    rows = re.findall(
        r"^\| \d [^|]*\|([^|]*)\|", TEACHING.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [sum(map(int, re.findall(r"\((\d+)\)", row))) for row in rows] == [80] * 6


def test_minutes_at_home_are_those_of_the_lessons() -> None:
    rows = re.findall(
        r"^\| ([\dA][^|]*) \| (\d+) \| (\d+) \|$", TEACHING.read_text("utf-8"), re.MULTILINE
    )
    stated = {name: (read, done) for names, read, done in rows for name in names.split(", ")}
    time = re.compile(r"Time:\*\* (\d+) minutes of reading, (\d+) of exercises")
    scripts = (ROOT / "notebooks").glob("[0-9A][0-9]*_*.py")
    lessons = {path.stem.split("_")[0]: path.read_text("utf-8") for path in scripts}
    assert stated == {name: time.findall(text)[0] for name, text in lessons.items()}


def test_verdicts_of_handed_in_notebooks_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    v4 = pytest.importorskip("nbformat").v4
    from lessons.grading import right, wrong
    from nbformat import write

    def output(value: object) -> object:
        data = {"text/plain": repr(value)}
        return v4.new_code_cell(outputs=[v4.new_output("execute_result", data=data)])

    verdicts = [right("Half of 12."), wrong("Count the pairs."), right("Yes."), "another output"]
    cells = [v4.new_markdown_cell("# 1"), *map(output, verdicts)]
    (tmp_path / "handed-in").mkdir()
    write(v4.new_notebook(cells=cells), tmp_path / "handed-in" / "aino.ipynb")
    monkeypatch.chdir(tmp_path)
    [block] = blocks(TEACHING, "python")
    exec(compile(block, "teaching.md", "exec"), {})
    assert capsys.readouterr().out == "aino 2 of 3\n"
