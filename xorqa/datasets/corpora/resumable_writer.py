"""Write several files together, with a record of the last complete state to resume from."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Self

from ...core.errors import DataError
from ...io.files import digest, write_json
from ...io.strict_json import parse_json
from ..documents.document import Skipped

_NAMES = 1_000  # of templates that are counted each
_RARE = "(other names)"


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of pages, passages and redirects written, and what was skipped.

    `templates` are those of wikitext that have no text, by name; the rarest of many names are
    counted together.
    """

    pages: int = 0
    passages: int = 0
    redirects: int = 0
    skipped: Skipped = field(default_factory=Skipped)
    templates: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, more: Counts) -> Counts:
        skipped = Skipped()
        for counts in (self.skipped, more.skipped):
            skipped.update_by(counts)
        templates = Counter(self.templates) + Counter(more.templates)
        if len(templates) > 2 * _NAMES:
            common = dict(templates.most_common(_NAMES))
            rest = templates.total() - sum(common.values())
            templates = Counter({**common, _RARE: common.get(_RARE, 0) + rest})
        return Counts(
            self.pages + more.pages,
            self.passages + more.passages,
            self.redirects + more.redirects,
            skipped,
            dict(templates),
        )


def partial_folder(out: Path) -> Path:
    """The folder of the partial files of `out`."""
    return out.with_name(f"{out.name}.part")


class ResumableWriter:
    """Files named by their suffixes, each with a header, in the folder `<out>.part`.

    Writing the same `content` resumes after the last record; other partial files are discarded,
    and so are those of input that is refused.
    """

    def __init__(self, out: Path, content: object, headers: Mapping[str, str]) -> None:
        self.out = out
        self.folder = partial_folder(out)
        self.headers = headers
        self._of = digest(content)
        self._note = self.folder / "note.json"
        self._streams: dict[str, BinaryIO] = {}
        self._stack = ExitStack()
        noted = self._noted()
        self.counts = Counts() + Counts(**noted["counts"]) if noted else Counts()
        self._sizes: dict[str, int] | None = noted["bytes"] if noted else None

    def _noted(self) -> dict[str, Any] | None:
        """The last record, if it is of the same content and the files are at least as long."""
        try:
            noted: dict[str, Any] = parse_json(self._note.read_bytes())
            if noted["of"] == self._of and all(
                self._file(kind).stat().st_size >= noted["bytes"][kind] for kind in self.headers
            ):
                return noted
        except (OSError, ValueError, KeyError, TypeError):
            pass
        return None

    def __enter__(self) -> Self:
        if self._sizes is None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
        for kind, header in self.headers.items():
            path = self._file(kind)
            stream: BinaryIO = path.open("wb") if self._sizes is None else path.open("r+b")
            self._streams[kind] = self._stack.enter_context(stream)
            if self._sizes is None:
                stream.write(header.encode())
            else:
                stream.seek(self._sizes[kind])
                stream.truncate()  # drop what was written after the record
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._stack.close()
        refused = kind is not None and issubclass(kind, DataError)
        stopped = kind is not None and not issubclass(kind, Exception)
        if refused or not (self.counts.passages or stopped):  # nothing to resume
            shutil.rmtree(self.folder, ignore_errors=True)

    def add(self, lines: Mapping[str, str], counts: Counts) -> None:
        """Append to the files and record their sizes, from which a killed process resumes."""
        self.counts += counts
        sizes = {}
        for kind, stream in self._streams.items():
            stream.write(lines[kind].encode(errors="replace"))  # wikitext can spell surrogates
            stream.flush()
            sizes[kind] = stream.tell()
        write_json(
            self._note, {"of": self._of, "counts": asdict(self.counts), "bytes": sizes}, indent=None
        )

    def finish(self, *, main: str) -> None:
        """Move the files to their final paths, the main one last; delete header-only files."""
        for kind, header in self.headers.items():
            path = self._file(kind)
            if kind != main and path.stat().st_size > len(header.encode()):
                path.replace(self.out.with_suffix(f".{kind}"))
        self._file(main).replace(self.out)
        shutil.rmtree(self.folder)

    def _file(self, kind: str) -> Path:
        return self.folder / kind
