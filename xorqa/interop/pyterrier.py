"""PyTerrier: stages and pipelines of xorqa as transformers, and transformers as stages.

Frames have PyTerrier's columns, and the language of the query in `qlang`, of the passage in `lang`.
After a translator, `query_0` and `qlang_0` are the question as asked.
"""

from collections.abc import Sequence
from typing import Any

from ..core.named import require
from ..core.stages import BaseRanker
from ..core.types import Hit, Query
from ..datasets.corpus import Corpus
from ..experiments.pipeline import Stop
from .bridge import Foreign, ForeignRetriever, kind_of
from .frames import EXTRA, Frames, hit_row, query_rows, scores_by_query

QUERY, DOCUMENT = ["qid", "query"], ["docno", "score", "text"]


def as_transformer(
    stage: Any, *, k: int = 100, lang: str | None = None, to: str = "en", until: str = Stop.FULL
) -> Any:
    """A transformer of a translator, retriever, ranker, reader or pipeline.

    A retriever returns `k` documents per query, a reader one `qanswer` with its `docno` and
    `score`, a pipeline the same or, with `until="retrieve"`, its documents. The language of queries
    without `qlang` is `lang`, by default detected; a translator translates into `to`.

    Raises:
        ConfigError: for another stage, or another `until`.
        MissingExtraError: if PyTerrier is not installed.
    """
    apply = require("pyterrier", extra=EXTRA).apply
    kind = kind_of(stage, "translator", "retriever", "ranker", "reader", "pipeline", until=until)
    given = [*QUERY, *DOCUMENT] if kind in ("ranker", "reader") else QUERY
    function = getattr(Frames(stage, k, lang, to), kind)
    return apply.generic(function, required_columns=given, label=type(stage).__name__)


class PyTerrierRetriever(ForeignRetriever):
    """A transformer from queries to documents, whose `docno` are docids of the corpus.

    `transformer` is an object, or the `module:name` of one or of a function of the corpus, which is
    called on first use. Hits are cached only under a `revision`; change it with the index.
    """

    version = 1

    def __init__(self, transformer: Any, corpus: Corpus, *, revision: str = "") -> None:
        super().__init__(transformer, "transform_iter", corpus, revision)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k documents with the highest scores, equal scores by docid."""
        asked = query_rows(queries)
        scores = scores_by_query(self.foreign, asked, asked)
        return [self.foreign.hits(each, self.corpus)[:k] for each in scores]


class PyTerrierRanker(BaseRanker):
    """A transformer that scores documents again; `transformer` as in `PyTerrierRetriever`."""

    version = 1

    def __init__(self, transformer: Any, *, revision: str = "") -> None:
        self.foreign = Foreign(transformer, "transform_iter", None, revision)

    def fingerprint(self) -> str:
        """A hash of the transformer's name and the revision."""
        return self.foreign.fingerprint()

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        """The documents that the transformer returns, best first, equal scores by docid."""
        asked = query_rows(queries)
        pairs = zip(asked, hits, strict=True)
        rows = [row | hit_row(hit, n) for row, one in pairs for n, hit in enumerate(one)]
        scores = scores_by_query(self.foreign, rows, asked)
        known = [{hit.passage.docid: hit.passage for hit in ranking} for ranking in hits]
        return list(map(self.foreign.hits, scores, known))
