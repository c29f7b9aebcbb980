"""Archives of XML parts, such as DOCX, whose parts fit into memory.

A parser needs many times the bytes of a part: 390 KB of empty paragraphs would need 800 MB.
"""

from io import BytesIO
from zipfile import ZipFile, ZipInfo

_MOST_BYTES = 100_000_000  # of XML, unpacked
_MOST_TAGS = 3_000_000  # of one part: an element needs some 200 bytes
_XML = (".xml", ".rels")
_DECLARATIONS = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))


class XmlArchive(ZipFile):
    """An archive that reads only parts which are small enough and declare no entities.

    The formats of office files forbid document types, by which a few bytes unpack to gigabytes and
    a text may name what no reader resolves.
    """

    def read(self, name: str | ZipInfo, pwd: bytes | None = None) -> bytes:
        """The bytes of a part. Raises ValueError for one that is not as described."""
        part = name if isinstance(name, ZipInfo) else self.getinfo(name)
        _check_size(part.file_size)
        data = super().read(part, pwd)
        if any(mark in data for mark in _DECLARATIONS):
            raise ValueError(f"{part.filename} declares a document type, for entities")
        if data.count(b"<") > _MOST_TAGS:
            raise ValueError(f"{part.filename} has more than {_MOST_TAGS:,} tags")
        return data


def open_archive(data: bytes) -> XmlArchive:
    """Open an archive, and check all parts that are XML by their names.

    Raises:
        ValueError: for a part that is too large or declares a document type.
        BadZipFile: if it is no archive.
    """
    archive = XmlArchive(BytesIO(data))
    parts = [part for part in archive.infolist() if part.filename.lower().endswith(_XML)]
    _check_size(sum(part.file_size for part in parts))
    for part in parts:
        archive.read(part)
    return archive


def _check_size(size: int) -> None:
    if size > _MOST_BYTES:
        raise ValueError(f"its XML unpacks to more than {_MOST_BYTES // 1_000_000} MB")
