"""Small files that unpack to much: each must be refused or read within a limit of memory.

They are read one after the other by a process of its own, whose memory is limited (Linux).
"""

import gzip
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from ....core.errors import DataError
from ....core.progress import Progress, silent
from ....datasets.corpus import read_corpus
from ....io.strict_json import parse_json
from ..fuzz.documents import docx
from ..fuzz.judgement import failure_of
from .measure import Outcome

MEMORY = 1 << 30  # bytes
_MIB = 1 << 20
_EXHAUSTED = ("MemoryError", "TimeoutError", "did not end")
_DTD = "<!DOCTYPE x [{}]>"


def explode(
    kinds: Sequence[str] = (), *, memory: int = MEMORY, progress: Progress = silent
) -> list[Outcome]:
    """Read bombs, by default all; the status is 200 if it was read, 422 if it was refused."""
    kinds = kinds or [*BOMBS]
    with TemporaryDirectory() as folder:
        for name in kinds:
            Path(folder, name).write_bytes(BOMBS[name]())
        command = [sys.executable, "-m", __name__, folder, str(memory), *kinds]
        outcomes = []
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout or ():
                outcomes.append(Outcome(**parse_json(line)))
                progress(len(outcomes), len(kinds))
        if len(outcomes) < len(kinds):
            ended = f"the process ended with status {child.returncode}"
            outcomes.append(Outcome(f"bomb {kinds[len(outcomes)]}", -1, 0.0, ended))
        return outcomes


def _packed(head: bytes, body: bytes, times: int, tail: bytes = b"") -> bytes:
    """A gzip file of `times` bodies; its members are the same bytes again and again."""
    return gzip.compress(head) + gzip.compress(body) * times + gzip.compress(tail)


def _line(head: str, tail: str = "", *, unit: str = "x") -> bytes:
    return _packed(head.encode(), unit.encode() * _MIB, 600, tail.encode())


def _docx(paragraph: str, times: int, *, dtd: str = "") -> bytes:
    """A DOCX whose text is a paragraph's XML many times."""
    stream = BytesIO()
    with ZipFile(BytesIO(docx(["@"]))) as source, ZipFile(stream, "w", ZIP_DEFLATED) as target:
        for name in source.namelist():
            text = source.read(name).decode()
            if name == "word/document.xml":
                begin, end = text.index("<w:p>"), text.index("</w:p>") + len("</w:p>")
                head = text[:begin].replace("<w:document", f"{dtd}<w:document", 1)
                text = head + paragraph * times + text[end:]
            target.writestr(name, text)
    return stream.getvalue()


def _pdf(size: int) -> bytes:
    """A PDF whose page unpacks to `size` bytes."""
    stream = zlib.compress(b" " * size, 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    numbered = enumerate(objects, 1)
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % each for each in numbered)
    return b"%PDF-1.4\n" + body + b"trailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n"


_LAUGHS = _DTD.format(
    '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
)
_RUN = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"

_ROW = "<w:tr><w:tc><w:tcPr>{}</w:tcPr>{}</w:tc></w:tr>"


def _table(times: int, cell: str, properties: str, first: str = "") -> bytes:
    """A DOCX of a table with a row many times."""
    row = _ROW.format(properties, cell)
    return _docx(f"<w:tbl>{first}{row * times}</w:tbl>", 1)


BOMBS: Mapping[str, Callable[[], bytes]] = {
    "paragraphs.docx": partial(_docx, "<w:p/>", 20 * _MIB),
    "one-word.docx": partial(_docx, _RUN.format("x" * _MIB), 400),
    "laughs.docx": partial(_docx, _RUN.format("&a9;"), 1, dtd=_LAUGHS),
    "unresolved.docx": partial(_docx, _RUN.format("25 &euro;"), 1, dtd=_DTD.format("")),
    "span.docx": partial(_table, 1, _RUN.format("x"), f'<w:gridSpan w:val="{"9" * 5000}"/>'),
    "merged.docx": partial(
        _table,
        100_000,
        "<w:p/>",
        "<w:vMerge/>",
        _ROW.format('<w:vMerge w:val="restart"/>', _RUN.format("word " * 20_000)),
    ),
    "page.pdf": partial(_pdf, 600 * _MIB),
    "line.jsonl.gz": partial(_line, '{"text": "', '"}\n'),
    "blanks.jsonl.gz": partial(_line, "", '{"text": "x"}\n', unit=" "),
    "line.tsv.gz": partial(_line, "id\ttext\ttitle\n1\t", "\tx\n"),
    "line.trec.gz": partial(_line, "<DOC>\n<DOCNO>1</DOCNO>\n<TEXT>\n", "\n</TEXT>\n</DOC>\n"),
    "lines.trec.gz": partial(_line, "<DOC>\n", unit="x\n"),
    "paragraph.json.gz": partial(
        _line, '{"data": [{"title": "t", "paragraphs": [{"qas": [], "context": "', '"}]}]}'
    ),
    "page.xml.gz": partial(
        _line,
        "<mediawiki><page><id>1</id><title>t</title><revision><text>",
        "</text></revision></page></mediawiki>",
    ),
    "elements.xml.gz": partial(_line, "<mediawiki><page>", "</page></mediawiki>", unit="<b/>"),
    "a.txt.gz": partial(_line, ""),
    "a.md.gz": partial(_line, "# ", unit="# x\n"),
    "a.html.gz": partial(_line, "<p>", unit="<b>"),
    "a.csv.gz": partial(_line, "text\n", unit="x,"),
}


def _read_all(folder: Path, memory: int, kinds: Sequence[str]) -> None:
    """Read the bombs with a limit of memory, and print an outcome for each."""
    import resource

    used = int(Path("/proc/self/status").read_text().partition("VmData:")[2].split()[0]) << 10
    resource.setrlimit(resource.RLIMIT_DATA, (used + memory, used + memory))
    for name in kinds:
        start = time.monotonic()
        status, wrong = _result_of(folder / name)
        outcome = {"kind": f"bomb {name}", "status": status, "wrong": wrong}
        print(json.dumps(outcome | {"seconds": time.monotonic() - start}), flush=True)


def _result_of(path: Path) -> tuple[int, str]:
    """The status of reading a file, and what was wrong."""
    refused: list[str] = []

    def read() -> None:
        try:
            read_corpus(path)
        except DataError as error:  # which may hide what a parser ran out of
            refused.append(str(error))
            raise

    failure = failure_of(read)
    hidden = [name for name in _EXHAUSTED if name in "".join(refused)]
    wrong = failure or ", ".join(hidden)
    return (500 if wrong else 422 if failure is None else 200), wrong


if __name__ == "__main__":
    _read_all(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
