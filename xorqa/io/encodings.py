"""Text files as UTF-8: compressed or not, with a byte order mark, a declared encoding, or none."""

import bz2
import gzip
import os
import re
import stat
import warnings
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE, lookup
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import BinaryIO, cast

from ..core.devices import is_named_pipe
from ..core.errors import ConfigError, DataError, Notice
from .encoding_guess import decodes, guess, guess_wide, plausibility

PACKED = (".bz2", ".gz")
_MARKS = {  # UTF-32's begins with UTF-16's
    BOM_UTF8: "utf-8-sig",
    BOM_UTF32_LE: "utf-32",
    BOM_UTF32_BE: "utf-32",
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
}
_FEW = 20  # of this many bytes, one may be a control character
_CODECS = {"gbk": "gb18030", "hz": "hz", "iso-2022-jp": "iso2022_jp_ext", "utf-16-le": "utf-8"}
"""Python's codecs that decode more of what WHATWG's do, by webencodings' names of theirs."""
_UNKNOWN_TO_WHATWG = {"hz-gb-2312": "hz", "iso-2022-kr": "iso2022_kr", "utf-7": "utf-7"}


@contextmanager
def open_utf8(path: Path) -> Iterator[BinaryIO]:
    """Open a file as UTF-8 without a byte order mark; `.gz` and `.bz2` are unpacked.

    Raises:
        DataError: if it cannot be read, also within the block.
    """
    if is_named_pipe(path):
        raise DataError(f"{path} is a pipe, which may never be written to; name a file")
    try:
        with path.open("rb") as raw, unpacked(raw, path) as stream:
            if stat.S_ISCHR(os.fstat(raw.fileno()).st_mode) and not raw.isatty():
                raise DataError(f"{path} is a device, which may have no end; name a file")
            yield as_utf8(stream, path)
    except (EOFError, zlib.error) as error:
        raise DataError(f"{path} is truncated or damaged ({error}); download it again") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


def read_utf8(path: Path) -> bytes:
    """The bytes of a file as `open_utf8` opens it."""
    with open_utf8(path) as stream:
        return stream.read()


def unpacked(raw: BinaryIO, path: Path) -> BinaryIO:
    """The stream of an open file, unpacked if its suffix is `.gz` or `.bz2`."""
    packed = path.suffix.lower()
    if packed == ".bz2":
        return cast(BinaryIO, bz2.open(raw))
    return cast(BinaryIO, gzip.open(raw)) if packed == ".gz" else raw


def as_utf8(stream: BinaryIO, path: Path, encoding: str = "") -> BinaryIO:
    """The stream without its mark, recoded from UTF-16, UTF-32 or the given encoding.

    Raises:
        DataError: if it is not in that encoding.
    """
    if encoding:
        stream = recoded(stream, path, encoding)
    buffered = stream if hasattr(stream, "peek") else cast(BinaryIO, BufferedReader(stream))
    mark = _mark(buffered.peek(4)[:4])  # type: ignore[attr-defined]
    if mark == "utf-8-sig":
        buffered.read(len(BOM_UTF8))
    elif mark:
        return BytesIO(_strictly(buffered.read(), mark, path).encode())
    return buffered


def recoded(stream: BinaryIO, path: Path, encoding: str) -> BinaryIO:
    """The text in UTF-8 with a mark, which counts for more than what it declares."""
    text = _strictly(stream.read(), encoding, path)
    return BytesIO(BOM_UTF8 + text.removeprefix("\ufeff").encode())


def checked_encoding(name: str) -> str:
    """A name that Python knows.

    Raises:
        ConfigError: if it is unknown, or is not an encoding of text.
    """
    try:
        if not isinstance("".encode(name), bytes):
            raise LookupError
        return lookup(name).name
    except (LookupError, ValueError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"no encoding is called '{name:.40}'; use a name such as windows-1251, ibm866, "
            "iso-8859-2, shift_jis, gb18030"
        ) from error


def _mark(head: bytes) -> str:
    return next((name for mark, name in _MARKS.items() if head.startswith(mark)), "")


def _strictly(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        raise DataError(f"{path} is not {encoding.upper()} text ({error})") from error


def decode(data: bytes, path: Path, *, declared: str = "") -> str:
    """The text of a file: by its mark, as UTF-8, by its declared encoding, or by a guess.

    `declared` is a label of WHATWG's Encoding Standard (2026), as in an HTML page. A guess is
    named in a `Notice`.

    Raises:
        DataError: if its encoding is unknown, or it is damaged.
    """
    if mark := _mark(data[:4]):
        return _strictly(data, mark, path)
    named = _codec(declared)
    is_utf8, hidden = decodes(data, "utf-8"), _hidden(data)
    if is_utf8 and not hidden and not (named and _better(named, data)):
        return data.decode()
    if named and decodes(data, named):
        return data.decode(named)
    if not is_utf8 and _mostly_utf8(data):
        return _strictly(data, "utf-8", path)
    guessed = hidden or guess(data)
    if not guessed:
        raise DataError(
            f"{path} has an unknown encoding, or is no text; convert it to UTF-8, or name the "
            f"encoding: xorqa corpus make {path} --encoding NAME ..."
        )
    instead = f", not {declared} as it declares" if declared else ""
    message = (
        f"{path} is read as {spoken(guessed)}{instead}, a guess; for another encoding: "
        "xorqa corpus make FILE --encoding NAME --out OUT"
    )
    warnings.warn(Notice(message, kind="guessed encoding"), stacklevel=2)
    return data.decode(guessed)


_SPOKEN = {
    **{f"cp125{digit}": f"windows-125{digit}" for digit in range(9)},
    **{"cp874": "windows-874", "cp932": "shift_jis (cp932)", "cp949": "euc-kr (cp949)"},
    **{"cp866": "ibm866", "mac-roman": "macintosh", "mac-cyrillic": "x-mac-cyrillic"},
    **{"euc_jis_2004": "euc-jp", "iso2022_jp_ext": "iso-2022-jp", "iso2022_jp_2": "iso-2022-jp"},
    **{"big5hkscs": "big5"},
}


def spoken(name: str) -> str:
    """The common name of a codec of Python's."""
    return _SPOKEN.get(name, name.replace("iso8859", "iso-8859"))


def _codec(label: str) -> str:
    """Python's name of a declared encoding; "" if there is none."""
    from webencodings import lookup as look_up

    label = label.strip().lower()
    if label in _UNKNOWN_TO_WHATWG:
        return _UNKNOWN_TO_WHATWG[label]
    found = look_up(label)
    if found is None or found.name in ("replacement", "x-user-defined"):
        return ""
    return _CODECS.get(found.name, str(found.codec_info.name))


_CONTROLS = bytes({*range(0x20)} - set(b"\t\n\f\r\x1a\x1b"))


def _hidden(data: bytes) -> str:
    """An encoding that looks like ASCII, or like no text, by its bytes: a 7-bit one or UTF-16."""
    if b"\x1b$" in data or b"\x1b(" in data or b"~{" in data:
        return guess(data)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return guess_wide(data) if _FEW * controls > len(data) else ""


def _better(named: str, data: bytes) -> bool:
    """Whether text in UTF-8 is more plausible in its declared encoding: "联通" in GBK."""
    if named == "utf-8" or not decodes(data, named):
        return False
    return plausibility(data.decode(named)) > plausibility(data.decode())


def _mostly_utf8(data: bytes) -> bool:
    """Whether more of its non-ASCII characters are valid UTF-8 than are not: it is damaged."""
    beyond = [char for char in data.decode(errors="replace") if char > "\x7f"]
    return 2 * beyond.count("\ufffd") < len(beyond)


_IN_XML = re.compile(rb"\A\s*<\?xml[^>]*?\bencoding\s*=\s*[\"']([\w.:-]+)")
_IN_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def declared_charset(page: bytes) -> str:
    """The label of an encoding that an HTML or XHTML page declares, or ""."""
    head = _COMMENT.sub(b"", page[:4096])
    found = _IN_XML.search(head) or _IN_META.search(head)
    return found[1].decode("ascii") if found else ""
