"""The versions of a lesson: which cells each has, and that they can go anywhere."""

import nbformat
import pytest

LESSON = """# %% [markdown]
# # A lesson
# ![a road in three parts](images/road.svg) and ![a logo](https://example.org/logo.svg)

# %% tags=["exercise"]
answer_1 = ...

# %% tags=["solution"]
answer_1 = 6

# %% tags=["claim"]
pass

# %% tags=["grade"]
answer_1

# %% [markdown] tags=["instructor"]
# Many answer 12.
"""


@pytest.fixture
def script(tmp_path, monkeypatch, versions):
    monkeypatch.setattr(versions, "HERE", tmp_path)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "road.svg").write_text("<svg/>")
    path = tmp_path / "01_made_up.py"
    path.write_text(LESSON)
    return path


def sources(book):
    return [cell.source.splitlines()[0] for cell in book.cells]


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("full", ["# A lesson", "answer_1 = ...", "answer_1 = 6", "pass", "answer_1"]),
        ("student", ["# A lesson", "answer_1 = ...", "answer_1"]),
        ("instructor", ["# A lesson", "answer_1 = 6", "answer_1", "Many answer 12."]),
    ],
)
def test_each_version_has_its_cells(script, versions, kind, cells):
    assert sources(versions.read(script, kind)) == cells


def test_solutions_are_folded_for_all_and_open_for_instructors(script, versions):
    full, instructor = (versions.read(script, kind) for kind in ("full", "instructor"))
    assert full.cells[2].metadata["jupyter"] == versions.FOLDED
    assert "jupyter" not in instructor.cells[1].metadata


def test_they_are_written_with_their_pictures_inside(script, versions, tmp_path, capsys):
    assert versions.main([str(tmp_path / "out"), "01"]) == 0
    for kind in ("student", "instructor"):
        book = nbformat.read(tmp_path / "out" / kind / "01_made_up.ipynb", as_version=4)
        nbformat.validate(book)
        assert (
            "![a road in three parts](data:image/svg+xml;base64,PHN2Zy8+)" in book.cells[0].source
        )
        assert "(https://example.org/logo.svg)" in book.cells[0].source
        assert (tmp_path / "out" / kind / "lessons" / "__init__.py").is_file()


def test_an_unknown_lesson_is_answered_with_those_there_are(script, versions, tmp_path):
    with pytest.raises(SystemExit, match="no lesson 02; valid: 01_made_up"):
        versions.main([str(tmp_path / "out"), "02"])
