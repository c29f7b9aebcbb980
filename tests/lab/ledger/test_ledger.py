from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.io.cache import Cache
from xorqa.lab.common.given_passages import read_given, read_pairs
from xorqa.lab.ledger.cases import Case
from xorqa.lab.ledger.ledger import (
    END_TO_END,
    END_UNRANKED,
    GOLD_PASSAGE,
    ORACLE_PASSAGE,
    UNRANKED,
    Ledger,
    make_ledger,
)
from xorqa.metrics.report import Reference
from xorqa.reading.pairs import QuestionPassage
from xorqa.reading.span import SpanReader

NILE = "The Nile is 6,650 km long. Cairo stands on the Nile."
RHINE = "The Rhine is shorter. It flows to Rotterdam."
CASE = Case(
    reference=Reference("q", "fi", ("6,650 km", "6650 km")),
    reader_query="How long is the Nile?",
    gold_passages=(NILE,),
    retrieved=(RHINE, NILE),
    read=(RHINE,),
    candidates=("Rotterdam", "It flows"),
    prediction="It flows",
)
SPANS = ["6,650 km", "6,650 km long", "Nile", "Rotterdam", ""]


@pytest.fixture(scope="module")
def reader(tiny_adapter: Path) -> SpanReader:
    return SpanReader(adapter=str(tiny_adapter), dtype="float32")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    return Cache(tmp_path_factory.mktemp("cache") / "stages.sqlite")


def f1(ledger: Ledger, row: str) -> float:
    return ledger.answers[row].macro["f1"]


def test_the_gold_passage_is_read_as_any_other(reader: SpanReader, cache: Cache) -> None:
    [answer] = read_given(reader, [QuestionPassage(CASE.reader_query, NILE)], cache=cache)
    right = replace(CASE, reference=Reference("q", "fi", (answer,)))
    assert make_ledger(reader, [right], cache=cache).answers[GOLD_PASSAGE].macro["em"] == 100.0
    calls: list[tuple[int, int]] = []
    make_ledger(reader, [CASE], cache=cache, progress=lambda *call: calls.append(call))
    assert calls == [(1, 1)]  # from the cache


@given(st.lists(st.sampled_from(SPANS), min_size=1), st.data())
def test_no_choice_is_better_than_the_oracles(
    reader: SpanReader, cache: Cache, spans: list[str], data: st.DataObject
) -> None:
    case = replace(CASE, candidates=tuple(spans), prediction=data.draw(st.sampled_from(spans)))
    ledger = make_ledger(reader, [case], cache=cache)
    assert f1(ledger, ORACLE_PASSAGE) >= f1(ledger, END_TO_END)
    assert (ledger.answers[ORACLE_PASSAGE].macro["em"] == 100.0) == ("6,650 km" in spans)


def test_a_question_without_candidates_scores_nothing(reader: SpanReader, cache: Cache) -> None:
    ledger = make_ledger(reader, [replace(CASE, candidates=(), prediction="")], cache=cache)
    assert f1(ledger, ORACLE_PASSAGE) == f1(ledger, END_TO_END) == 0.0


@pytest.mark.parametrize(
    ("text", "gold", "answer"),
    [
        (NILE, 100.0, 100.0),
        ("At 6650 KM, it is long.", 0.0, 100.0),
        ("It is 16,650 km long.", 0.0, 0.0),  # part of a word
        ("", 0.0, 0.0),
    ],
)
def test_the_passage_recall(
    reader: SpanReader, cache: Cache, text: str, gold: float, answer: float
) -> None:
    case = replace(CASE, retrieved=(RHINE, text), read=(RHINE,))
    ledger = make_ledger(reader, [case], cache=cache)
    assert ledger.passages["retrieved"].macro == {"gold passage": gold, "or an answer": answer}
    assert ledger.passages["read"].macro == {"gold passage": 0.0, "or an answer": 0.0}


def test_an_answer_of_nothing_is_found_nowhere(reader: SpanReader, cache: Cache) -> None:
    case = replace(CASE, reference=Reference("q", "fi", ("the",)), retrieved=(RHINE,))
    ledger = make_ledger(reader, [case], cache=cache)
    assert ledger.passages["retrieved"].macro["or an answer"] == 0.0


def test_languages_are_reported_separately(reader: SpanReader, cache: Cache) -> None:
    right = replace(
        CASE, reference=replace(CASE.reference, qid="t", lang="te"), prediction="6650 km"
    )
    ledger = make_ledger(reader, [CASE, right], cache=cache)
    by_lang = ledger.answers[END_TO_END].per_lang
    assert (by_lang["fi"]["em"], by_lang["te"]["em"]) == (0.0, 100.0)
    assert ledger.answers[END_TO_END].n == {"fi": 1, "te": 1}


def test_what_the_ranker_won(reader: SpanReader, cache: Cache) -> None:
    plain = make_ledger(reader, [CASE], cache=cache)
    assert UNRANKED not in plain.passages
    case = replace(CASE, read=(NILE,), first_retrieved=(RHINE,))
    ledger = make_ledger(reader, [case], cache=cache)
    assert list(ledger.passages) == ["retrieved", UNRANKED, "read"]
    gold = [report.macro["gold passage"] for report in ledger.passages.values()]
    assert gold == [100.0, 0.0, 100.0]
    assert END_UNRANKED not in plain.answers and END_UNRANKED in ledger.answers


def test_the_answer_without_the_ranker_is_read_from_the_first_retrieved(
    reader: SpanReader, cache: Cache
) -> None:
    texts = [RHINE, NILE]
    pairs = [QuestionPassage(CASE.reader_query, text) for text in texts]
    readings = read_pairs(reader, pairs, cache=cache)
    best = max(range(2), key=lambda index: readings[index].passage_score)
    [answer] = read_given(reader, pairs[best : best + 1], cache=cache)
    reference = Reference("q", "fi", (answer,))
    for first, score in ((tuple(texts), 100.0), ((), 0.0)):
        case = replace(CASE, reference=reference, first_retrieved=first)
        ledger = make_ledger(reader, [case], cache=cache)
        assert ledger.answers[END_UNRANKED].macro["em"] == score
