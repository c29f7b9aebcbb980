"""The base of the lexical retrievers: one index per language."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from ..core.errors import DataError
from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query, best_first
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from ..io.files import atomic_dir, digest
from ..io.locks import lock_path, sweep_finished
from . import manifest
from .announcement import announced
from .over_corpus import OverCorpus

SAMPLE = 1000  # passages that an index's size is estimated from


class LexicalRetriever(OverCorpus, ABC):
    """BM25 over titles and texts, analysed by language.

    Each language has its own index and statistics. A query searches the index of its language,
    or all indexes, each with its analyzer, if its language has none (so an untranslated question
    still matches names it shares with the passages). Scores of different languages are then
    compared unchanged.

    Raises:
        ConfigError: if k1 is negative or b outside 0..1.
    """

    kind: ClassVar[str]
    disk_share: ClassVar[float]
    """The index's size as a share of the text's bytes, approximately."""
    version = 1
    ranks_each_language = True

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: NonNegative = 0.9,
        b: Share = 0.4,
    ) -> None:
        super().__init__(corpus, folder)
        self.k1 = k1
        self.b = b

    @abstractmethod
    def _index_settings(self, *, fresh: bool) -> dict[str, Any]:
        """The settings that affect the index's content; `fresh` ignores an existing index."""

    @abstractmethod
    def _write(self, folder: Path, settings: dict[str, Any], progress: Progress) -> None:
        """Write the index into an empty folder."""

    @abstractmethod
    def _open(self) -> Any:
        """Open the index in the folder; raise a DataError if it is damaged."""

    @abstractmethod
    def _search(self, lang: str, text: str, k: int) -> list[Hit]:
        """The best `k` passages of one language, equal scores by docid."""

    def fingerprint(self) -> str:
        """A hash of the manifest and the BM25 parameters."""
        return digest(self._manifest(), self.k1, self.b)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index, or check an existing one.

        Raises:
            IndexMismatchError: if the existing index has other passages or settings.
            DataError: if the folder holds something else.
            LockedError: if another process builds it.
        """
        if self._is_built(rebuild):
            sweep_finished(self.folder)
            return
        with lock_path(self.folder, "index"):
            manifest.check_replaceable(self.folder)
            if not self._is_built(rebuild):  # by the process that this one waited for
                self._build(progress)

    def _is_built(self, rebuild: bool) -> bool:
        """Whether there is nothing to build; an existing index is checked."""
        if rebuild or not manifest.exists(self.folder):
            return False
        manifest.check(self.folder, self._manifest())
        return True

    def _build(self, progress: Progress) -> None:
        new_manifest = self._manifest(fresh=True)
        with atomic_dir(self.folder) as temporary:
            report = announced(progress, self.kind, self._size)
            self._write(temporary, new_manifest, report)
            manifest.write(temporary, new_manifest | self.built_by)
        with suppress(AttributeError):
            del self._index

    def _size(self, passages: int) -> float:
        """The bytes of the index, approximately."""
        sample = self.corpus.passages[:SAMPLE]
        text = sum(len(passage.titled.encode(errors="replace")) for passage in sample)
        return self.disk_share * text * passages / len(sample)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest BM25 score, equal scores by docid.

        Empty if no passage has a token of the query. Builds the index on first use.
        """
        return [self._hits(query, k) for query in queries]

    def _hits(self, query: Query, k: int) -> list[Hit]:
        if k < 1 or not query.text.strip():
            return []
        langs = [query.lang] if query.lang in self._by_lang else list(self._by_lang)
        hits = [hit for lang in langs for hit in self._search(lang, query.text, k)]
        return best_first(hits)[:k]

    def _manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        return manifest.describe(
            self.kind, self.corpus, version=self.version, **self._index_settings(fresh=fresh)
        )

    @cached_property
    def _index(self) -> Any:
        self.build()
        return self._open()

    @cached_property
    def _by_lang(self) -> dict[str, list[Passage]]:
        """Passages by language, in order of docid, so that ties are broken by docid."""
        by_lang: dict[str, list[Passage]] = {lang: [] for lang in self.corpus.languages}
        for passage in sorted(self.corpus, key=lambda passage: passage.docid):
            by_lang[passage.lang].append(passage)
        return by_lang

    def _ordered(self, progress: Progress) -> Iterator[Passage]:
        """Iterate over the passages, language by language, and report progress."""
        passages = (passage for group in self._by_lang.values() for passage in group)
        for done, passage in enumerate(passages, 1):
            yield passage
            if done % 1000 == 0 or done == len(self.corpus):
                progress(done, len(self.corpus))

    def _damaged(self, reason: object) -> DataError:
        return DataError(
            f"index {self.folder} is damaged ({reason}); rebuild it with xorqa index --rebuild"
        )


def field_name(lang: str) -> str:
    """The name of a language's index or field, safe as a folder name."""
    return "text_" + quote(lang, safe="")
