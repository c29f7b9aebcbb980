"""Changes to a corpus by docid: passages to add or replace, and docids to delete."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..core.errors import DataError
from ..core.types import Passage
from ..io.files import atomic_path, read_jsonl, read_lines
from .corpora import jsonl
from .corpora.sources import all_pages, find_sources
from .corpus import Corpus, corpus_of

FIELDS = ("docid", "title", "text", "lang")
SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Changes:
    """The docids that an update concerns; `missing` were to be deleted, but have no passage."""

    added: tuple[str, ...]
    replaced: tuple[str, ...]
    deleted: tuple[str, ...]
    missing: tuple[str, ...]
    unchanged: int

    def __bool__(self) -> bool:
        return bool(self.added or self.replaced or self.deleted)


def apply_changes(
    corpus: Corpus, passages: Iterable[Passage], delete: Collection[str]
) -> tuple[Corpus, Changes]:
    """The corpus with these passages added or replaced and those docids deleted, and what changed.

    Passages keep their place, and new ones follow in order.

    Raises:
        DataError: if a docid is both given and deleted, or no passage is left.
    """
    given = {passage.docid: passage for passage in passages}
    gone = dict.fromkeys(delete)
    if both := next((docid for docid in gone if docid in given), None):
        raise DataError(f"docid '{both}' is both in --corpus and in --delete; choose one of them")
    kept = [given.get(p.docid, p) for p in corpus if p.docid not in gone]
    added = [passage for docid, passage in given.items() if corpus.get(docid) is None]
    if not kept and not added:
        raise DataError(f"the update deletes all passages of {corpus.name}; an index needs some")
    replaced = tuple(p.docid for p in kept if corpus[p.docid] != p)
    changes = Changes(
        added=tuple(passage.docid for passage in added),
        replaced=replaced,
        deleted=tuple(docid for docid in gone if corpus.get(docid)),
        missing=tuple(docid for docid in gone if corpus.get(docid) is None),
        unchanged=len(kept) - len(replaced),
    )
    return Corpus(corpus.name, [*kept, *added]), changes


def read_new_passages(path: Path, *, lang: str | None = None) -> Corpus:
    """Read passages to add or replace; see `read_corpus`. Each must have a docid of its own.

    Raises:
        DataError: also for a passage without a docid.
    """
    pages = list(all_pages(find_sources([path])))
    if unnamed := next((page for page in pages if page.numbered), None):
        raise DataError(f"{path}, {unnamed.where}: needs a 'docid'; an update goes by docids")
    return corpus_of(pages, path, name=path.stem, lang=lang)


def read_docids(path: Path) -> list[str]:
    """Read a file with a docid per line, without duplicates; blank lines are skipped.

    Raises:
        DataError: if it cannot be read, naming a line with white space inside, or without docids.
    """
    docids: dict[str, None] = {}
    for number, line in enumerate(read_lines(path), 1):
        docid = line.strip()
        if docid.split() not in ([], [docid]):
            raise DataError(f"{path}, line {number}: needs one docid, not '{docid:.60}'")
        if docid:
            docids[docid] = None
    if not docids:
        raise DataError(f"{path} has no docids; write one per line")
    return list(docids)


def check_rewritable(path: Path) -> None:
    """Refuse a file of passages that is not JSONL, the layout of updated passages.

    Raises:
        DataError: if it is not.
    """
    if path.suffix.lower() != SUFFIX or not path.is_file():
        raise DataError(
            f"{path} cannot be updated in place, as it is not a {SUFFIX} file; "
            f"add --out FILE{SUFFIX} for the updated passages"
        )


def other_fields(path: Path) -> dict[str, dict[str, Any]]:
    """The fields of a JSONL file that no passage has, by docid; none for other layouts.

    Raises:
        DataError: naming the line that is not a JSON object.
    """
    if path.suffix.lower() != SUFFIX or not path.is_file():
        return {}
    others: dict[str, dict[str, Any]] = {}
    for number, row in read_jsonl(path):
        named = [row[key] for key in ("docid", "id") if row.get(key) is not None]
        fields = {key: value for key, value in row.items() if key not in {*FIELDS, "id"}}
        others[str(named[0] if named else number)] = fields
    return others


def write_passages(
    path: Path, corpus: Corpus, others: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
) -> None:
    """Write a corpus as JSONL, atomically; the new file is read back before it replaces another.

    `others` are the other fields of passages, by docid.

    Raises:
        DataError: if the file does not hold the same passages.
    """
    with atomic_path(path) as temporary:
        with temporary.open("wb") as stream:
            stream.writelines(_line(passage, others.get(passage.docid, {})) for passage in corpus)
        with temporary.open("rb") as stream:
            written = corpus_of(jsonl.read(stream, path), path, name=corpus.name)
        if written.sha != corpus.sha:
            raise DataError(f"{path} cannot hold these passages (hash {written.sha})")


def _line(passage: Passage, others: Mapping[str, Any]) -> bytes:
    row = {name: getattr(passage, name) for name in FIELDS} | dict(others)
    return (json.dumps(row, ensure_ascii=False) + "\n").encode(errors="replace")
