"""The base of the lexical retrievers: one index per language."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from ..core.errors import DataError
from ..core.progress import Progress
from ..core.text import search_tokens
from ..core.types import Hit, Passage, Query, best_first
from ..core.validation import NonNegative, Share
from ..datasets.corpus import Corpus
from ..io.files import ARRAY_ERRORS, digest
from . import manifest
from .over_corpus import OverCorpus

Index = TypeVar("Index")


class LexicalRetriever(OverCorpus, ABC):
    """BM25 over titles and texts, analysed by language.

    Each language has its own index and statistics. A query searches the index of its language,
    or all indexes, each with its analyzer, if its language has none (so an untranslated question
    still matches names it shares with the passages). Scores of different languages are then
    compared unchanged.

    Raises:
        ConfigError: if k1 is negative or b outside 0..1.
    """

    version = 1
    ranks_each_language = True
    every_language = False
    """Whether each query searches all indexes."""

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
    def index_settings(self, *, fresh: bool = False) -> dict[str, Any]:
        """The settings that affect the index's content; `fresh` ignores an existing index."""

    @abstractmethod
    def _search(self, lang: str, query: Query, k: int) -> list[Hit]:
        """The best `k` passages of one language, equal scores by docid."""

    def index_manifest(self, *, fresh: bool = False) -> dict[str, Any]:
        """The version of the analysis and the settings; `fresh` ignores an existing index."""
        settings = self.index_settings(fresh=fresh)
        return manifest.describe(self.use, self.corpus, version=self.version, **settings)

    def fingerprint(self) -> str:
        """A hash of the manifest, the BM25 parameters and `every_language`."""
        more = ["every language"] if self.every_language else []
        return digest(self.index_manifest(), self.k1, self.b, *more)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages with the highest BM25 score, equal scores by docid.

        Empty if no passage has a token of the query. Builds the index on first use.
        """
        return [self._hits(query, k) for query in queries]

    def _hits(self, query: Query, k: int) -> list[Hit]:
        if k < 1 or not query.text.strip():
            return []
        alone = query.lang in self._by_lang and not self.every_language
        langs = [query.lang] if alone else list(self._by_lang)
        hits = [hit for lang in langs for hit in self._search(lang, query, k)]
        return best_first(hits)[:k]

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
            if done % 100 == 0 or done == len(self.corpus):
                progress(done, len(self.corpus))

    def tokens_version(self, *, fresh: bool = False) -> int:
        """The version of `text.search_tokens` of the existing index, or the newest one."""
        stored = None if fresh or not manifest.exists(self.folder) else manifest.read(self.folder)
        version = stored.get("tokens") if stored else None
        if isinstance(version, int) and 0 < version <= search_tokens.VERSION:
            return version
        return search_tokens.VERSION

    def _tokens(
        self, progress: Progress, tokens: Callable[[str, str], list[str]]
    ) -> Iterator[tuple[str, Iterator[list[str]]]]:
        """The languages, each with the `tokens` (of a text in a language) of its passages."""
        for lang, passages in groupby(self._ordered(progress), key=lambda passage: passage.lang):
            yield lang, (tokens(passage.titled, lang) for passage in passages)

    def _open_each(
        self, load: Callable[[str], Index], langs: Iterable[str] | None = None
    ) -> dict[str, Index]:
        """The index of each language; whatever a file's content does to `load` is damage."""
        try:
            return {lang: load(lang) for lang in langs or self._by_lang}
        except (*ARRAY_ERRORS, KeyError, TypeError) as error:
            raise self._damaged(error) from error

    def _damaged(self, reason: object) -> DataError:
        return manifest.damaged(self.folder, reason)


def is_sparse_matrix(
    starts: NDArray[np.integer[Any]],
    passages: NDArray[np.integer[Any]],
    values: NDArray[Any],
    *,
    terms: int,
    count: int,
) -> bool:
    """Whether arrays fit each other as a matrix (terms, passages) in rows of terms.

    Term t has `values` in the `passages` from `starts[t]` to before `starts[t + 1]`.
    """
    return (
        len(values) == len(passages) == starts[-1]
        and len(starts) == terms + 1
        and bool(np.all(np.diff(starts) >= 0))
        and starts[0] == 0
        and (not len(passages) or bool(passages.min() >= 0 and passages.max() < count))
    )


def field_name(lang: str) -> str:
    """The name of a language's index or field, safe as a folder name."""
    return "text_" + quote(lang, safe="")
