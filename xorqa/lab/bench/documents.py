"""How much of the text of documents is in their passages, by format and script.

The text of a file is extracted a second time, by other means than the readers': HTML by Python's
tokenizer, DOCX by its text elements, PDF by Poppler's pdftotext if it is installed. A character
counts as read if its word is in the passages, each word as often as in the file.
"""

import bz2
import gzip
import html
import re
import shutil
import subprocess
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile

from ...core.errors import DataError
from ...core.progress import Progress, silent
from ...core.text.words import word_spans
from ...datasets.corpora import layouts
from ...datasets.corpora.document_pages import SIZE, document_passages
from ...datasets.corpora.sources import Source, find_sources
from ...datasets.documents.document import Skipped
from ...io.encodings import decode

OTHER = "other"  # signs of no script, such as digits


@dataclass
class Survey:
    """The characters of files of a format, by script; letters and digits only."""

    files: int = 0
    text: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    kinds: Skipped = field(default_factory=Skipped)
    short: dict[str, float] = field(default_factory=dict)
    """The shares of the files of which less than `LEAST` was read."""

    def share(self, script: str = "") -> float:
        """The share that was read of the text that was not skipped."""
        scripts = [script] if script else [*self.text]
        visible = sum(self.text[name] - self.skipped[name] for name in scripts)
        return sum(self.read[name] for name in scripts) / visible if visible else 1.0


LEAST = 0.99


def survey(
    folder: Path, *, progress: Progress = silent
) -> tuple[dict[str, Survey], dict[str, str]]:
    """Read all documents of a folder; returns a survey per format, and errors by file.

    Raises:
        DataError: if the folder has no file that can be read.
    """
    surveys: dict[str, Survey] = {}
    errors: dict[str, str] = {}
    found = find_sources([folder]) if folder.is_dir() else []
    sources = [source for source in found if layouts.layout(source.path) in _TEXTS]
    if not sources:
        raise DataError(f"{folder} has no documents; there must be {', '.join(sorted(_TEXTS))}")
    for done, source in enumerate(sources, 1):
        try:
            _add(surveys.setdefault(layouts.layout(source.path), Survey()), source)
        except DataError as error:
            errors[source.name] = str(error)
        progress(done, len(sources))
    return surveys, errors


def _add(total: Survey, source: Source) -> None:
    given = characters(text_of(source.path))
    out, kinds = passage_text(source.path)
    if layouts.layout(source.path) == ".csv":
        out = _without_names(out)
    read = common(given, characters(out))
    text = by_script("".join(word * n for word, n in given.items()))
    lost = text.total() - read.total()
    explained = min(lost, sum(count for _, count in kinds.values()))
    total.files += 1
    total.text += text
    total.read += read
    total.kinds.update_by(kinds)
    for script, count in (text - read).items():  # as if every script had its part of the skipped
        total.skipped[script] += round(count * explained / lost)
    if lost - explained > (1 - LEAST) * (text.total() - explained):
        total.short[source.name] = read.total() / (text.total() - explained)


def characters(text: str) -> Counter[str]:
    """The words of a text, in Unicode's normal form NFKC, with letters or digits."""
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "")
    words = (text[span.start : span.end] for span in word_spans(text))
    return Counter(word for word in words if any(map(str.isalnum, word)))


def common(given: Counter[str], read: Counter[str]) -> Counter[str]:
    """The characters of words that both have, by script.

    Of other words, such as those that a line end divides, the common characters.
    """
    both = given & read
    rest = _letters(given - both) & _letters(read - both)
    return by_script("".join(word * n for word, n in both.items())) + by_script(
        "".join(rest.elements())
    )


def _letters(words: Counter[str]) -> Counter[str]:
    return Counter("".join(word * n for word, n in words.items()))


def by_script(text: str) -> Counter[str]:
    """The numbers of characters of each script."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        counts[_script(char)] += count
    return counts


@cache
def _script(char: str) -> str:
    name = unicodedata.name(char, "").split()[0:1]
    if not name or not unicodedata.category(char).startswith(("L", "M")):
        return OTHER
    first = name[0].lower().removesuffix("-ideograph")
    return OTHER if first in {"combining", "modifier"} else first


def passage_text(path: Path) -> tuple[str, Skipped]:
    """The text and headings of a file's passages, each heading once, and what was skipped."""
    texts: list[str] = []
    path_before: list[str] = []
    kinds = Skipped()
    for page in layouts.pages(path):
        headings = page.title.split(" / ")
        common_headings = 0
        while headings[: common_headings + 1] == path_before[: common_headings + 1]:
            common_headings += 1
            if common_headings >= len(headings):
                break
        texts += headings[common_headings:]
        path_before = headings
        texts += (passage.text for passage in document_passages(page, lang=None, size=SIZE))
        kinds.update_by(page.skipped)
    return "\n".join(texts), kinds


def text_of(path: Path) -> str:
    """The text of a file, extracted by other means than a reader's.

    Raises:
        DataError: if it cannot be read.
    """
    return _TEXTS[layouts.layout(path)](_bytes(path), path)


def _bytes(path: Path) -> bytes:
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress}.get(path.suffix.lower(), bytes)
    return unpack(path.read_bytes())


class _Data(HTMLParser):
    """All character data of HTML except the title, scripts and styles."""

    _SILENT = ("script", "style", "template", "title")

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._inside = self._inside or (tag if tag in self._SILENT else "")
        self.pieces += [] if tag in _INLINE else [" "]

    def handle_endtag(self, tag: str) -> None:
        self._inside = "" if tag == self._inside else self._inside
        self.pieces += [] if tag in _INLINE else [" "]

    def handle_data(self, data: str) -> None:
        self.pieces += [] if self._inside else [data]


_INLINE = {"a", "abbr", "b", "code", "em", "font", "i", "kbd", "small", "span", "strong", "tt", "u"}
_DOCX_PARTS = re.compile(r"word/(document\d*|footnotes|endnotes)\.xml")
_DOCX_TEXT = re.compile(r"<(?:\w+:)?(?:t(?: [^>]*)?>([^<]*)|(?:p|tab|br|tc)\b)")
_FALLBACK = re.compile(r"<mc:Fallback>.*?</mc:Fallback>", re.DOTALL)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)


def _html(data: bytes, path: Path) -> str:
    match = _CHARSET.search(data[:2048])
    return _data(decode(data, path, declared=match[1].decode("ascii") if match else ""))


def _data(text: str) -> str:
    parser = _Data()
    parser.feed(text)
    parser.close()
    return "".join(parser.pieces)


def _markdown(data: bytes, path: Path) -> str:
    from markdown_it import MarkdownIt

    return _data(MarkdownIt("commonmark").enable("table").render(decode(data, path)))


def _docx(data: bytes, path: Path) -> str:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = filter(_DOCX_PARTS.fullmatch, archive.namelist())
            parts = [archive.read(name).decode(errors="replace") for name in names]
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error
    texts = (_DOCX_TEXT.finditer(_FALLBACK.sub("", part)) for part in parts)
    return "".join(html.unescape(match[1] or " ") for part in texts for match in part)


def _pdf(data: bytes, path: Path) -> str:
    if shutil.which("pdftotext") is None:
        return passage_text(path)[0]
    with NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        command = ["pdftotext", "-enc", "UTF-8", file.name, "-"]
        result = subprocess.run(command, capture_output=True, check=False)
    return result.stdout.decode(errors="replace")


def _without_names(text: str) -> str:
    """The cells of rows, with each column's name only once."""
    seen: set[str] = set()
    return "\n".join(_cells(text.split("\n"), seen))


def _cells(lines: Iterable[str], seen: set[str]) -> Iterator[str]:
    for line in lines:
        name, colon, cell = line.partition(": ")
        yield cell if colon and name in seen else line
        seen.add(name)


_TEXTS: dict[str, Callable[[bytes, Path], str]] = {
    **dict.fromkeys((".txt", ".text", ".csv"), decode),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _html),
    **dict.fromkeys((".md", ".markdown"), _markdown),
    ".docx": _docx,
    ".pdf": _pdf,
}
