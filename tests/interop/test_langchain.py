"""LangChain's interface over stages of xorqa."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from xorqa import Bm25, CrossEncoder, Dataset, Pipeline, Query
from xorqa.core.errors import ConfigError
from xorqa.interop.langchain import as_compressor, as_retriever


def scored(documents: list[Document]) -> list[tuple[str | None, float]]:
    return [(one.id, one.metadata["score"]) for one in documents]


def test_a_retriever_and_a_ranker(bm25: Bm25, ranker: CrossEncoder, queries: list[Query]) -> None:
    retriever = as_retriever(bm25, k=5, lang="en")
    texts = [query.text for query in queries]
    found = retriever.batch(texts)  # in several threads
    hits = bm25.retrieve(queries, k=5)
    expected = [[(hit.passage.docid, hit.score) for hit in ranking] for ranking in hits]
    assert [scored(each) for each in found] == expected and any(expected)
    assert scored(asyncio.run(retriever.ainvoke(texts[0]))) == expected[0]
    assert found[0][0].page_content == hits[0][0].passage.text
    ranked = as_compressor(ranker, lang="en").compress_documents(found[0], texts[0])
    [again] = ranker.rank(queries[:1], hits[:1])
    assert scored(ranked) == [(hit.passage.docid, hit.score) for hit in again]


def test_a_pipeline_in_a_chain(pipeline: Pipeline, world: Dataset) -> None:
    question = world.examples[0].question
    chain = as_retriever(pipeline, k=3, lang="fi") | RunnableLambda(scored)
    trace = pipeline.ask(question.text, lang="fi")
    hits = trace.by_route["eng"].hits[:3]
    assert chain.invoke(question.text) == [(hit.passage.docid, hit.score) for hit in hits]


def test_documents_of_others_are_ranked(ranker: CrossEncoder) -> None:
    given = [Document(page_content=f"The {name} is a river.") for name in ("Rhine", "Nile")]
    ranked = as_compressor(ranker, lang="en").compress_documents(given, "Where is the Nile?")
    assert {one.page_content for one in ranked} == {one.page_content for one in given}


def test_what_cannot_be_used_is_refused(bm25: Bm25, ranker: CrossEncoder) -> None:
    with pytest.raises(ConfigError, match="CrossEncoder is a ranker; valid here: retriever, pip"):
        as_retriever(ranker)
    with pytest.raises(ConfigError, match="Bm25 is a retriever; valid here: ranker"):
        as_compressor(bm25)
