"""LangChain: a retriever or a pipeline as its retriever, a ranker as its document compressor.

The `id` of a document is the docid; its `metadata` has the title, the language and the score.
"""

from collections.abc import Sequence
from typing import Any

from ..core.named import expect
from ..core.types import Hit, Passage
from .bridge import ONE_CALL, given_hits, kind_of, passage_of, query_of, search

EXTRA = "langchain"


def as_retriever(stage: Any, *, k: int = 10, lang: str | None = None) -> Any:
    """A retriever that returns the `k` best documents of a retriever or a pipeline.

    The language of queries is `lang`, by default detected.

    Raises:
        ConfigError: for another stage.
        MissingExtraError: if langchain-core is not installed.
    """
    expect("langchain_core", extra=EXTRA)
    from langchain_core.retrievers import BaseRetriever

    kind_of(stage, "retriever", "pipeline")

    class XorqaRetriever(BaseRetriever):  # type: ignore[misc]
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Any]:
            [hits] = search(stage, [query_of(query, lang)], k)
            return [_document(hit) for hit in hits]

    return XorqaRetriever()


def as_compressor(ranker: Any, *, lang: str | None = None) -> Any:
    """A document compressor that ranks documents again, for a ContextualCompressionRetriever.

    Documents without a score keep their order. The language of queries is `lang`, by default
    detected.

    Raises:
        ConfigError: for a stage that is no ranker.
        MissingExtraError: if langchain-core is not installed.
    """
    expect("langchain_core", extra=EXTRA)
    from langchain_core.documents import BaseDocumentCompressor

    kind_of(ranker, "ranker")

    class XorqaRanker(BaseDocumentCompressor):  # type: ignore[misc]
        def compress_documents(
            self, documents: Sequence[Any], query: str, callbacks: Any = None
        ) -> list[Any]:
            passages = [_passage(*numbered) for numbered in enumerate(documents)]
            hits = given_hits(passages, [one.metadata.get("score") for one in documents])
            with ONE_CALL:
                [ranked] = ranker.rank([query_of(query, lang)], [hits])
            return [_document(hit) for hit in ranked]

    return XorqaRanker()


def _document(hit: Hit) -> Any:
    from langchain_core.documents import Document

    passage = hit.passage
    metadata = {"title": passage.title, "lang": passage.lang, "score": hit.score}
    return Document(passage.text, id=passage.docid, metadata=metadata)


def _passage(number: int, document: Any) -> Passage:
    docid, fields = document.id or str(number), document.metadata
    return passage_of(docid, document.page_content, fields.get("title"), fields.get("lang"))
