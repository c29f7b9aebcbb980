"""Haystack: stages and pipelines of xorqa as components, and Haystack's retrievers as stages.

The `id` of a document is the docid, and its `meta` has the title and the language of the passage.
"""

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.named import expect
from ..core.types import Hit, Passage, Query
from ..datasets.corpus import Corpus
from ..experiments.pipeline import Stop
from .bridge import ONE_CALL, ForeignRetriever, kind_of

EXTRA = "haystack"


def as_component(
    stage: Any, *, k: int = 10, lang: str | None = None, to: str = "en", until: str = Stop.FULL
) -> Any:
    """A component of a translator, retriever, ranker, reader or pipeline.

    A retriever returns `k` documents (`top_k` in a call), a reader its answers, a pipeline its
    documents and answers or, with `until="retrieve"`, its documents. Scores of answers are
    probabilities. The language of queries is `lang`, by default detected; a translator translates
    into `to`, and its outputs are the inputs of the same names of the components after it.

    Raises:
        ConfigError: for another stage, or another `until`.
        MissingExtraError: if Haystack is not installed.
    """
    expect("haystack", extra=EXTRA)
    from .components import CLASSES

    return CLASSES[kind_of(stage, *CLASSES, until=until)](stage, k, lang, to)


def documents(passages: Iterable[Passage]) -> list[Any]:
    """Documents of passages, to be written to a document store.

    Raises:
        MissingExtraError: if Haystack is not installed.
    """
    expect("haystack", extra=EXTRA)
    from .components import document_of

    return [document_of(passage) for passage in passages]


class HaystackRetriever(ForeignRetriever):
    """A component with an input `query`, whose `documents` are passages of the corpus.

    `component` is an object, or the `module:name` of one or of a function of the corpus, which is
    called on first use. It gets `top_k` if it has this input, else its settings limit the number of
    documents. Hits are cached only under a `revision`; change it with the document store.
    """

    version = 1

    def __init__(self, component: Any, corpus: Corpus, *, revision: str = "") -> None:
        super().__init__(component, "run", corpus, revision)

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        """The k documents with the highest scores, equal scores by docid."""
        component = self.foreign.instance
        limit = {"top_k": k} if "top_k" in inspect.signature(component.run).parameters else {}
        rankings = []
        for query in queries:
            with ONE_CALL:
                found = component.run(query=query.text, **limit)["documents"]
            scores = [(document.id, document.score) for document in found]
            rankings.append(self.foreign.hits(scores, self.corpus)[:k])
        return rankings
