"""The base of xorqa's retrievers: built with settings, and later with a corpus and a folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..core.errors import ConfigError
from ..core.registry import build, find, table_of
from ..core.stages import BaseRetriever, Configured, Retriever
from ..datasets.corpus import Corpus
from ..io.files import index_folder
from . import manifest


def retriever_over(corpus: Corpus, table: Mapping[str, Any], indexes: Path) -> Retriever:
    """The retriever of a table (`use` and settings) over a corpus, with its index in `indexes`.

    Raises:
        ConfigError: for an unknown retriever, or a setting that it does not have.
    """
    folder = index_folder(indexes, _indexed(table))
    retriever: Retriever = build("retriever", table, corpus=corpus, folder=folder)
    return retriever


def _indexed(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table with the settings that its retriever's index depends on."""
    if not isinstance(table.get("use"), str):
        return table
    kept = getattr(find("retriever", table["use"]), "indexed", None)
    return kept(table) if kept else table


class OverCorpus(Configured, BaseRetriever):
    """A retriever that can be built with its settings alone or with a corpus.

    Users pass `Bm25()` to a pipeline, which builds the retriever again for each corpus that it
    searches; `Bm25(corpus=..., folder=...)` is ready to search.
    """

    def __init__(self, corpus: Corpus | None, folder: Path | None) -> None:
        self._corpus = corpus
        self._folder = folder

    @property
    def corpus(self) -> Corpus:
        """The passages. Raises ConfigError if it has none yet."""
        if self._corpus is None:
            raise ConfigError(
                f"{type(self).__name__} has no corpus yet; pass it to a Pipeline, or build it "
                "with corpus=... and folder=..."
            )
        return self._corpus

    @property
    def built_by(self) -> dict[str, Any]:
        """The settings that the index depends on, for its manifest; an update reads them."""
        return {manifest.BUILT_BY: dict(_indexed(table_of("retriever", self)))}

    def verify(self) -> list[str]:
        """Compare the files of an index on disk with its manifest's sums; returns notes, if any.

        Raises:
            DataError: if a file differs.
        """
        return [manifest.verify(self.folder)] if manifest.exists(self.folder) else []

    @property
    def folder(self) -> Path:
        """The folder of the index. Raises ConfigError if it has none yet."""
        if self._folder is None:
            raise ConfigError(f"{type(self).__name__} has no folder for its index yet; see folder=")
        return self._folder
