"""Small PDF and DOCX files, written without a library."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from types import MappingProxyType
from zipfile import ZipFile

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_NAMESPACES = {
    "w": _W,
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
}
_STRICT = {  # ISO/IEC 29500-1
    _W: "http://purl.oclc.org/ooxml/wordprocessingml/main",
    _OFFICE: "http://purl.oclc.org/ooxml/officeDocument/relationships",
    _NAMESPACES["m"]: "http://purl.oclc.org/ooxml/officeDocument/math",
}
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/><Override PartName="/word/document.xml" '
    f'ContentType="{_TYPE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_TYPE}.styles+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    f'<Relationship Id="r2" Type="{_OFFICE}/footnotes" Target="/word/footnotes.xml"/>'
    "</Relationships>",
    "word/styles.xml": f'<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:styleId="Otsikko1">'
    '<w:name w:val="heading 1"/></w:style></w:styles>',
}


def pdf(pages: Sequence[Sequence[str]], *, title: str = "") -> bytes:
    """A PDF with a page per list of lines, in Latin letters."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    kids = []
    for lines in pages:
        shown = " ".join(f"({_escaped(line)}) Tj T*" for line in lines)
        content = f"BT /F1 12 Tf 14 TL 72 720 Td {shown} ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Contents {len(objects) + 2} 0 R /Resources << /Font << /F1 {font} >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    objects.append(f"<< /Title ({_escaped(title)}) >>")
    return _numbered(objects)


def _escaped(text: str) -> str:
    for char in "\\()":
        text = text.replace(char, f"\\{char}")
    return text


def _numbered(objects: Sequence[str]) -> bytes:
    """The objects of a PDF, with the table of their positions."""
    out = b"%PDF-1.4\n"
    table = b""
    for number, content in enumerate(objects, 1):
        table += f"{len(out):010d} 00000 n \n".encode()
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\n"
    return (
        b"".join((out, f"xref\n0 {size}\n0000000000 65535 f \n".encode(), table, trailer.encode()))
        + f"startxref\n{len(out)}\n%%EOF\n".encode()
    )


def docx(paragraphs: Sequence[str]) -> bytes:
    """A DOCX with paragraphs of plain text; those that begin with `#` and a space are headings."""
    return docx_of("".join(map(_paragraph, paragraphs)))


def docx_of(
    body: str,
    *,
    footnotes: Mapping[str, str] = MappingProxyType({}),
    others: Mapping[str, str] = MappingProxyType({}),
    strict: bool = False,
) -> bytes:
    """A DOCX of WordprocessingML, in the transitional form of the format or in the strict one.

    `others` are the contents of further parts, by the kind of their relation, such as `header`.
    """
    names = " ".join(f'xmlns:{prefix}="{name}"' for prefix, name in _NAMESPACES.items())
    notes = "".join(
        f'<w:footnote w:id="{key}">{note}</w:footnote>' for key, note in footnotes.items()
    )
    parts = {
        **_PARTS,
        "word/document.xml": f"<w:document {names}><w:body>{body}</w:body></w:document>",
        "word/footnotes.xml": f"<w:footnotes {names}>{notes}</w:footnotes>",
    }
    relations = ""
    for number, (kind, content) in enumerate(others.items(), 3):
        parts[f"word/{kind}.xml"] = f"<w:{kind} {names}>{content}</w:{kind}>"
        relations += f'<Relationship Id="r{number}" Type="{_OFFICE}/{kind}" Target="{kind}.xml"/>'
    relation_file = "word/_rels/document.xml.rels"
    parts[relation_file] = parts[relation_file].replace("</R", f"{relations}</R")
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in parts.items():
            written = text
            for transitional, other in _STRICT.items() if strict else ():
                written = written.replace(transitional, other)
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{written}')
    return stream.getvalue()


def _paragraph(text: str) -> str:
    style = '<w:pPr><w:pStyle w:val="Otsikko1"/></w:pPr>' if text.startswith("# ") else ""
    return f"<w:p>{style}<w:r><w:t>{text.removeprefix('# ')}</w:t></w:r></w:p>"
