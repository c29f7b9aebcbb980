"""A corpus: passages in order, lookup by docid, and a hash of the contents."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from ..core.errors import DataError
from ..core.lang import ISO_639_1, unknown_language
from ..core.types import Passage
from ..text.detection import detect_language
from .corpora.layouts import bare_name, pages


class Corpus:
    """An ordered collection of passages; `from_file` is true if it was read from a user's file.

    Raises:
        DataError: if it is empty, or two passages have the same docid.
    """

    def __init__(self, name: str, passages: Iterable[Passage], *, from_file: bool = False) -> None:
        self.name = name
        self.from_file = from_file
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


def read_corpus(path: Path, *, lang: str | None = None) -> Corpus:
    """Read a file's passages without splitting them, in the layout of its suffix.

    Layouts are JSONL (`text`, and optionally `docid`, `title`, `lang`), TSV like `psgs_w100`,
    TREC's SGML, and SQuAD-style JSON. If neither the line nor the call gives `lang`, the language
    is detected.

    Raises:
        DataError: if the layout or a passage's language is unknown, a docid is missing, repeated
            or has a space, there is no text, or the file is a dump of full articles.
    """
    passages: dict[str, Passage] = {}
    for page in pages(path):
        if page.markup is not None:
            raise DataError(
                f"{path} holds articles; split them into passages: xorqa corpus make {path} ..."
            )
        if page.page_id in passages:
            raise DataError(f"{path}, {page.where}: docid '{page.page_id}' occurs twice")
        if page.text.strip():
            page_lang = page.lang or lang or detect_language(page.text)
            if page_lang not in ISO_639_1:
                raise DataError(f"{path}, {page.where}: {unknown_language(page_lang)}")
            passages[page.page_id] = Passage(page.page_id, page.text, page.title, page_lang)
    return Corpus(bare_name(path), passages.values(), from_file=True)


def _first_duplicate(passages: Iterable[Passage]) -> str:
    seen: set[str] = set()
    return next(p.docid for p in passages if p.docid in seen or seen.add(p.docid))  # type: ignore[func-returns-value]
