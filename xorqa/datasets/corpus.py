"""A corpus: passages in order, lookup by docid, a hash of the contents, and changes by docid."""

import hashlib
import json
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..core.errors import DataError, Notice
from ..core.lang import ISO_639_1, code_of, unknown_language
from ..core.text.normalize import readable
from ..core.types import Passage
from ..io.files import atomic_path, digest, read_jsonl, read_lines
from .corpora.document_pages import READER_VERSION, SIZE, document_passages, page_language
from .corpora.layouts import bare_name
from .corpora.records import IDS, Page, jsonl_pages
from .corpora.sources import all_pages, find_sources
from .documents.document import Skipped


class Corpus:
    """An ordered collection of passages.

    `reader_version` is that of the readers that split documents into some of them, 0 for none.

    Raises:
        DataError: if it is empty, or two passages have the same docid.
    """

    def __init__(self, name: str, passages: Iterable[Passage], *, reader_version: int = 0) -> None:
        self.name = name
        self.reader_version = reader_version
        self.passages = list(passages)
        self._by_id = {passage.docid: passage for passage in self.passages}
        if not self.passages:
            raise DataError(f"corpus {name} is empty; it needs at least one passage")
        if len(self._by_id) < len(self.passages):
            raise DataError(
                f"corpus {name}: docid '{_first_duplicate(self.passages)}' occurs twice"
            )

    def __len__(self) -> int:
        return len(self.passages)

    def __iter__(self) -> Iterator[Passage]:
        return iter(self.passages)

    def __getitem__(self, docid: str) -> Passage:
        return self._by_id[docid]

    def get(self, docid: str) -> Passage | None:
        """The passage with this docid, or None."""
        return self._by_id.get(docid)

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the passages, sorted."""
        return sorted({passage.lang for passage in self.passages})

    @cached_property
    def sha(self) -> str:
        """A hash (16 hex digits) of every docid, title, text and language, in order."""
        state = hashlib.sha256()
        for p in self.passages:
            state.update(
                "\x1f".join((p.docid, p.title, p.text, p.lang, "\x1e")).encode(
                    errors="surrogatepass"
                )
            )
        return state.hexdigest()[:16]


def by_language(corpus: Corpus) -> dict[str, Corpus]:
    """A corpus per language of the passages, sorted by language."""
    if len(corpus.languages) == 1:
        return {corpus.languages[0]: corpus}
    return {
        lang: Corpus(
            f"{corpus.name}.{lang}",
            (p for p in corpus if p.lang == lang),
            reader_version=corpus.reader_version,
        )
        for lang in corpus.languages
    }


def pool_of(corpora: Mapping[str, Corpus]) -> Corpus:
    """All passages as one corpus, in the order of the keys; its name depends on the corpora's."""
    name = f"pool-{digest(sorted(corpus.name for corpus in corpora.values()))}"
    version = max((corpus.reader_version for corpus in corpora.values()), default=0)
    passages = (passage for key in sorted(corpora) for passage in corpora[key])
    return Corpus(name, passages, reader_version=version)


def read_corpus(path: Path, *, lang: str | None = None) -> Corpus:
    """Read passages of a file, in the layout of its suffix, or of a folder's files.

    JSONL (`text`, and optionally `docid`, `title`, `lang`), TSV like `psgs_w100`, TREC's SGML, and
    SQuAD-style JSON have passages, which are not split. Documents (text, Markdown, HTML, CSV, PDF,
    DOCX) are split into passages of about 100 tokens. If neither the line nor the call gives
    `lang`, the language is detected. In a folder, files that have no reader or cannot be read are
    skipped, with a `Notice`.

    Raises:
        DataError: if the layout or a passage's language is unknown, a docid is missing, repeated
            or has a space, there is no text, or the file is a dump of full articles.
        MissingExtraError: if a reader's package is not installed.
    """
    name = path.resolve().name if path.is_dir() else bare_name(path)
    name = readable(name) or "corpus"
    return corpus_of(all_pages(find_sources([path]), lang=lang), path, name=name, lang=lang)


def corpus_of(pages: Iterable[Page], path: Path, *, name: str, lang: str | None = None) -> Corpus:
    """The passages of pages; `path` is for errors, which are those of `read_corpus`."""
    lang = code_of(lang or "") or lang
    passages: dict[str, Passage] = {}
    skipped = Skipped()
    version = 0
    for page in pages:
        skipped.update_by(page.skipped)
        version = READER_VERSION if page.document else version
        if page.markup is not None:
            raise DataError(
                f"{path} holds articles; split them into passages: xorqa corpus make {path} ..."
            )
        if not page.text.strip():
            continue
        for passage in _passages(page, lang):
            if passage.docid in passages:
                raise DataError(f"{path}, {page.where}: docid '{passage.docid}' occurs twice")
            if passage.lang not in ISO_639_1:
                raise DataError(f"{path}, {page.where}: {unknown_language(passage.lang)}")
            passages[passage.docid] = passage
    if skipped:
        warnings.warn(f"{path}: not read: {skipped}", Notice, stacklevel=2)
    return Corpus(name, passages.values(), reader_version=version)


def _passages(page: Page, lang: str | None) -> list[Passage]:
    """The passages of a document's page, or the page as it is."""
    if page.document:
        return document_passages(page, lang=lang, size=SIZE)
    return [Passage(page.page_id, page.text, page.title, page_language(page, page.text, lang))]


def _first_duplicate(passages: Iterable[Passage]) -> str:
    seen: set[str] = set()
    return next(p.docid for p in passages if p.docid in seen or seen.add(p.docid))  # type: ignore[func-returns-value]


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
    pages = list(all_pages(find_sources([path]), lang=lang))
    if unnamed := next((page for page in pages if page.numbered), None):
        raise DataError(f"{path}, {unnamed.where}: needs a 'docid'; an update goes by docids")
    return corpus_of(pages, path, name=readable(path.stem), lang=lang)


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
        named = [row[key] for key in IDS if row.get(key) is not None]
        fields = {key: value for key, value in row.items() if key not in {*FIELDS, *IDS}}
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
            written = corpus_of(jsonl_pages(stream, path), path, name=corpus.name)
        if written.sha != corpus.sha:
            raise DataError(f"{path} cannot hold these passages (hash {written.sha})")


def _line(passage: Passage, others: Mapping[str, Any]) -> bytes:
    row = {name: getattr(passage, name) for name in FIELDS} | dict(others)
    return (json.dumps(row, ensure_ascii=False) + "\n").encode(errors="replace")
