"""Each format of documents: titles, sections, references and errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from xorqa.core.errors import DataError, MissingExtraError, Notice
from xorqa.datasets.documents.document import DocumentReader
from xorqa.datasets.documents.html_text import read_html
from xorqa.datasets.documents.pdf import read_pdf
from xorqa.datasets.documents.text_files import read_csv, read_markdown, read_plain_text
from xorqa.datasets.documents.word import read_word
from xorqa.lab.bench.fuzz.documents import docx, docx_of, pdf

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
    assert document.skipped == {"cell of another column": (2, 2)}
    long = "x" * 200_000
    assert read(read_csv, f"a,b\n1,{long}\n")[1] == [("row2", "", f"a: 1\nb: {long}")]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        ("sep=;\nq;a\nx, y;z\n", {"row2": "q: x, y\na: z"}),
        ("\ufeffsep=\t\r\nq\ta\r\nx\ty\r\n", {"row2": "q: x\na: y"}),
        ('"sep=;"\nq;a\nx, y;z\n', {"row2": "q: x, y\na: z"}),
        ("SEP=,,\r\nq,a\r\nx,y\r\n", {"row2": "q: x\na: y"}),
        ("\n\nq,a\nx,y\n", {"row4": "q: x\na: y"}),
        ('"q, long";"a, b"\nx, y;z\nu;v\n', {"row2": "q, long: x, y\na, b: z",
                                                      "row3": "q, long: u\na, b: v"}),
        ("q;a\na, b, c;d, e, f\ng, h;i\n", {"row2": "q: a, b, c\na: d, e, f",
                                                     "row3": "q: g, h\na: i"}),
        ("text\na, b\n", {"row2": "a, b"}),
        ('q,a\n"x\ny, z",b\n', {"row2": "q: x y, z\na: b"}),
    ],
)  # fmt: skip
def test_csv_as_spreadsheets_write_it(rows: str, texts: dict[str, str]) -> None:
    assert {ref: text for ref, _, text in read(read_csv, rows)[1]} == texts


def test_an_unbalanced_quote_merges_no_rows_and_is_reported() -> None:
    rows = 'q,a\n1,"open\n2,b\n3,"""c"" d"\n"E" f,g\n"h, i" j,k\n'
    with pytest.warns(Notice, match=r"^a\.file, line 2: a quote has no end.*; 3 such rows") as seen:
        sections = read(read_csv, rows)[1]
    assert len(seen) == 1
    assert [text for *_, text in sections] == [
        'q: 1\na: "open',
        "q: 2\na: b",
        'q: 3\na: "c" d',
        'q: "E" f\na: g',
        "q: h, i j\na: k",
    ]


STRUCTURES = {
    "<p>The <x-term>flux</x-term> of <st1:City>York</st1:City> <acronym>CCTV</acronym> in <nobr>a b"
    "</nobr>.": ["The flux of York CCTV in a b."],
    "<div><aside>Ad<div>x</div></div><p>Smoking is forbidden.": ["Smoking is forbidden."],
    "<aside>Ad<main><p>The text.</main>": ["Ad", "The text."],
    "<p>E: <math><mi>E</mi><mo>=</mo><mfrac><mrow><mn>81</mn><mi>m</mi></mrow><msup><mi>c</mi>"
    "<mn>2</mn></msup></mfrac><annotation>x</annotation></math> J.": ["E: E=81m/(c^2) J."],
    "<p>a<aside class='footnote' role='doc-footnote'>1. b</aside>": ["a", "1. b"],
    "<h2><button>A?</button></h2><div>b<button>Go</button></div>": ["b"],
    "<svg><title>icon</title></svg><h1>A</h1><p>b": ["b"],
    "<p><ruby>東<rt>とう<rb>京<rt>きょう</ruby>に<p>b": ["東京に", "b"],
    "<p hidden>a</p><p style='color:red; display: none'>b</p><p>c": ["c"],
    "<table><tr><td>a<td>b<tr><td>c</table>d": ["a | b", "c", "d"],
    '<?xml version="1.0"?><script src="a"/><p>a<![CDATA[ < b]]></p><div/>c': ["a < b", "c"],
    "<h2><div>A</div></h2>b": ["b"],
    "<select><option>1<option>2</select><p>a": ["a"],
    "<p>10<sup>6</sup> m<sup>2</sup>, Ca<sup>2+</sup>, 1<sup>st</sup>, H<sub>2</sub>O": [
        "10⁶ m², Ca²⁺, 1st, H2O"
    ],
    "<p><math><msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup><mroot><mi>y</mi><mn>3</mn></mroot>"
    "<mtable><mtr><mtd>1</mtd><mtd>2</mtd></mtr><mtr><mtd>3</mtd></mtr></mtable></math>": [
        "x_i^23√y(1 2); 3"
    ],
    "<p>a<!-- b <p>c <!-- d": ["a b", "c d"],
    "<title>A <p>b": ["b"],
    "<p>a<textarea>b<p>c": ["a", "c"],
    "<p>a<!-->b<!-- c --!>d": ["abd"],
    "<p><a>Paris</a> <a>Nice</a><p><a>Ann</a>, <a>Bo</a><p>See <a>c</a> | <a>d</a><p><a>e</a>": [
        "Paris Nice", "Ann, Bo", "See c | d", "e"
    ],
    "<table><tr><td><a>Ghana</a><td><a>Accra</a></table>": ["Ghana | Accra"],
    "<h2><a>A</a><a>B</a></h2>c": ["c"],
}  # fmt: skip


@pytest.mark.parametrize("html", STRUCTURES)
def test_html_has_the_paragraphs_that_a_browser_shows(html: str) -> None:
    sections = read(read_html, html)[1]
    assert [line for *_, text in sections for line in text.split("\n")] == STRUCTURES[html]


def test_what_html_hides_is_counted() -> None:
    document = read_html(b"<nav>Home</nav><nav>Up</nav><p hidden>a b</p><button>Go</button>x", PATH)
    assert document.skipped == {
        "<nav> element": (2, 6),
        "hidden element": (1, 2),
        "form control": (1, 2),
    }
    assert str(document.skipped) == (
        "2 × <nav> element (6 characters), 1 × form control (2 characters), "
        "1 × hidden element (2 characters)"
    )


@pytest.mark.parametrize(
    ("html", "kinds"),
    [
        ("<p>a<script>b <p>c", {"<script> without its end": (1, 6)}),
        ("<p>a<style>b<p>c", {"<style> without its end": (1, 6)}),
        ("<img alt='A map'><img>a", {"picture with a description": (1, 4)}),
        ("<div>\n<a>&lt;-previous</a><a>Contents</a>\n</div>a", {"row of links": (1, 18)}),
        ("<p><a>Prev</a> | | <a>Next</a> |</p>a", {"row of links": (1, 11)}),
        ("<div class='x navheader'>Next</div>a", {"navigation": (1, 4)}),
        ("<ul role=navigation><li>Up</ul><div id=footer>By B</div>a", {"navigation": (2, 5)}),
        ("<noembed>b</noembed><applet>c</applet>a", {"fallback text": (2, 2)}),
    ],
)
def test_no_element_hides_text_without_a_count(html: str, kinds: dict[str, object]) -> None:
    document = read_html(html.encode(), PATH)
    assert [section.paragraphs for section in document.sections] == [("a",)]
    assert document.skipped == kinds


def test_many_marks_without_an_end_are_read_quickly() -> None:
    for mark in ("<!-- a ", "<title>a ", "<textarea>a "):
        read(read_html, mark * 50_000)


def test_deeply_nested_html_is_read() -> None:
    assert read(read_html, "<b>" * 5000 + "x")[1] == [("", "", "x")]
    assert read(read_html, "<math>" + "<mrow>" * 5000 + "x")[1] == [("", "", "x")]


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
    document = read_pdf(pdf(pages), PATH)
    assert len(list(document.sections)) == 2
    assert document.skipped == {"page without text": (1, 0)}
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


def w(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def p(content: str) -> str:
    return f"<w:p>{content}</w:p>"


def m(name: str, text: str) -> str:
    return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"


BOX = f"<w:txbxContent>{p(w('In a box.'))}</w:txbxContent>"
WORD = {
    f"<w:sdt><w:sdtContent>{p(w('The rent is '))}</w:sdtContent></w:sdt>": ["The rent is"],
    p(f"{w('By ')}<w:sdt><w:sdtContent>{w('Ann')}</w:sdtContent></w:sdt>{w('.')}"): ["By Ann."],
    p(f"{w('a')}<w:ins>{w('b')}</w:ins><w:del><w:r><w:delText>c</w:delText></w:r></w:del>"): ["ab"],
    p(f"<w:moveFrom>{w('a')}</w:moveFrom><w:moveTo>{w('b')}</w:moveTo>"): ["b"],
    p(f"<w:hyperlink>{w('a')}</w:hyperlink><w:fldSimple>{w('b')}</w:fldSimple>"): ["ab"],
    p(f"{w('A')}<w:r><mc:AlternateContent><mc:Choice><w:drawing>{BOX}</w:drawing></mc:Choice>"
      f"<mc:Fallback><w:pict>{BOX}</w:pict></mc:Fallback></mc:AlternateContent></w:r>{w('b')}"):
        ["Ab", "In a box."],
    p(f"{w('A')}<w:r><w:footnoteReference w:id='2'/></w:r>{w('b')}"): ["Ab", "A note."],
    p("<m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r>"
      "<m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"): ["E=mc^2"],
    p(f"{w('a')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>b</w:t></w:r><w:r><w:tab/><w:t>c</w:t></w:r>"):
        ["a c"],
    f"<w:tbl><w:tr><w:tc>{p(w('a'))}<w:tbl><w:tr><w:tc>{p(w('b'))}</w:tc><w:tc>{p(w('c'))}</w:tc>"
    f"</w:tr></w:tbl></w:tc><w:tc>{p(w('d'))}</w:tc></w:tr><w:sdt><w:sdtContent><w:tr><w:tc>"
    f"{p(w('e'))}</w:tc></w:tr></w:sdtContent></w:sdt></w:tbl>": ["a b | c | d", "e"],
    p(w("10") + "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>6</w:t></w:r>"):
        ["10⁶"],
    p("<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>" + w("One ")) + p(w("line.")) + p(w("b")):
        ["One line.", "b"],
    p(w("a ") + "<w:r><w:sym w:font='Symbol' w:char='F0B1'/><w:sym w:font='Symbol' w:char='F061'/>"
      "<w:sym w:font='Arial' w:char='2264'/></w:r>" + w("5")): ["a ±α≤5"],
    p("<w:r><w:fldChar><w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='Red'/>"
      "<w:listEntry w:val='Blue'/></w:ddList></w:ffData></w:fldChar></w:r>"): ["Blue"],
    p(f"<m:oMath><m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>{m('sub', 'i')}{m('sup', 'n')}"
      f"<m:e><m:sSubSup>{m('e', 'x')}{m('sub', 'i')}{m('sup', '2')}</m:sSubSup></m:e></m:nary>"
      f"<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=''/></m:dPr>{m('e', 'y')}</m:d>"
      "</m:oMath>"):
        ["∑_i^n (x_i^2)[y"],
    "<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val='restart'/></w:tcPr>" + p(w("fruit")) + "</w:tc>"
    "<w:tc>" + p(w("a")) + "</w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>"
    "<w:tc>" + p(w("b")) + "</w:tc></w:tr></w:tbl>": ["fruit | a", "fruit | b"],
}  # fmt: skip


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("body", WORD)
def test_docx_has_all_text_that_word_shows(body: str, strict: bool) -> None:
    data = docx_of(body, footnotes={"2": p(w("A note."))}, strict=strict)
    assert [line for *_, text in read(read_word, data)[1] for line in text.split("\n")] == WORD[
        body
    ]


def test_headings_of_docx_are_those_of_the_outline() -> None:
    outline = "<w:p><w:pPr><w:outlineLvl w:val='1'/></w:pPr>" + w("B") + "</w:p>"
    assert read(read_word, docx_of(outline + p(w("b"))))[1] == [("b", "B", "b")]


def test_what_word_hides_is_counted() -> None:
    deleted = "<w:del><w:r><w:delText>old text</w:delText></w:r></w:del>"
    body = p(w("a") + deleted + "<w:r><w:drawing><pic:pic/></w:drawing></w:r>")
    row = f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>{p(w('b'))}</w:tc></w:tr></w:tbl>"
    assert read_word(docx_of(body + row), PATH).skipped == {
        "tracked deletion": (2, 8),
        "picture": (1, 0),
    }
    symbol = p(w("a") + "<w:r><w:sym w:font='Wingdings' w:char='F0FC'/></w:r>")
    cell = f"<w:tbl><w:tr><w:tc><w:tcPr><w:cellDel/></w:tcPr>{p(w('b'))}</w:tc></w:tr></w:tbl>"
    assert read_word(docx_of(symbol + cell), PATH).skipped == {
        "symbol": (1, 0),
        "tracked deletion": (1, 1),
    }


@pytest.mark.parametrize("strict", [False, True])
def test_headers_footers_and_comments_of_docx_are_counted_by_kind(strict: bool) -> None:
    comments = "".join(f"<w:comment>{p(w(text))}</w:comment>" for text in ("Who?", "Me."))
    others = {"header": p(w("Draft 3")), "footer": p(w("page")) + p(""), "comments": comments}
    commented = "<w:commentRangeStart/>" + w("a") + "<w:r><w:commentReference/></w:r>"
    document = read_word(docx_of(p(commented), others=others, strict=strict), PATH)
    assert [section.paragraphs for section in document.sections] == [("a",)]
    assert document.skipped == {"header": (1, 6), "footer": (1, 4), "comment": (2, 7)}


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", docx(["x"])[:-30]])
def test_a_damaged_docx(data: bytes) -> None:
    with pytest.raises(DataError, match=r"a\.file: not a valid DOCX \(.*open and save it again"):
        read_word(data, PATH)


@pytest.mark.parametrize(("read", "module"), [(read_pdf, "pypdf")])
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
