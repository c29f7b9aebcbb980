from pathlib import Path

import pytest

from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.ranking.by_reader import ReaderRanker
from xorqa.reading.pairs import PairReader, QuestionPassage
from xorqa.reading.span import SpanReader

TEXTS = ["The Nile is in Africa.", "The Rhine is in Europe.", "Inari is in Finland."]
HITS = [Hit(Passage(str(at), text), 3.0 - at) for at, text in enumerate(TEXTS)]
QUERY = Query(Question("q", "Missä Inari on?", "fi"), "Where is Inari?", "en")


@pytest.fixture
def adapter(tiny_adapter: Path) -> str:
    return str(tiny_adapter)


def test_the_order_is_that_of_the_readers_relevance(adapter: str) -> None:
    [ranked] = ReaderRanker(adapter=adapter).rank([QUERY], [HITS])
    [read] = SpanReader(adapter=adapter).read([QUERY], [HITS])
    relevance = {candidate.docid: candidate.scores.passage for candidate in read}
    assert {hit.passage.docid: hit.score for hit in ranked} == pytest.approx(relevance)
    assert [hit.score for hit in ranked] == sorted(relevance.values(), reverse=True)


def test_only_the_first_hits_are_ranked_and_kept(adapter: str) -> None:
    [ranked] = ReaderRanker(adapter=adapter, depth=2).rank([QUERY], [HITS])
    assert ranked[-1].passage == HITS[-1].passage
    [kept] = ReaderRanker(adapter=adapter, depth=2, keep=1).rank([QUERY], [HITS])
    assert kept == ranked[:1]


def test_what_was_ranked_is_not_read_again(adapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    [ranked] = ReaderRanker(adapter=adapter, longest=29).rank([QUERY], [HITS])
    again: list[QuestionPassage] = []
    monkeypatch.setattr(PairReader, "score_windows", lambda _, pairs: again.extend(pairs) or [])
    assert SpanReader(adapter=adapter, longest=29).read([QUERY], [ranked])[0]
    assert again == []


def test_the_original_question_may_be_read(adapter: str) -> None:
    [translated] = ReaderRanker(adapter=adapter).rank([QUERY], [HITS])
    [original] = ReaderRanker(adapter=adapter, text="question").rank([QUERY], [HITS])
    assert [hit.score for hit in translated] != [hit.score for hit in original]


def test_every_setting_changes_the_fingerprint(adapter: str) -> None:
    stages = [
        ReaderRanker(adapter=adapter),
        ReaderRanker(adapter=adapter, depth=3),
        ReaderRanker(adapter=adapter, keep=3),
        ReaderRanker(adapter=adapter, max_tokens=64),
        ReaderRanker(adapter=adapter, text="question"),
    ]
    assert len({stage.fingerprint() for stage in stages}) == len(stages)
