"""A corpus: passages in order, lookup by docid, and a hash of the contents."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from ..core.errors import DataError
from ..core.lang import ISO_639_1, unknown_language
from ..core.text.detection import detect_language
from ..core.types import Passage
from ..io.files import digest
from .corpora.document_pages import SIZE, document_passages
from .corpora.layouts import bare_name
from .corpora.page import Page
from .corpora.sources import all_pages, find_sources


class Corpus:
    """An ordered collection of passages.

    Raises:
        DataError: if it is empty, or two passages have the same docid.
    """

    def __init__(self, name: str, passages: Iterable[Passage]) -> None:
        self.name = name
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
        lang: Corpus(f"{corpus.name}.{lang}", (p for p in corpus if p.lang == lang))
        for lang in corpus.languages
    }


def pool_of(corpora: Mapping[str, Corpus]) -> Corpus:
    """All passages as one corpus, in the order of the keys; its name depends on the corpora's."""
    name = f"pool-{digest(sorted(corpus.name for corpus in corpora.values()))}"
    return Corpus(name, (passage for key in sorted(corpora) for passage in corpora[key]))


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
    return corpus_of(all_pages(find_sources([path])), path, name=name or "corpus", lang=lang)


def corpus_of(pages: Iterable[Page], path: Path, *, name: str, lang: str | None = None) -> Corpus:
    """The passages of pages; `path` is for errors, which are those of `read_corpus`."""
    passages: dict[str, Passage] = {}
    for page in pages:
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
    return Corpus(name, passages.values())


def _passages(page: Page, lang: str | None) -> list[Passage]:
    """The passages of a document's page, or the page as it is."""
    if page.document:
        return document_passages(page, lang=lang, size=SIZE)
    page_lang = page.lang or lang or detect_language(page.text)
    return [Passage(page.page_id, page.text, page.title, page_lang)]


def _first_duplicate(passages: Iterable[Passage]) -> str:
    seen: set[str] = set()
    return next(p.docid for p in passages if p.docid in seen or seen.add(p.docid))  # type: ignore[func-returns-value]
