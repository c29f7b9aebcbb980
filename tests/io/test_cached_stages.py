from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.stages import BaseRetriever
from xorqa.core.types import Candidate, CandidateScores, Hit, Passage, Query, Question, Span
from xorqa.datasets.corpus import Corpus
from xorqa.io import cached_stages as cached
from xorqa.io.cache import Cache, NoCache

CORPUS = Corpus("rivers", [Passage("a", "Nile 1 km"), Passage("b", "Rhine 2 km")])
QUESTIONS = [Question("1", "Niili?", "fi"), Question("2", "Rein?", "fi")]
QUERIES = [Query(QUESTIONS[0], "Nile", "en"), Query(QUESTIONS[1], "Rhine", "en")]
HITS = [[Hit(CORPUS["a"], 2.0)], [Hit(CORPUS["b"], 1.5), Hit(CORPUS["a"], 0.5)]]


class Stage(BaseRetriever):
    """All of the road in one, which counts what it is asked."""

    version = 1

    def __init__(self, *, english: str = "Nile Rhine") -> None:
        self.english = english.split()
        self.asked: list[str] = []

    def fingerprint(self) -> str:
        return "stage"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        self.asked += [question.text for question in questions]
        said = dict(zip(["Niili?", "Rein?"], self.english, strict=False))
        return [
            Query(q, said[q.text], to) if q.text in said else Query(q, q.text, q.lang)
            for q in questions
        ]

    def retrieve(self, queries: Sequence[Query], *, k: int) -> list[list[Hit]]:
        self.asked += [query.text for query in queries]
        found = dict(zip(["Nile", "Rhine"], HITS, strict=True))
        return [found[query.text][:k] for query in queries]

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        self.asked += [query.text for query in queries]
        return [[_candidate(hit, rank) for rank, hit in enumerate(some)] for some in hits]


def _candidate(hit: Hit, rank: int) -> Candidate:
    return Candidate(hit, rank, Span(1, 3), CandidateScores(-1.0, -2.0))


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


def test_what_is_kept_is_what_was_computed(cache: Cache) -> None:
    first, again = Stage(), Stage()
    for stage in (first, again):
        assert cached.translate(stage, QUESTIONS, to="en", cache=cache) == QUERIES
        assert cached.retrieve(stage, QUERIES, CORPUS, k=2, cache=cache) == HITS
        computed = stage.read(QUERIES, HITS) if stage is first else None
        found = cached.read(stage, QUERIES, HITS, cache=cache)
        assert computed is None or found == computed
    assert again.asked == []


def test_other_depths_and_other_passages_are_computed(cache: Cache) -> None:
    stage = Stage()
    cached.retrieve(stage, QUERIES, CORPUS, k=2, cache=cache)
    assert cached.retrieve(stage, QUERIES, CORPUS, k=1, cache=cache) == [some[:1] for some in HITS]
    cached.read(stage, QUERIES, HITS, cache=cache)
    other = [[replace(hit, score=9.0) for hit in some] for some in HITS]
    [[first], _] = cached.read(stage, QUERIES, other, cache=cache)
    assert first.hit.score == 9.0


@pytest.mark.parametrize("texts", [False, True])
def test_what_was_not_translated_is_tried_again(cache: Cache, texts: bool) -> None:
    def translated(stage: Stage) -> list[tuple[str, str]]:
        twice = [question.text for question in QUESTIONS] * 2
        found = (
            cached.translate_each(stage, twice, lang="fi", to="en", cache=cache)
            if texts
            else cached.translate(stage, QUESTIONS, to="en", cache=cache)
        )
        return [(query.text, query.lang) for query in found]

    assert translated(Stage(english="Nile")) == [("Nile", "en"), ("Rein?", "fi")]
    better = Stage()
    assert translated(better) == [("Nile", "en"), ("Rhine", "en")]
    assert better.asked == ["Rein?"]


def test_without_a_cache_everything_is_computed() -> None:
    stage = Stage()
    for _ in range(2):
        assert cached.translate(stage, QUESTIONS, to="en", cache=NoCache()) == QUERIES
    assert len(stage.asked) == 4


def test_ranked_hits_are_computed_once(cache: Cache) -> None:
    titled = [
        [Hit(replace(hit.passage, title="River"), hit.score) for hit in hits] for hits in HITS
    ]
    for _ in range(2):
        stage = Backwards()
        assert cached.rank(stage, QUERIES, HITS, CORPUS, cache=cache) == stage.rank(QUERIES, HITS)
    assert stage.ranked == 2  # by the line above, not through the cache
    cached.rank(stage, QUERIES, titled, CORPUS, cache=cache)
    assert stage.ranked == 4  # a title may change the order


class Backwards:
    """A ranker that turns lists around."""

    version = 1

    def __init__(self) -> None:
        self.ranked = 0

    def fingerprint(self) -> str:
        return "backwards"

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        self.ranked += len(queries)
        return [
            [Hit(hit.passage, float(at)) for at, hit in enumerate(ranking)][::-1]
            for ranking in hits
        ]
