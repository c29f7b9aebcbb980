"""What is found: by BM25, by vectors, and by both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.retrieval.elastic.client import ClusterError
from xorqa.retrieval.elastic.retriever import Elastic

PASSAGES = [
    Passage("b", "The Nile is a river in Africa.", "Nile"),
    Passage("a", "The Nile is a river in Africa.", "Nile"),
    Passage("c", "The Rhine is a long river.", "Rhine"),
    Passage("d", "Lake Inari stands in Finland."),
    Passage("fi", "Niili on joki Afrikassa; Nile.", "Niili", "fi"),
    Passage("te", "గోదావరి భారతదేశంలో ఒక నది.", "గోదావరి", "te"),
    Passage("ja", "信濃川は日本で最も長い川である。", "信濃川", "ja"),
]
CORPUS = Corpus("found", PASSAGES)
ENGLISH = Corpus("found-en", PASSAGES[:4])
UNLICENSED = {
    "type": "security_exception",
    "reason": "current license is non-compliant for [Reciprocal Rank Fusion (RRF)]",
}

Make = Callable[..., Elastic]


@pytest.fixture
def make(cluster: str, tiny: Path) -> Make:
    def made(corpus: Corpus = CORPUS, search: str = "bm25", **settings: Any) -> Elastic:
        if search != "bm25":
            settings |= {"encoder": {"model": str(tiny), "pooling": "mean"}, "vectors": "hnsw"}
        table = {"use": "elastic", "search": search, **settings}
        stage = build("retriever", table, corpus=corpus, folder=Path("x") / search)
        assert isinstance(stage, Elastic)
        return stage

    return made


def query(text: str, lang: str = "en", *, asked: str | None = None) -> Query:
    return Query(Question(text, asked or text, lang), text, lang)


def docids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.docid for hit in hits]


def test_equal_scores_by_docid(make: Make) -> None:
    [hits] = make().retrieve([query("Where is the Nile?")], k=9)
    assert docids(hits) == ["a", "b"]
    assert hits[0].score == hits[1].score > 0
    assert docids(make().retrieve([query("Where is the Nile?")], k=1)[0]) == ["a"]


def test_title_and_text_count_as_one_field(make: Make) -> None:
    """Scores are BM25F's; the local server has k1 = 1.2 and b = 0.75 whatever is set."""
    [hits] = make(ENGLISH, k1=1.2, b=0.75).retrieve([query("nile")], k=1)
    lengths = [6, 6, 5, 4]  # tokens after English stop words: of title and text together
    of_token = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    length = 1 - 0.75 + 0.75 * tokens("a", lengths) / (sum(lengths) / 4)
    assert hits[0].score == pytest.approx(2.2 * of_token * 2 / (2 + 1.2 * length), rel=0.05)


def tokens(docid: str, lengths: list[int]) -> int:
    return lengths[[passage.docid for passage in ENGLISH].index(docid)]


def test_words_are_analysed_as_their_language_is(make: Make) -> None:
    found = make().retrieve(
        [query("rivers"), query("joki", "fi"), query("గోదావరిలో", "te"), query("日本の川", "ja")], k=9
    )
    assert [set(docids(hits)) for hits in found] == [{"a", "b", "c"}, {"fi"}, {"te"}, {"ja"}]


def test_a_language_without_an_index_is_searched_in_all(make: Make) -> None:
    [hits] = make().retrieve([query("Nile 日本", "xx")], k=9)
    assert set(docids(hits)) == {"a", "b", "fi", "ja"}
    assert [(-hit.score, hit.passage.docid) for hit in hits] == sorted(
        (-hit.score, hit.passage.docid) for hit in hits
    )


@pytest.mark.parametrize(
    ("search", "text"),
    [
        ("bm25", " \n"),
        ("bm25", "?!"),
        ("bm25", "the of"),
        ("bm25", "half \ud83d pair"),
        ("bm25", "Nile " * 5000),
        ("hybrid", " \n"),
        ("hybrid", "Nile " * 5000),
    ],
)
def test_odd_queries(make: Make, search: str, text: str) -> None:
    found = make(search=search).retrieve([query("Rhine"), query(text), query("Inari")], k=2)
    assert "c" in docids(found[0])
    assert "d" in docids(found[2])
    assert len(found[1]) <= 2
    assert text.strip() or found[1] == []


def test_no_hits_are_asked_for(make: Make) -> None:
    assert make().retrieve([query("Rhine")], k=0) == [[]]
    assert make().retrieve([], k=5) == []


def test_many_queries_are_answered_in_order(make: Make) -> None:
    asked = [query(("Rhine", "Inari")[at % 2]) for at in range(150)]
    assert list(map(docids, make().retrieve(asked, k=1))) == [["c"], ["d"]] * 75


@pytest.mark.parametrize("text", ["question", "query"])
def test_the_same_as_exact_dense_retrieval(
    make: Make, tiny: Path, tmp_path: Path, text: str
) -> None:
    exact = build(
        "retriever",
        {"use": "dense", "encoder": str(tiny), "pooling": "mean", "text": text},
        corpus=CORPUS,
        folder=tmp_path / "dense",
    )
    asked = [query("Where is the Nile?", asked="Niili?"), query("నది", "te"), query("川", "xx")]
    found = make(search="dense", text=text).retrieve(asked, k=4)
    for hits, wanted in zip(found, exact.retrieve(asked, k=4), strict=True):
        assert docids(hits) == docids(wanted)
        scores = [hit.score for hit in wanted]
        assert [hit.score for hit in hits] == pytest.approx(scores, abs=1e-3)


def test_fused_in_the_cluster_and_here_is_the_same(make: Make, middle: Any) -> None:
    asked = [query("Where is the river Rhine?"), query("Lake Inari"), query("Nile", "xx")]
    there = make(ENGLISH, "hybrid")
    in_cluster = there.retrieve(asked, k=4)
    one_request = middle.asked("_msearch")
    middle.answer = lambda method, path, body: (
        (403, {"error": UNLICENSED, "status": 403}) if b'"rrf"' in body else None
    )
    here = make(ENGLISH, "hybrid")
    local = here.retrieve(asked, k=4)
    assert one_request == 1
    assert middle.asked("_msearch") == 1 + 3
    for one, other in zip(in_cluster, local, strict=True):
        assert [round(hit.score, 6) for hit in one] == [round(hit.score, 6) for hit in other]
        assert set(docids(one)) == set(docids(other))
    here.retrieve(asked, k=4)
    assert middle.asked("_msearch") == 1 + 3 + 2


def test_a_licence_refused_for_one_search(make: Make, middle: Any) -> None:
    refused = {"responses": [{"error": UNLICENSED, "status": 403}]}
    middle.answer = lambda method, path, body: (200, refused) if b'"rrf"' in body else None
    assert make(ENGLISH, "hybrid").retrieve([query("Rhine")], k=1)[0][0].passage.docid == "c"


def test_several_languages_are_fused_here(make: Make, middle: Any) -> None:
    asked = [query("నది", "te")]
    [hits] = make(search="hybrid").retrieve(asked, k=9)
    [dense] = make(search="dense").retrieve(asked, k=9)
    assert docids(hits) == docids(dense)  # BM25 ranks the only Telugu passage, and no other
    [hits] = make(corpus=ENGLISH, search="hybrid").retrieve([query("Rhine")], k=9)
    assert len(hits) == len(ENGLISH)


def test_part_of_a_cluster_is_no_answer(make: Make, middle: Any) -> None:
    make().build()
    failed = {
        "error": {"type": "search_phase_execution_exception", "reason": "Partial shards failure"},
        "status": 503,
    }

    def search(method: str, path: str, body: bytes) -> Any:
        if "_msearch" not in path:
            return None
        assert b'"allow_partial_search_results":false' in body
        return 200, {"responses": [failed]}

    middle.answer = search
    with pytest.raises(ClusterError, match=r"is overloaded; run again later \(Partial shards"):
        make().retrieve([query("Rhine")], k=1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"search": "sparse"}, "search cannot be 'sparse'; valid: bm25, dense, hybrid"),
        ({"analyzers": {"xyz": "english"}}, "no language is called 'xyz'"),
        (
            {"search": "dense", "encoder": {"size": 3}},
            r"\[retriever\] encoder has no setting 'size'",
        ),
        ({"k2": 3}, "has no setting 'k2'"),
    ],
)
def test_settings_that_do_not_exist(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build("retriever", {"use": "elastic", **settings}, corpus=CORPUS, folder=Path("x/y"))


def test_an_analyzer_the_cluster_does_not_have(make: Make) -> None:
    with pytest.raises(
        ClusterError, match=r"rejects the request: mapper_parsing_exception \(.*\[nope"
    ):
        make(analyzers={"en": "nope"}).build(rebuild=True)


def test_another_search_has_another_fingerprint(make: Make) -> None:
    prints = {
        make(ENGLISH).fingerprint(),
        make(ENGLISH, k1=1.5, b=0.75).fingerprint(),
        make(ENGLISH, "dense").fingerprint(),
        make(ENGLISH, "hybrid").fingerprint(),
        make(ENGLISH, "hybrid", constant=30).fingerprint(),
    }
    assert len(prints) == 5
