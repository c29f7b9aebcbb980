"""Archives that would unpack to much are refused before anything of them is parsed."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from xorqa.core.errors import DataError
from xorqa.datasets.documents import archive
from xorqa.datasets.documents.archive import open_archive
from xorqa.datasets.documents.word import read_word
from xorqa.lab.bench.fuzz.documents import docx


def zipped(**parts: bytes) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as target:
        for name, content in parts.items():
            target.writestr(name.replace("_", "."), content)
    return stream.getvalue()


def test_parts_of_ordinary_size_are_read() -> None:
    with open_archive(docx(["x"])) as opened:
        assert "word/document.xml" in opened.namelist()


def test_the_bytes_and_tags_of_xml_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_BYTES", 3_000_000)
    monkeypatch.setattr(archive, "_MOST_TAGS", 100_000)
    picture = bytes(4_000_000)
    open_archive(zipped(a_xml=b"<p/>" * 100_000, b_rels=b"x" * 2_000_000, picture_png=picture))
    with pytest.raises(ValueError, match="its XML unpacks to more than 3 MB"):
        open_archive(zipped(a_xml=b"x" * 2_000_000, b_rels=b"x" * 2_000_000))
    with pytest.raises(ValueError, match=r"a\.xml has more than 100,000 tags"):
        open_archive(zipped(a_xml=b"<p/>" * 100_001))
    with open_archive(zipped(a_png=b"<p/>" * 100_001, b_png=picture)) as opened:  # by any name
        for name in ("a.png", "b.png"):
            with pytest.raises(ValueError, match=r"tags|unpacks"):
                opened.read(name)


@pytest.mark.parametrize("code", ["utf-8", "utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("before", [0, (1 << 20) - 5])
def test_a_document_type_is_refused_in_every_encoding(code: str, before: int) -> None:
    text = " " * before + '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'
    with pytest.raises(ValueError, match=r"a\.xml declares a document type"):
        open_archive(zipped(a_xml=text.encode(code)))


@pytest.mark.parametrize("dtd", ["<!DOCTYPE x>", ""])
def test_a_docx_with_an_unresolved_entity_says_so(dtd: str) -> None:
    pytest.importorskip("docx")
    stream = BytesIO()
    with ZipFile(BytesIO(docx(["25 EUR"]))) as source, ZipFile(stream, "w") as target:
        for name in source.namelist():
            text = source.read(name).decode().replace("EUR", "&euro;")
            target.writestr(name, text.replace("<w:document", f"{dtd}<w:document", 1))
    with pytest.raises(DataError, match=r"(?i)entit") as error:
        read_word(stream.getvalue(), Path("prices.docx"))
    assert "\n" not in str(error.value) and "prices.docx: not a valid DOCX" in str(error.value)
