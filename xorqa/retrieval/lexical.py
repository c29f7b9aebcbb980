"""What the lexical retrievers share: one index a language, built whole, checked, searched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from ..core.errors import ConfigError, DataError
from ..core.ordering import best_first
from ..core.progress import Progress, silent
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..io.files import atomic_dir, digest
from . import manifest
from .over_corpus import OverCorpus


class LexicalRetriever(OverCorpus, ABC):
    """BM25 over titles and texts; passages are analysed as the language they are in.

    Each language has an index of its own with its own statistics. A query is searched in the
    index of its language; where there is none, in all of them, analysed as each of them is
    (so a question no translator touched still meets the names it shares with the passages).
    Scores of different languages are then compared as they are.

    Raises:
        ConfigError: if k1 is negative or b outside 0..1.
    """

    kind: ClassVar[str]
    version = 1

    def __init__(
        self,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        k1: float = 0.9,
        b: float = 0.4,
    ) -> None:
        if k1 < 0 or not 0 <= b <= 1:
            raise ConfigError(
                f"[retriever] '{self.kind}' needs k1 of 0 or more and b from 0 to 1, "
                f"not k1 = {k1} and b = {b}"
            )
        super().__init__(corpus, folder)
        self.k1 = k1
        self.b = b

    @abstractmethod
    def _content(self, *, fresh: bool) -> dict[str, Any]:
        """The settings the index's content depends on; `fresh` ignores one already there."""

    @abstractmethod
    def _write(self, folder: Path, content: dict[str, Any], progress: Progress) -> None:
        """Write the index into an empty folder."""

    @abstractmethod
    def _open(self) -> Any:
        """Open the index in the folder. Raises DataError if it is damaged."""

    @abstractmethod
    def _search(self, lang: str, text: str, k: int) -> list[Hit]:
        """The best `k` passages of one language, equal scores by docid."""

    def fingerprint(self) -> str:
        """A hash of the index's manifest and of the scoring."""
        return digest(self._manifest(), self.k1, self.b)

    def build(self, *, rebuild: bool = False, progress: Progress = silent) -> None:
        """Build the index, or check the one that is there.

        Raises:
            IndexMismatchError: if the index there belongs to other passages or settings.
            DataError: if the folder holds something else.
        """
        if manifest.exists(self.folder) and not rebuild:
            manifest.check(self.folder, self._manifest())
            return
        manifest.check_replaceable(self.folder)
        wanted = self._manifest(fresh=True)
        with atomic_dir(self.folder) as temporary:
            self._write(temporary, wanted, progress)
            manifest.write(temporary, wanted)
        self.__dict__.pop("_index", None)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest BM25, equal scores by docid.

        Empty where a query has no token the passages have. Builds the index on first use.
        """
        return [self._hits(query, k) for query in queries]

    def _hits(self, query: Query, k: int) -> list[Hit]:
        if k < 1 or not query.text.strip():
            return []
        langs = [query.lang] if query.lang in self._by_lang else list(self._by_lang)
        found = [hit for lang in langs for hit in self._search(lang, query.text, k)]
        return best_first(found)[:k]

    def _manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        return manifest.describe(
            self.kind, self.corpus, version=self.version, **self._content(fresh=fresh)
        )

    @cached_property
    def _index(self) -> Any:
        self.build()
        return self._open()

    @cached_property
    def _by_lang(self) -> dict[str, list[Passage]]:
        """Passages by language, in the order of docids: so an earlier row wins a tie."""
        found: dict[str, list[Passage]] = {lang: [] for lang in self.corpus.languages}
        for passage in sorted(self.corpus, key=lambda passage: passage.docid):
            found[passage.lang].append(passage)
        return found

    def _ordered(self, progress: Progress) -> Iterator[Passage]:
        """Every passage, language by language, reporting now and then and at the end."""
        passages = (passage for of_lang in self._by_lang.values() for passage in of_lang)
        for done, passage in enumerate(passages, 1):
            yield passage
            if done % 1000 == 0 or done == len(self.corpus):
                progress(done, len(self.corpus))

    def _damaged(self, why: object) -> DataError:
        return DataError(
            f"index {self.folder} is damaged ({why}); build it again (xorqa index --rebuild)"
        )


def field(lang: str) -> str:
    """The name of a language's index; safe as a folder's name whatever `lang` holds."""
    return "text_" + quote(lang, safe="")
