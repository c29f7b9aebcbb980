"""Decode the text of a document: UTF-8, UTF-16 or UTF-32 with a mark, or a detected encoding."""

import codecs
from importlib.util import find_spec
from pathlib import Path

from ...core.errors import DataError, MissingExtraError
from ...core.text.detection import detect_language

_MARKS = {  # UTF-32's begins with UTF-16's
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SAMPLE = 100_000  # bytes to detect an encoding from
_WESTERN = {
    *("af", "ca", "da", "de", "en", "es", "eu", "fi", "fr", "ga", "gl", "id", "is", "it", "lb"),
    *("ms", "nb", "nl", "nn", "no", "oc", "pt", "sv", "sw"),
}
_TYPOGRAPHY = frozenset("‘’“”„‚‹›«»–—…•·€£§°©®™†‰¡¿±²³¼½¾ªº´\u00a0\u00ad")
_ACCENTED = 0.3  # of the letters, at most, in Western European text
_OTHERS = [
    *("cp1250", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]


def decode(data: bytes, path: Path, *, declared: str = "") -> str:
    """The text of a file; `declared` is an encoding to try if it is not UTF-8.

    Raises:
        DataError: if its encoding is unknown, or it is damaged.
        MissingExtraError: if the package that detects encodings is needed and not installed.
    """
    encoding = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8" or b"\0" in data or _mostly_utf8(data):
            raise DataError(f"{path} is not {encoding.upper()} text ({error})") from error
    for name in (declared, _detected(data, path)):
        try:
            if name:
                return data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    raise DataError(f"{path} has an unknown encoding; convert it to UTF-8")


def _mostly_utf8(data: bytes) -> bool:
    """Whether more of its non-ASCII characters are valid UTF-8 than are not: it is damaged."""
    beyond = [char for char in data.decode(errors="replace") if char > "\x7f"]
    return 2 * beyond.count("\ufffd") < len(beyond)


def _detected(data: bytes, path: Path) -> str:
    """Windows-1252, or the encoding that charset-normalizer detects, or ""."""
    sample = data[:_SAMPLE]
    if _is_western(sample.decode("cp1252", errors="replace")):
        return "cp1252"
    if find_spec("charset_normalizer") is None:
        raise MissingExtraError(
            f"{path} is not UTF-8 text; convert it, or detect its encoding with: "
            "pip install 'xorqa[docs]'"
        )
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_OTHERS).best()
    return best.encoding if best else ""


def _is_western(text: str) -> bool:
    """Whether Windows-1252 is the encoding: charset-normalizer confuses it with its like."""
    beyond = [char for char in text if char > "\x7f"]
    accented = sum(map(str.isalpha, beyond))
    return (
        all(char.isalpha() or char in _TYPOGRAPHY for char in beyond)
        and accented <= _ACCENTED * sum(map(str.isalpha, text))
        and detect_language(text) in _WESTERN
    )
