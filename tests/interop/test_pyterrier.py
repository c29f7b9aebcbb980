"""PyTerrier's own operators and experiments over stages of xorqa, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import pyterrier as pt
import pytest

from xorqa import (
    Bm25,
    CrossEncoder,
    Dataset,
    HumanTranslation,
    NoLocalisation,
    Pipeline,
    Query,
    Question,
    SpanReader,
)
from xorqa.core.errors import ConfigError, DataError
from xorqa.interop.pyterrier import PyTerrierRanker, PyTerrierRetriever, as_transformer


def frame(queries: Sequence[Query]) -> pd.DataFrame:
    rows = [
        {
            "qid": query.question.qid,
            "query": query.text,
            "qlang": query.lang,
            "query_0": query.question.text,
            "qlang_0": query.question.lang,
        }
        for query in queries
    ]
    return pd.DataFrame(rows)


def test_a_retriever_and_a_ranker_there_and_back(
    bm25: Bm25, ranker: CrossEncoder, world: Dataset, queries: list[Query]
) -> None:
    expected = bm25.retrieve(queries, k=20)
    back = PyTerrierRetriever(as_transformer(bm25, k=50), world.corpora["en"])
    assert back.retrieve(queries, k=20) == expected and any(expected)
    ranked = PyTerrierRanker(as_transformer(ranker)).rank(queries, expected)
    assert ranked == ranker.rank(queries, expected)


def test_transformers_compose_to_the_pipeline(
    bm25: Bm25, ranker: CrossEncoder, reader: SpanReader, pipeline: Pipeline, world: Dataset
) -> None:
    asked = [example.question for example in world.examples]
    traces = pipeline.answer(asked)
    rows = [{"qid": one.qid, "query": one.text, "qlang": one.lang} for one in asked]
    translator = HumanTranslation(translations=world.translations)
    documents = as_transformer(translator) >> as_transformer(bm25, k=20) >> as_transformer(ranker)
    found = documents(pd.DataFrame(rows))
    for trace in traces:
        of_query = found[found.qid == trace.question.qid]
        hits = trace.by_route["eng"].hits
        assert list(of_query["docno"]) == [hit.passage.docid for hit in hits]
        assert list(of_query["score"]) == [hit.score for hit in hits]
        assert list(of_query["rank"]) == list(range(len(hits)))
        assert {*of_query["query_0"]} <= {trace.question.text}
    whole = as_transformer(pipeline, until="retrieve")(pd.DataFrame(rows))
    assert whole["docno"].tolist() == found["docno"].tolist()
    answers = (documents >> as_transformer(reader))(pd.DataFrame(rows))
    best = [trace.by_route["eng"].candidates[:1] for trace in traces]
    assert answers["qanswer"].tolist() == [one.text for some in best for one in some]
    chosen = as_transformer(pipeline)(pd.DataFrame(rows))
    assert chosen["qanswer"].tolist() == [trace.answer.text for trace in traces if trace.answer]


def test_an_experiment_of_pyterrier_has_the_scores_of_xorqa(
    bm25: Bm25, world: Dataset, queries: list[Query]
) -> None:
    golds = {
        (example.question.qid, gold.docid)
        for example in world.examples
        for gold in example.golds
        if gold.docid and world.corpora["en"].get(gold.docid)
    }
    qrels = pd.DataFrame([(*pair, 1) for pair in golds], columns=["qid", "docno", "label"])
    scored = [query for query in queries if query.question.qid in {qid for qid, _ in golds}]
    table = pt.Experiment([as_transformer(bm25)], frame(scored), qrels, ["recip_rank"])
    ranks = [
        next(
            (
                1 / n
                for n, hit in enumerate(hits, 1)
                if (q.question.qid, hit.passage.docid) in golds
            ),
            0,
        )
        for q, hits in zip(scored, bm25.retrieve(scored, k=100), strict=True)
    ]
    assert table["recip_rank"][0] == pytest.approx(sum(ranks) / len(ranks))


def test_frames_without_columns_of_xorqa(bm25: Bm25, ranker: CrossEncoder) -> None:
    text = "Who discovered francium?"
    found = as_transformer(bm25, k=3).search(text)
    [hits] = bm25.retrieve([Query(Question("1", text, "en"), text, "en")], k=3)
    assert found["docno"].tolist() == [hit.passage.docid for hit in hits]
    bare = found[["qid", "query", "docno", "score", "text"]]
    assert {*as_transformer(ranker)(bare)["docno"]} == {*found["docno"]}
    weighted = (as_transformer(bm25, k=3) * 2 + as_transformer(bm25, k=3))(found[["qid", "query"]])
    assert weighted["score"].tolist() == pytest.approx([3 * hit.score for hit in hits])
    empty = as_transformer(bm25)(found[["qid", "query"]].head(0))
    assert len(empty) == 0 and "docno" in empty.columns


def test_what_cannot_be_used_is_refused(bm25: Bm25, world: Dataset, queries: list[Query]) -> None:
    with pytest.raises(ConfigError, match="NoLocalisation is a localiser; valid here: translator"):
        as_transformer(NoLocalisation())
    with pytest.raises(ConfigError, match="until must be 'retrieve' or 'full', not 'read'"):
        as_transformer(bm25, until="read")
    corpus = world.corpora["en"]
    with pytest.raises(ConfigError, match="no object with a method transform_iter"):
        PyTerrierRetriever("xorqa:Bm25", corpus)
    unknown = pt.apply.generic(lambda rows: rows.assign(docno="x", score=1.0))
    with pytest.raises(DataError, match="returned the document 'x', which is not a passage here"):
        PyTerrierRetriever(unknown, corpus).retrieve(queries, k=2)
    bare = pt.apply.generic(lambda rows: rows)
    with pytest.raises(DataError, match="must return docno and score"):
        PyTerrierRetriever(bare, corpus).retrieve(queries, k=2)
    unscored = pt.apply.generic(
        lambda rows: rows.assign(docno=corpus.passages[0].docid, score=float("nan"))
    )
    with pytest.raises(DataError, match="without a score"):
        PyTerrierRetriever(unscored, corpus).retrieve(queries, k=2)
    assert PyTerrierRetriever(bare, corpus).retrieve([], k=2) == []


def test_hits_are_cached_only_under_a_revision(world: Dataset) -> None:
    corpus, bare = world.corpora["en"], pt.apply.generic(lambda rows: rows)
    without = [PyTerrierRetriever(bare, corpus).fingerprint() for _ in range(2)]
    assert without[0] != without[1]
    named = [PyTerrierRetriever(bare, corpus, revision=each).fingerprint() for each in "112"]
    assert named[0] == named[1] != named[2]


def test_questions_that_share_a_qid(bm25: Bm25, world: Dataset, queries: list[Query]) -> None:
    same = [replace(query, question=replace(query.question, qid="asked")) for query in queries]
    back = PyTerrierRetriever(as_transformer(bm25), world.corpora["en"])
    assert back.retrieve(same, k=5) == bm25.retrieve(queries, k=5)
