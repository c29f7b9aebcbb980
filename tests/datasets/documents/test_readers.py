"""Each format of documents: titles, sections, references and errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from xorqa.core.errors import DataError, MissingExtraError
from xorqa.datasets.documents.document import DocumentReader
from xorqa.datasets.documents.html_text import read_html
from xorqa.datasets.documents.pdf import read_pdf
from xorqa.datasets.documents.text_files import read_csv, read_markdown, read_plain_text
from xorqa.datasets.documents.word import read_word
from xorqa.lab.bench.fuzz.documents import docx, pdf

PATH = Path("a.file")

MARKDOWN = """---
title: "The guide"
---
Read [this](x.md) first.

# Install

Run `pip`
now.

| item | price |
|---|---|
| Widget | 25 EUR |

## Linux

- One
- Two

# Install

Again.
"""

HTML = """<!doctype html><html><head><title>Opening
hours</title><style>p {}</style><script>var a = "<p>x</p>";</script></head>
<body><nav><ul><li>Home</ul></nav><p>We open at <b>n</b>ine.<br>Caf&eacute; too.
<h2 id="x">Weekdays</h2><div>Closed<!-- not --> on Monday</div><template>no</template>
<table><tr><th>Tue<td>9–17<tr><th>Wed<td>9–18</table>
<ruby>東京<rt>とうきょう</rt></ruby>に<footer>© 2020</footer></body></html>"""


def read(reader: DocumentReader, data: bytes | str) -> tuple[str, list[tuple[str, str, str]]]:
    document = reader(data.encode() if isinstance(data, str) else data, PATH)
    return document.title, [(s.ref, s.title, "\n".join(s.paragraphs)) for s in document.sections]


def test_text_has_paragraphs() -> None:
    text = "A first line of text\nthat goes on here.\n\nNext.\f\r\nLast"
    assert read(read_plain_text, text) == (
        "",
        [("", "", "A first line of text that goes on here.\nNext.\nLast")],
    )


def test_markdown_is_divided_at_headings() -> None:
    assert read(read_markdown, MARKDOWN) == (
        "The guide",
        [
            ("", "", "Read this first."),
            ("install", "Install", "Run pip now.\nitem | price\nWidget | 25 EUR"),
            ("linux", "Install / Linux", "One\nTwo"),
            ("install-2", "Install", "Again."),
        ],
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [("# Guide\n\nOne.\n\n## A\n\nTwo.", "Guide"), ("# A\n\nOne.\n\n# B\n\nTwo.", "")],
)
def test_the_only_top_heading_is_the_title(text: str, title: str) -> None:
    assert read(read_markdown, text)[0] == title


def test_a_heading_without_text_is_its_own_text() -> None:
    _, sections = read(read_markdown, "# A\n\n## B\n\ntext\n\n## C\n\n# D")
    assert [text for *_, text in sections] == ["text", "C", "D"]


def test_html_is_what_a_reader_sees() -> None:
    assert read(read_html, HTML) == (
        "Opening hours",
        [
            ("", "", "We open at nine. Café too."),
            ("weekdays", "Weekdays", "Closed on Monday\nTue | 9–17\nWed | 9–18\n東京に"),
        ],
    )


def test_html_declares_its_encoding() -> None:
    page = '<meta charset="windows-1251"><p>Да'
    assert read(read_html, page.encode("cp1251"))[1] == [("", "", "Да")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_rows_are_numbered_as_in_a_spreadsheet(delimiter: str) -> None:
    rows = f'question{delimiter}answer\n\n"a\nb?"{delimiter}c\nd{delimiter}\n'
    assert read(read_csv, rows) == (
        "",
        [("row3", "", "question: a b?\nanswer: c"), ("row4", "", "question: d")],
    )


def test_csv_may_have_texts_titles_and_languages() -> None:
    document = read_csv(b"Text,Title,id,lang\nOulu,City,7,fi\nTurku,,8,\n", PATH)
    assert [(s.paragraphs, s.title, s.lang) for s in document.sections] == [
        (("Oulu",), "City", "fi"),
        (("Turku",), "", ""),
    ]
    with pytest.raises(DataError, match=r"a\.file, row2: no language is called 'xx'"):
        list(read_csv(b"text,lang\nOulu,xx\n", PATH).sections)
    with pytest.raises(DataError, match=r"a\.file, line 3: field larger than"):
        list(read_csv(b"text,lang\na,\n" + b"x" * 200_000, PATH).sections)


def test_pdf_has_a_section_per_page_with_text() -> None:
    pytest.importorskip("pypdf")
    pages = [
        ["Welcome to (our) café", "where every new em-", "ployee has 25 days."],
        [],
        ["Holidays . . . . . . 12"],
    ]
    assert read(read_pdf, pdf(pages, title="Handbook")) == (
        "Handbook",
        [
            ("p1", "", "Welcome to (our) café where every new employee has 25 days."),
            ("p3", "", "Holidays … 12"),
        ],
    )
    assert read(read_pdf, pdf(pages, title="Microsoft Word - a.doc"))[0] == ""


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.4 broken", "a.file: not a valid PDF ("),
        (b"", "a.file: not a valid PDF ("),
        (pdf([[], []]), "a.file has no text; if it is scanned"),
    ],
)
def test_pdf_errors(data: bytes, message: str) -> None:
    pytest.importorskip("pypdf")
    with pytest.raises(DataError, match=re.escape(message)):
        list(read_pdf(data, PATH).sections)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_an_encrypted_pdf_is_read_unless_it_needs_a_password(algorithm: str) -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("cryptography")
    from io import BytesIO

    def encrypted(password: str) -> bytes:
        writer = pypdf.PdfWriter(clone_from=BytesIO(pdf([["Secret"]])))
        writer.encrypt(password, owner_password="owner", algorithm=algorithm)
        writer.write(stream := BytesIO())
        return stream.getvalue()

    assert read(read_pdf, encrypted(""))[1] == [("p1", "", "Secret")]
    with pytest.raises(DataError, match=r"a\.file is encrypted; save it without a password"):
        read_pdf(encrypted("user"), PATH)


def test_docx_is_divided_at_headings() -> None:
    pytest.importorskip("docx")
    data = docx(["Alku.", "# Lomat", "25 päivää.", "# Työ", "37,5 tuntia."])
    assert read(read_word, data) == (
        "",
        [("", "", "Alku."), ("lomat", "Lomat", "25 päivää."), ("työ", "Työ", "37,5 tuntia.")],
    )


def test_docx_has_tables_and_a_title() -> None:
    python_docx = pytest.importorskip("docx")
    from io import BytesIO

    document = python_docx.Document()
    document.core_properties.title = "Prices"
    document.add_heading("Tools", 1)
    table = document.add_table(2, 3)
    for cell, text in zip(table._cells, ["Widget", "", "25 EUR", "All", "x", "y"], strict=True):
        cell.text = text
    table.cell(1, 0).merge(table.cell(1, 2)).text = "All prices in euros"
    document.save(stream := BytesIO())
    assert read(read_word, stream.getvalue()) == (
        "Prices",
        [("tools", "Tools", "Widget | 25 EUR\nAll prices in euros")],
    )


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", docx(["x"])[:-30]])
def test_a_damaged_docx(data: bytes) -> None:
    pytest.importorskip("docx")
    with pytest.raises(DataError, match=r"a\.file: not a valid DOCX \(.*open and save it again"):
        read_word(data, PATH)


@pytest.mark.parametrize(("read", "module"), [(read_pdf, "pypdf"), (read_word, "docx")])
def test_a_missing_extra_is_named(
    read: DocumentReader, module: str, missing: Callable[[str], None]
) -> None:
    missing(module)
    with pytest.raises(MissingExtraError, match=rf"{module} .*pip install 'xorqa\[docs\]'"):
        read(b"", PATH)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that makes a module look as if it were not installed."""
    import importlib.util

    find = importlib.util.find_spec
    return lambda name: monkeypatch.setattr(
        "importlib.util.find_spec", lambda module: None if module == name else find(module)
    )
