"""Haystack's pipelines over stages of xorqa, and its retrievers as stages."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from haystack import Document
from haystack import Pipeline as HaystackPipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from xorqa import (
    Bm25,
    CldrLocaliser,
    CrossEncoder,
    Dataset,
    Pipeline,
    Query,
    Question,
    SpanReader,
)
from xorqa.core.errors import ConfigError, DataError
from xorqa.core.stages import BaseTranslator
from xorqa.interop.haystack import HaystackRetriever, as_component, documents


def test_a_retriever_there_and_back(bm25: Bm25, world: Dataset, queries: list[Query]) -> None:
    expected = bm25.retrieve(queries, k=20)
    back = HaystackRetriever(as_component(bm25, k=5, lang="en"), world.corpora["en"])
    assert back.retrieve(queries, k=20) == expected and any(expected)


def test_the_retriever_of_a_document_store(world: Dataset, queries: list[Query]) -> None:
    store = InMemoryDocumentStore()
    store.write_documents(documents(world.corpora["en"]))
    theirs = InMemoryBM25Retriever(store)
    hits = HaystackRetriever(theirs, world.corpora["en"]).retrieve(queries, k=5)
    for query, ranking in zip(queries, hits, strict=True):
        found = theirs.run(query=query.text, top_k=5)["documents"]
        expected = sorted((-one.score, one.id) for one in found)
        assert [(-hit.score, hit.passage.docid) for hit in ranking] == expected


def test_components_compose_to_the_pipeline(
    bm25: Bm25, ranker: CrossEncoder, reader: SpanReader, pipeline: Pipeline, world: Dataset
) -> None:
    theirs = HaystackPipeline()
    theirs.add_component("retriever", as_component(bm25, k=20))
    theirs.add_component("ranker", as_component(ranker))
    theirs.add_component("reader", as_component(reader))
    theirs.connect("retriever.documents", "ranker.documents")
    theirs.connect("ranker.documents", "reader.documents")
    for trace in pipeline.answer([example.question for example in world.examples[:3]]):
        query = trace.by_route["eng"].query
        fields = {"query": query.text, "query_lang": "en", "question": trace.question.text}
        inputs = {name: {**fields, "lang": "fi"} for name in ("retriever", "ranker", "reader")}
        made = theirs.run(inputs, include_outputs_from={"ranker"})
        ranked, hits = made["ranker"]["documents"], trace.by_route["eng"].hits
        assert [one.id for one in ranked] == [hit.passage.docid for hit in hits]
        # The pipeline ranks all questions in one batch, which changes the last bits of a score.
        scores = [hit.score for hit in hits]
        assert [one.score for one in ranked] == pytest.approx(scores, abs=1e-5)
        answers, candidates = made["reader"]["answers"], trace.by_route["eng"].candidates
        assert [one.data for one in answers] == [one.text for one in candidates]
        for answer, candidate in zip(answers, candidates, strict=True):
            assert answer.score == math.exp(candidate.score)
            place = slice(answer.document_offset.start, answer.document_offset.end)
            assert answer.document.content[place] == answer.data


class OneSentence(BaseTranslator):
    """Translates every question as the same one."""

    version = 1

    def fingerprint(self) -> str:
        return "one"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, "Who discovered francium?", to) for question in questions]


def test_a_translator_names_the_inputs_of_the_next(bm25: Bm25) -> None:
    theirs = HaystackPipeline()
    theirs.add_component("translator", as_component(OneSentence(), lang="fi"))
    theirs.add_component("retriever", as_component(bm25, k=3))
    for name in ("query", "query_lang", "question", "lang"):
        theirs.connect(f"translator.{name}", f"retriever.{name}")
    question = Question("asked", "Kuka löysi franciumin?", "fi")
    made = theirs.run({"query": question.text}, include_outputs_from={"translator"})
    [query] = OneSentence().translate([question], to="en")
    fields = {"query": query.text, "query_lang": "en", "question": question.text, "lang": "fi"}
    assert made["translator"] == fields
    [hits] = bm25.retrieve([query], k=3)
    found = made["retriever"]["documents"]
    assert [(one.id, one.score) for one in found] == [(h.passage.docid, h.score) for h in hits]


def test_a_pipeline_is_one_component(pipeline: Pipeline, world: Dataset) -> None:
    question = world.examples[0].question
    made = as_component(pipeline, k=3).run(query=question.text, lang="fi")
    trace = pipeline.ask(question.text, lang="fi")
    hits = trace.by_route["eng"].hits[:3]
    assert [one.id for one in made["documents"]] == [hit.passage.docid for hit in hits]
    answers = trace.answers if trace.found else ()
    assert [one.data for one in made["answers"]] == [one.text for one in answers]
    only = as_component(pipeline, k=3, until="retrieve").run(query=question.text, lang="fi")
    assert only == {"documents": made["documents"]}


def test_documents_without_scores_keep_their_order(ranker: CrossEncoder) -> None:
    given = [Document(id=name, content=f"{name} is a river.") for name in ("Rhine", "Nile")]
    from xorqa.interop.components import hits_of

    assert [hit.passage.docid for hit in hits_of(given)] == ["Rhine", "Nile"]
    ranked = as_component(ranker).run(query="Nile?", lang="en", documents=given)["documents"]
    assert {one.id for one in ranked} == {"Rhine", "Nile"}


def test_what_cannot_be_used_is_refused(world: Dataset, queries: list[Query]) -> None:
    with pytest.raises(ConfigError, match="CldrLocaliser is a localiser; valid here: translator"):
        as_component(CldrLocaliser())
    corpus = world.corpora["en"]
    with pytest.raises(ConfigError, match="no object with a method run"):
        HaystackRetriever(object(), corpus)
    store = InMemoryDocumentStore()
    store.write_documents([Document(content="Who discovered francium?")])
    with pytest.raises(DataError, match="which is not a passage here"):
        HaystackRetriever(InMemoryBM25Retriever(store), corpus).retrieve(queries, k=1)
