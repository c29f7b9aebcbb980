"""The zips to hand out: what each holds, and that its links lead somewhere."""

import re
import zipfile
from pathlib import Path

import nbformat
import pytest

LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)")


@pytest.fixture(scope="module", params=["student", "instructor"])
def folder(request, course, tmp_path_factory):
    """A version of the course as it is unpacked, with a made-up wheel and slides."""
    out = tmp_path_factory.mktemp(request.param)
    wheel, slides = out / "xorqa-1-py3-none-any.whl", out / "made"
    wheel.write_bytes(b"")
    slides.mkdir()
    (slides / "index.html").write_text("<p>slides</p>")
    path = course.write_zip(out / "zips", request.param, wheel, slides)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(out)
    return out / path.stem


def books(folder: Path) -> dict[str, nbformat.NotebookNode]:
    return {path.stem: nbformat.read(path, as_version=4) for path in folder.glob("*.ipynb")}


def test_all_lessons_are_there_twice_with_their_helpers(folder, course):
    names = {script.stem for script in course.lessons()}
    for notebooks in (folder / "notebooks", folder / "notebooks" / "plain"):
        assert set(books(notebooks)) == names
        assert (notebooks / "lessons" / "__init__.py").is_file()


def test_translated_lessons_are_there_in_their_language(folder, translations):
    for lang in translations.languages():
        notebooks = folder / "notebooks" / lang
        assert set(books(notebooks)) == {script.stem for script in translations.translated(lang)}
        assert (notebooks / "lessons" / "__init__.py").is_file()
        english = books(folder / "notebooks")
        for name, book in books(notebooks).items():
            assert book.cells[0].source != english[name].cells[0].source
            codes = [
                [c.source for c in b.cells if c.cell_type == "code"] for b in (book, english[name])
            ]
            assert codes[0] == codes[1]


def test_the_readme_names_the_wheel(folder):
    assert "./xorqa-1-py3-none-any.whl[notebooks]" in (folder / "README.md").read_text()
    assert (folder / "constraints.txt").is_file() and (folder / "LICENSE").is_file()


def test_the_sheet_has_room_for_every_prediction_of_the_lessons(folder):
    sheet = (folder / "predictions.html").read_text(encoding="utf-8")
    asked = sum(
        cell.source.count("**Predict first.**")
        for book in books(folder / "notebooks").values()
        for cell in book.cells
        if cell.cell_type == "markdown"
    )
    assert sheet.count("<li>") == sheet.count("guess</span>") == asked > 40
    assert "**" not in sheet and "`" not in sheet and "Which stage is most likely to fail" in sheet


def test_only_instructors_have_solutions_and_slides(folder):
    tags = {
        tag
        for notebooks in (folder / "notebooks", folder / "notebooks" / "plain")
        for book in books(notebooks).values()
        for cell in book.cells
        for tag in cell.metadata.get("tags", ())
    }
    is_instructor = folder.name == "xorqa-instructor"
    assert ("solution" in tags) == ("exercise" not in tags) == is_instructor
    assert (folder / "slides" / "index.html").exists() == is_instructor


def test_links_of_the_lessons_lead_somewhere(folder):
    missing = [
        (path.relative_to(folder), link)
        for path in folder.glob("notebooks/**/*.ipynb")
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for link in LINK.findall(cell.source)
        if not (path.parent / link).exists()
    ]
    assert missing == []


def test_the_plain_lessons_have_all_code_and_headings_and_what_exercises_ask(folder):
    plain = books(folder / "notebooks" / "plain")
    for name, book in books(folder / "notebooks").items():
        codes = [[c.source for c in b.cells if c.cell_type == "code"] for b in (book, plain[name])]
        assert codes[0] == codes[1]
        text, kept = (
            "\n".join(c.source for c in b.cells if c.cell_type == "markdown")
            for b in (book, plain[name])
        )
        headings = re.findall(r"^#+ .*$", text, re.MULTILINE)
        assert headings == re.findall(r"^#+ .*$", kept, re.MULTILINE)
        assert len(kept) < 2 * len(text) / 3
        asked = text.partition("### Exercise 1")[2].partition("\n##")[0]
        assert asked and asked in kept
