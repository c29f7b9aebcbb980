import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import WeightsError
from xorqa.core.types import Candidate, Hit, Passage, Query, Question
from xorqa.datasets.mini import load as load_mini
from xorqa.reading.pairs import PairReader
from xorqa.reading.span import SpanReader, _reduced

PASSAGES = [next(iter(corpus)) for corpus in load_mini().corpora.values()]
LONG = Passage("long", " ".join(passage.text for passage in PASSAGES[:2]) * 8, lang="en")


def query(text: str, asked: str = "Kuka?") -> Query:
    return Query(Question("q", asked, "fi"), text, "en")


def hits(*passages: Passage) -> list[Hit]:
    return [Hit(passage, 10.0 - rank) for rank, passage in enumerate(passages)]


def scores(candidates: list[Candidate]) -> list[float]:
    return [candidate.score for candidate in candidates]


@pytest.fixture(scope="module")
def reader(tiny_adapter: Path) -> SpanReader:
    return SpanReader(adapter=str(tiny_adapter), passages=9, max_tokens=128, dtype="float32")


def test_candidates_are_spans_of_their_passages_best_first(reader: SpanReader) -> None:
    found = hits(*PASSAGES, LONG)
    [candidates] = reader.read([query("Who?")], [found])
    assert len(candidates) == 9
    assert scores(candidates) == sorted(scores(candidates), reverse=True)
    by_docid = {hit.passage.docid: (rank, hit) for rank, hit in enumerate(found)}
    for candidate in candidates:
        rank, hit = by_docid.pop(candidate.docid)
        assert (candidate.rank, candidate.hit) == (rank, hit)
        assert candidate.text.strip() and candidate.route == ""
        assert candidate.scores.span <= 0 and candidate.scores.passage <= 0
        assert candidate.scores.margin is not None


def test_hits_ranked_lower_are_less_probable_by_their_distance(tiny_adapter: Path) -> None:
    ranked = hits(*PASSAGES[:4])

    def odds(ranking: float) -> dict[str, float]:
        stage = SpanReader(adapter=str(tiny_adapter), ranking=ranking, dtype="float32")
        [candidates] = stage.read([query("Who?")], [ranked])
        assert scores(candidates) == sorted(scores(candidates), reverse=True)
        log_odds = {c.docid: c.score - math.log(-math.expm1(c.score)) for c in candidates}
        return {hit.passage.docid: log_odds[hit.passage.docid] for hit in ranked}

    alone, together = odds(0.0), odds(2.0)
    below = [alone[docid] - together[docid] for docid in alone]
    assert below == pytest.approx([0.0, 2.0, 4.0, 6.0], abs=1e-6)


@given(st.floats(-50, 0), st.floats(0, 1e6))
def test_a_reduced_probability_stays_one(log_probability: float, log_odds: float) -> None:
    reduced = _reduced(log_probability, log_odds)
    assert math.isfinite(reduced)
    assert reduced <= log_probability + 1e-9


def test_results_keep_the_order_of_the_queries(reader: SpanReader) -> None:
    queries = [query("Who?"), query("Where?"), query("Who?"), query("")]
    given = [hits(*PASSAGES[:3]), [], hits(LONG), hits(PASSAGES[5])]
    together = reader.read(queries, given)
    assert [len(some) for some in together] == [3, 0, 1, 1]
    for asked, some, read in zip(queries, given, together, strict=True):
        [alone] = reader.read([asked], [some])
        assert [(c.docid, c.span) for c in alone] == [(c.docid, c.span) for c in read]
        assert scores(alone) == pytest.approx(scores(read), abs=1e-4)
    assert reader.read([], []) == []


def test_only_the_first_passages_are_read(tiny_adapter: Path) -> None:
    two = SpanReader(adapter=str(tiny_adapter), passages=2)
    [candidates] = two.read([query("Who?")], [hits(*PASSAGES)])
    assert sorted(c.rank for c in candidates) == [0, 1]


def test_the_same_pair_is_read_once(reader: SpanReader, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    score_windows = PairReader.score_windows

    def spy(self: PairReader, pairs: list[tuple[str, str]]) -> object:
        asked.extend(pairs)
        return score_windows(self, pairs)

    monkeypatch.setattr(PairReader, "score_windows", spy)
    twin = Passage("twin", PASSAGES[0].text)
    [candidates, again] = reader.read([query("Who once?")] * 2, [hits(PASSAGES[0], twin)] * 2)
    [[later]] = reader.read([query("Who once?")], [hits(twin)])
    assert (later.text, later.score) == (candidates[0].text, candidates[0].score)
    assert asked == [("Who once?", PASSAGES[0].text, "en")]
    assert [c.docid for c in candidates] == sorted([PASSAGES[0].docid, "twin"])
    assert candidates == again


def test_the_question_as_asked_may_be_read(tiny_adapter: Path, reader: SpanReader) -> None:
    as_asked = SpanReader(
        adapter=str(tiny_adapter), max_tokens=128, dtype="float32", text="question"
    )
    [of_question] = as_asked.read([query("Who?", "Kuka?")], [hits(PASSAGES[0])])
    [of_query] = reader.read([query("Kuka?")], [hits(PASSAGES[0])])
    assert of_question == of_query
    assert as_asked.fingerprint() != reader.fingerprint()


def test_a_passage_without_words_has_no_candidate(reader: SpanReader) -> None:
    empty = [Passage("e", ""), Passage("b", " \n")]
    assert reader.read([query("Who?")], [hits(*empty)]) == [[]]


def test_unknown_adapters_are_told_when_they_are_used() -> None:
    with pytest.raises(WeightsError, match="no adapter is called 'reader-xx'"):
        SpanReader(adapter="reader-xx").read([query("Who?")], [hits(PASSAGES[0])])


def test_parameters_are_counted_by_where_they_are(reader: SpanReader, tiny: Path) -> None:
    from transformers import AutoModel

    base = AutoModel.from_pretrained(tiny, add_pooling_layer=False)
    found = reader.pairs.parameters()
    assert found["body"] + found["word embeddings"] == sum(p.numel() for p in base.parameters())
    assert found["word embeddings"] == base.config.vocab_size * base.config.hidden_size
    assert found["adapter"] == 2 * (2 * 32) + 3 * 32 + 3  # one pair of rank 2, and the head
