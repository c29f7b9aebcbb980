from functools import partial
from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Span
from xorqa.io.cache import Cache
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.mlqa.gxlt import (
    all_pairs,
    diagonal,
    matrix,
    read_pairs,
    score_pairs,
    unpaired_count,
    xlt,
)
from xorqa.reading.span import SpanReader


def row(qid: str, question: str, context: str, answer: str) -> SquadQuestion:
    start = context.index(answer)
    span = Span(start, start + len(answer))
    return SquadQuestion(qid, question, "", context, (answer,), span)


PARALLEL = {
    lang: {row.qid: row for row in rows}
    for lang, rows in {
        "de": [
            row("1", "Welcher Fluss?", "Kairo liegt am Nil.", "Nil"),
            row("2", "Welche Stadt?", "Kairo liegt am Nil.", "Kairo"),
        ],
        "en": [
            row("1", "Which river?", "Cairo is on the Nile.", "Nile"),
            row("2", "Which town?", "Cairo is on the Nile.", "Cairo"),
            row("3", "Where is Oulu?", "Oulu is in Finland.", "Finland"),
        ],
        "fi": [row("3", "Missä on Oulu?", "Oulu on Suomessa.", "Suomessa")],
    }.items()
}
DE_EN = ("de", "en")  # a German context, an English question


@pytest.fixture(scope="module")
def reader(tiny_adapter: Path) -> SpanReader:
    return SpanReader(adapter=str(tiny_adapter), dtype="float32")


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "stages.sqlite")


@pytest.fixture
def read(reader: SpanReader, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every (question, context) that the model, not the cache, has to read."""
    seen: list[tuple[str, str]] = []
    real = reader.pairs.read
    monkeypatch.setattr(reader.pairs, "read", lambda pairs: seen.extend(pairs) or real(pairs))
    return seen


def test_pairs_and_what_they_leave_out() -> None:
    assert diagonal(PARALLEL) == [("de", "de"), ("en", "en"), ("fi", "fi")]
    assert len(set(all_pairs(PARALLEL))) == 9
    pairs = (("de", "de"), DE_EN, ("de", "fi"))
    assert [unpaired_count(PARALLEL, pair) for pair in pairs] == [0, 1, 3]
    with pytest.raises(DataError, match=r"share no ids \(de, fi\)"):
        all_pairs({lang: PARALLEL[lang] for lang in ("de", "fi")})


def test_a_question_is_read_with_the_other_languages_context(
    reader: SpanReader, cache: Cache, read: list[tuple[str, str]]
) -> None:
    reports: list[tuple[int, int]] = []
    pairs = [DE_EN, ("en", "fi"), ("fi", "de")]
    answers = read_pairs(
        reader, PARALLEL, pairs, cache=cache, progress=lambda *counts: reports.append(counts)
    )
    assert read == [
        ("Which river?", "Kairo liegt am Nil.", "en"),
        ("Which town?", "Kairo liegt am Nil.", "en"),
        ("Missä on Oulu?", "Oulu is in Finland.", "fi"),
    ]
    assert {pair: list(by_qid) for pair, by_qid in answers.items()} == {
        DE_EN: ["1", "2"],
        ("en", "fi"): ["3"],
        ("fi", "de"): [],
    }
    assert all(text in "Kairo liegt am Nil." for text in answers[DE_EN].values())
    assert reports == sorted(reports)
    assert reports[-1] == (3, 3)


def test_a_killed_matrix_resumes(
    reader: SpanReader,
    cache: Cache,
    read: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "through", partial(cache.through, chunk=2))

    def kill(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_pairs(reader, PARALLEL, all_pairs(PARALLEL), cache=cache, progress=kill)
    before = len(read)
    read_pairs(reader, PARALLEL, all_pairs(PARALLEL), cache=cache)
    assert before == 2
    assert len(read) == len(set(read)) == sum(map(len, PARALLEL.values())) + 6


def test_scores_are_those_of_the_contexts_language() -> None:
    answers = {"1": "der Nil", "2": "the Kairo"}
    scores = score_pairs("mlqa", PARALLEL, {DE_EN: answers})[DE_EN]
    assert [(row.qid, row.lang) for row in scores] == [("1", "de"), ("2", "de")]
    assert [row.values["em"] for row in scores] == [1, 0]  # only German articles are dropped
    squad = score_pairs("squad", PARALLEL, {DE_EN: answers})[DE_EN]
    assert [row.values["em"] for row in squad] == [0, 1]
    strict = score_pairs("mlqa", PARALLEL, {DE_EN: answers}, scorer="strict")[DE_EN]
    assert [row.lang for row in strict] == ["de", "de"]


def test_means_of_pairs_weigh_the_same_and_leave_the_diagonal_out() -> None:
    answers = {
        ("de", "de"): {"1": "Nil", "2": "Kairo"},
        ("de", "en"): {"1": "Nil", "2": "Oulu"},
        ("de", "fi"): {},
        ("en", "fi"): {"3": "Finland"},
    }
    scores = score_pairs("mlqa", PARALLEL, answers)
    gxlt = matrix("mlqa", scores)
    assert {pair: cell["em"] for pair, cell in gxlt.cells.items()} == {
        ("de", "de"): 100,
        ("de", "en"): 50,
        ("en", "fi"): 100,
    }
    assert gxlt.mean == {"f1": 75, "em": 75}
    assert xlt(scores) == scores["de", "de"]
