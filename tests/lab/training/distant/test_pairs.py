from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from xorqa.core.types import Example, Gold, Question, Span
from xorqa.io.cache import Cache
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.common.training_data import is_held_out
from xorqa.lab.training.distant.pairs import (
    DistantPair,
    confirm_pairs,
    find_pairs,
    read_passages,
    unsuitable,
    write_pairs,
)
from xorqa.lab.training.distant.questions import read_translated
from xorqa.lab.training.reader.samples import is_in_place
from xorqa.reading.span import SpanReader
from xorqa.retrieval.bm25 import Bm25


@pytest.fixture
def found(questions: Path, passages: Path, tmp_path: Path) -> list[DistantPair]:
    retriever = Bm25(corpus=read_passages([passages, passages]), folder=tmp_path / "bm25")
    examples, _ = read_translated(questions)
    return find_pairs([one for one in examples if unsuitable(one) is None], retriever, k=5)


def test_passages_are_read_once_under_their_titles(passages: Path) -> None:
    corpus = read_passages([passages, passages])
    assert [passage.title for passage in corpus] == ["Nile", "Nile", "River_Thames"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Yes.", "yes or no"),
        ("no", "yes or no"),
        ("12", "answer too common"),
        ("The", "answer too common"),
        ("after", "answer too common"),
        ("346", None),
    ],
)
def test_answers_that_tell_nothing(answer: str, why: str | None) -> None:
    assert unsuitable(Example(Question("q", "?", "fi"), (Gold(answer, "en"),))) == why


def test_pairs_say_the_answer(found: list[DistantPair]) -> None:
    said = {
        (pair.example.question.qid, pair.passage.title): {
            pair.passage.text[span.start : span.end] for span in pair.spans
        }
        for pair in found
    }
    assert said == {("q1", "Nile"): {"6,650 km"}, ("q2", "River_Thames"): {"346 km"}}


def test_k_bounds_the_passages(questions: Path, passages: Path, tmp_path: Path) -> None:
    retriever = Bm25(corpus=read_passages([passages]), folder=tmp_path / "bm25")
    example = Example(Question("q", "?", "fi"), (Gold("Nile", "en"),), "Does the Nile flood?")
    assert [len(find_pairs([example], retriever, k=k)) for k in (1, 2)] == [1, 2]


def test_a_reader_keeps_what_it_reads_itself(
    found: list[DistantPair], tiny_adapter: Path, tmp_path: Path
) -> None:
    reader = SpanReader(adapter=str(tiny_adapter), dtype="float32")
    pair = found[0]
    question, text = str(pair.example.human_translation), pair.passage.text
    [reading] = reader.pairs.read([(question, text)])
    best = reading.spans[0].span
    away = Span(best.end, best.end + 1) if best.start == 0 else Span(0, best.start)
    pairs = [DistantPair(pair.example, pair.passage, spans) for spans in ((away, best), (away,))]
    cache = Cache(tmp_path / "cache.sqlite")
    for _ in range(2):  # computed, then from the cache
        [kept] = confirm_pairs(pairs, reader, least=-math.inf, cache=cache)
        assert kept.spans == (best,)
    assert confirm_pairs(pairs, reader, least=reading.passage_score + 1e-3, cache=cache) == []


def test_what_is_written_can_be_trained_on(found: list[DistantPair], tmp_path: Path) -> None:
    write_pairs(tmp_path / "out.json", found, with_english=True)
    rows = list(read_squad(tmp_path / "out.json"))
    assert len({row.qid for row in rows}) == len(rows) == 2 * len(found)
    assert all(is_in_place(row) for row in rows)
    assert {row.question for row in rows} >= {"Kuinka pitkä on Thames?", "How long is the Thames?"}
    assert {row.title for row in rows} == {"Nile", "River_Thames"}
    write_pairs(tmp_path / "own.json", found, with_english=False)
    own = [
        qa
        for article in json.loads((tmp_path / "own.json").read_text())["data"]
        for paragraph in article["paragraphs"]
        for qa in paragraph["qas"]
    ]
    assert {qa["lang"] for qa in own} == {"fi"}


def test_articles_held_out_stay_held_out(
    found: list[DistantPair], passages: Path, tmp_path: Path
) -> None:
    write_pairs(tmp_path / "out.json", found, with_english=False)
    by_text = {row.context: row for row in read_squad(passages)}
    for row in read_squad(tmp_path / "out.json"):
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            assert is_held_out(row, share) == is_held_out(by_text[row.context], share)
