"""Haystack's components around stages; importing this module imports Haystack.

Inputs beside the query: its language `query_lang`, and the question as asked with its language
`lang`, as a translator returns them.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from haystack import Document, component
from haystack.dataclasses import ExtractedAnswer

from ..core.types import Candidate, Hit, Passage, Query
from .bridge import ONE_CALL, given_hits, passage_of, query_of, search, trace_hits

DOCUMENTS, ANSWERS = list[Document], list[ExtractedAnswer]
Result = dict[str, Any]


class _Component:
    """A stage, and the settings of `as_component`."""

    outputs: ClassVar[dict[str, Any]]

    def __init__(self, stage: Any, k: int, lang: str | None, to: str) -> None:
        self.stage, self.k, self.lang, self.to = stage, k, lang, to
        component.set_output_types(self, **self.outputs)

    def query(self, text: str, *given: str | None) -> Query:
        """The query of a component's inputs `query`, `query_lang`, `question` and `lang`."""
        query_lang, question, lang = given
        return query_of(text, query_lang, question=question, question_lang=lang or self.lang)


@component
class XorqaTranslator(_Component):
    """Translates a query."""

    outputs: ClassVar = {"query": str, "query_lang": str, "question": str, "lang": str}

    def run(self, query: str, lang: str | None = None) -> Result:
        """The translation and the question, with their languages."""
        asked = query_of(query, lang or self.lang).question
        with ONE_CALL:
            [made] = self.stage.translate([asked], to=self.to)
        return {"query": made.text, "query_lang": made.lang, "question": query, "lang": asked.lang}


@component
class XorqaRetriever(_Component):
    """Retrieves documents."""

    outputs: ClassVar = {"documents": DOCUMENTS}

    def run(
        self,
        query: str,
        top_k: int | None = None,
        query_lang: str | None = None,
        question: str | None = None,
        lang: str | None = None,
    ) -> Result:
        """The best documents."""
        asked = self.query(query, query_lang, question, lang)
        [hits] = search(self.stage, [asked], self.k if top_k is None else top_k)
        return {"documents": [document_of(hit.passage, hit.score) for hit in hits]}


@component
class XorqaRanker(_Component):
    """Ranks documents again."""

    outputs: ClassVar = {"documents": DOCUMENTS}

    def run(
        self,
        query: str,
        documents: list[Document],
        top_k: int | None = None,
        query_lang: str | None = None,
        question: str | None = None,
        lang: str | None = None,
    ) -> Result:
        """The documents with new scores, best first."""
        asked = self.query(query, query_lang, question, lang)
        with ONE_CALL:
            [hits] = self.stage.rank([asked], [hits_of(documents)])
        return {"documents": [document_of(hit.passage, hit.score) for hit in hits[:top_k]]}


@component
class XorqaReader(_Component):
    """Reads answers."""

    outputs: ClassVar = {"answers": ANSWERS}

    def run(
        self,
        query: str,
        documents: list[Document],
        query_lang: str | None = None,
        question: str | None = None,
        lang: str | None = None,
    ) -> Result:
        """The candidates, best first."""
        asked = self.query(query, query_lang, question, lang)
        with ONE_CALL:
            [candidates] = self.stage.read([asked], [hits_of(documents)])
        read = [(one.text, math.exp(one.score), one) for one in candidates or ()]
        return {"answers": [_answer(query, *each) for each in read]}


@component
class XorqaPipeline(_Component):
    """Answers a question."""

    outputs: ClassVar = {"documents": DOCUMENTS, "answers": ANSWERS}

    def run(self, query: str, top_k: int | None = None, lang: str | None = None) -> Result:
        """The documents, and the answers with their confidence; none if it is too low."""
        with ONE_CALL:
            trace = self.stage.ask(query, lang=lang or self.lang)
        hits = trace_hits(trace)[: self.k if top_k is None else top_k]
        answers = trace.answers if trace.found else ()
        return {
            "documents": [document_of(hit.passage, hit.score) for hit in hits],
            "answers": [_answer(query, one.text, one.confidence, one.source) for one in answers],
        }


CLASSES = {
    "translator": XorqaTranslator,
    "retriever": XorqaRetriever,
    "ranker": XorqaRanker,
    "reader": XorqaReader,
    "pipeline": XorqaPipeline,
}


def document_of(passage: Passage, score: float | None = None) -> Any:
    """A document of a passage."""
    meta = {"title": passage.title, "lang": passage.lang}
    return Document(id=passage.docid, content=passage.text, meta=meta, score=score)


def hits_of(documents: Sequence[Any]) -> list[Hit]:
    """The hits that documents are (`given_hits`)."""
    passages = [
        passage_of(one.id, one.content, one.meta.get("title"), one.meta.get("lang"))
        for one in documents
    ]
    return given_hits(passages, [one.score for one in documents])


def _answer(query: str, text: str, probability: float, source: Candidate) -> Any:
    span = ExtractedAnswer.Span(source.span.start, source.span.end)
    return ExtractedAnswer(
        query=query,
        data=text,
        score=probability,
        document=document_of(source.hit.passage, source.hit.score),
        document_offset=span,
        meta={"original": source.text, "lang": source.lang},
    )
