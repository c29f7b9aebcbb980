"""The survey of documents: what is in their passages, what is skipped, and what is missing."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from xorqa.cli.main import app
from xorqa.core.errors import DataError
from xorqa.datasets.documents.document import Document, Section
from xorqa.lab.bench import documents
from xorqa.lab.bench.documents import by_script, characters, common, survey, text_of
from xorqa.lab.bench.fuzz.documents import docx, pdf

PAGE = "<title>T</title><nav>Home</nav><h1>Oulu</h1><p>Oulu on kaupunki.<p>Москва - город."


def test_words_count_as_often_as_they_are_there() -> None:
    given, read = characters("Oulu on on kau-\npunki 7 %"), characters("Oulu: on kaupunki")
    assert given == {"Oulu": 1, "on": 2, "kau": 1, "punki": 1, "7": 1}
    assert common(given, read) == {"latin": 14}
    assert by_script("aб東あ7") == {"latin": 1, "cyrillic": 1, "cjk": 1, "hiragana": 1, "other": 1}


def test_a_survey_by_format_and_script(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE)
    (tmp_path / "b.docx").write_bytes(docx(["# Oulu", "Oulu on kaupunki."]))
    (tmp_path / "c.csv").write_text("q,a\nMikä?,Oulu\nMissä?,Suomessa\n")
    (tmp_path / "d.md").write_text("# Oulu\n\n[Oulu](x.md) on kaupunki.\n")
    (tmp_path / "e.docx").write_bytes(b"PK")
    surveys, errors = survey(tmp_path)
    assert {name: each.share() for name, each in surveys.items()} == dict.fromkeys(
        (".html", ".docx", ".csv", ".md"), 1.0
    )
    html = surveys[".html"]
    assert html.text == Counter(latin=4 + 4 + 14, cyrillic=11)
    assert html.read == Counter(latin=4 + 14, cyrillic=11)
    assert html.skipped == Counter(latin=4)
    assert html.kinds == {"<nav> element": (1, 4)}
    assert surveys[".docx"].files == 1 and [*errors] == ["e.docx"]
    with pytest.raises(DataError, match="has no documents"):
        survey(tmp_path / "e.docx")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs Poppler's pdftotext")
def test_a_pdf_is_compared_with_popplers_text(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([["Oulu on kaupunki."]]))
    assert text_of(path).split() == ["Oulu", "on", "kaupunki."]


def test_a_reader_that_loses_text_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.html"
    path.write_text("<p>" + "Oulu on kaupunki. " * 100 + "<p>" + "Kemi on joki. " * 100)
    command = ["bench", "documents", str(tmp_path), "--json", str(tmp_path / "a.json"), "--wide"]
    assert CliRunner().invoke(app, command).exit_code == 0
    lossy = lambda data, path: Document("", iter([Section("", ("Oulu on kaupunki. " * 100,))]))  # noqa: E731
    monkeypatch.setitem(documents.layouts.DOCUMENTS, ".html", lossy)
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 1
    assert "a.html: 58.3% read" in result.output
    assert json.loads((tmp_path / "a.json").read_text())["formats"][".html"]["read"] == {
        "latin": 1400
    }
