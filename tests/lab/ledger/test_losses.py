from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.core.stages import BaseTranslator
from xorqa.core.types import Candidate, CandidateScores, Example, Gold, Hit, Query, Question, Span
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.mini import load
from xorqa.experiments.settings import PipelineSettings, Route
from xorqa.io.cache import Cache
from xorqa.lab.ledger.losses import (
    STAGES,
    Losses,
    make_losses,
    rank_correlation,
    split_losses,
)


class FirstWords:
    """A reader that returns the first two words of the first passage."""

    version = 1

    def fingerprint(self) -> str:
        return "first words"

    def read(
        self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]
    ) -> list[list[Candidate]]:
        return [[_candidate(hit) for hit in row[:1]] for row in hits]


class Backwards(BaseTranslator):
    """A translator that reverses the question."""

    version = 1

    def fingerprint(self) -> str:
        return "backwards"

    def translate(self, questions: Sequence[Question], *, to: str) -> list[Query]:
        return [Query(question, question.text[::-1], to) for question in questions]


def _candidate(hit: Hit) -> Candidate:
    text = " ".join(hit.passage.text.split()[:2])
    assert hit.passage.text.startswith(text)
    return Candidate(hit, 0, Span(0, len(text)), CandidateScores(0.0, 0.0))


@pytest.fixture(scope="module")
def world() -> Dataset:
    return load().only(["fi", "ko"])


@pytest.fixture(scope="module")
def settings() -> PipelineSettings:
    route = Route("eng", {"use": "bm25"})
    return PipelineSettings((route,), reader={"use": f"{FirstWords.__module__}:FirstWords"})


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, FirstWords.__module__, sys.modules[__name__])


def ledger_of(settings: PipelineSettings, world: Dataset, folder: Path) -> Losses:
    tables: dict[str, dict[str, Any]] = {
        "human": {"use": "human"},
        "none": {"use": "none"},
        "backwards": {"use": f"{Backwards.__module__}:Backwards"},
    }
    return make_losses(settings, world, tables, cache=Cache(folder / "c.sqlite"), indexes=folder)


def test_each_translator_over_one_index(
    settings: PipelineSettings, world: Dataset, tmp_path: Path
) -> None:
    losses = ledger_of(settings, world, tmp_path)
    assert list(losses.reports) == list(losses.bleu) == ["human", "none", "backwards"]
    for report in losses.reports.values():
        assert report.n == {"fi": 12, "ko": 12}
        for means in (report.macro, *report.per_lang.values()):
            assert list(means) == ["f1", *STAGES]
            assert sum(means.values()) == pytest.approx(100)
    human, none = losses.reports["human"], losses.reports["none"]
    assert human.macro["translation"] == 0.0
    for stage in STAGES[1:]:  # these oracles do not depend on the translator
        assert none.per_lang["fi"][stage] == human.per_lang["fi"][stage]
    assert losses.bleu["human"] == pytest.approx({"fi": 100.0, "ko": 100.0})
    assert losses.bleu["none"]["ko"] < 50


def test_bleu_is_reported_with_xor_engspan_and_xor_full(
    settings: PipelineSettings, world: Dataset, tmp_path: Path
) -> None:
    """A localiser that leaves answers in English loses XOR-Full's F1, not XOR-EnglishSpan's."""
    english = [next(g for g in e.golds if g.lang == "en") for e in world.examples[:3]]
    words = [" ".join(world.corpora["en"][g.docid or ""].text.split()[:2]) for g in english]
    examples = tuple(
        replace(e, golds=(replace(gold, text=text, span=None), Gold("toisin sanottu", "fi")))
        for e, gold, text in zip(world.examples, english, words, strict=False)
    )
    losses = ledger_of(
        replace(settings, localiser={"use": "none"}), replace(world, examples=examples), tmp_path
    )
    assert losses.english_f1["human"]["fi"] > losses.reports["human"].per_lang["fi"]["f1"] == 0.0


def answered_by_first_words(world: Dataset) -> Dataset:
    """Questions whose gold answer is what the reader reads from the gold passage."""
    examples = []
    for example in world.examples[:3]:
        gold = next((g for g in example.golds if g.docid), None)
        if gold:
            words = " ".join(world.corpora["en"][gold.docid].text.split()[:2])
            mine = (Gold(words, "en", gold.docid, Span(0, len(words))), Gold(words, "fi"))
            examples.append(replace(example, golds=mine))
    return replace(world, examples=tuple(examples))


def test_gold_passages_and_spans_are_the_oracles(world: Dataset, tmp_path: Path) -> None:
    """A reader that always reads the gold answer from a given passage has no reading loss."""
    route = Route("eng", {"use": "bm25"})
    without_localiser = PipelineSettings(
        (route,), reader={"use": f"{FirstWords.__module__}:FirstWords"}, localiser={"use": "none"}
    )
    report = ledger_of(without_localiser, answered_by_first_words(world), tmp_path).reports["none"]
    assert report.macro["reading"] == report.macro["back-translation"] == 0.0
    assert report.macro["f1"] + report.macro["translation"] + report.macro["retrieval"] == 100


class LastFirst:
    """A ranker that turns the list around, which puts the gold passage last."""

    version = 1

    def fingerprint(self) -> str:
        return "last first"

    def rank(self, queries: Sequence[Query], hits: Sequence[Sequence[Hit]]) -> list[list[Hit]]:
        return [
            [Hit(hit.passage, float(number)) for number, hit in enumerate(row)][::-1]
            for row in hits
        ]


def test_a_ranker_changes_the_retrieval_loss_and_nothing_after_it(
    settings: PipelineSettings, world: Dataset, tmp_path: Path
) -> None:
    world, settings = answered_by_first_words(world), replace(settings, localiser={"use": "none"})
    plain = ledger_of(settings, world, tmp_path)
    assert plain.without_ranker == {}
    ranker = {"use": f"{LastFirst.__module__}:LastFirst"}
    losses = ledger_of(replace(settings, ranker=ranker), world, tmp_path)
    assert losses.without_ranker == plain.reports
    before, after = plain.reports["human"].macro, losses.reports["human"].macro
    assert after["retrieval"] > before["retrieval"]
    assert [after[stage] for stage in STAGES[2:]] == [before[stage] for stage in STAGES[2:]]
    assert sum(after.values()) == pytest.approx(100)


def test_other_routes_and_bare_questions_are_left_out(
    settings: PipelineSettings, world: Dataset, tmp_path: Path
) -> None:
    bare = replace(
        world, examples=tuple(replace(e, human_translation=None) for e in world.examples)
    )
    with pytest.raises(
        DataError, match="needs a route over the English corpus, and questions with"
    ):
        ledger_of(settings, bare, tmp_path)
    target = replace(settings, routes=(replace(settings.routes[0], corpus="target"),))
    with pytest.raises(DataError, match="needs a route over the English corpus"):
        ledger_of(target, world, tmp_path)


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 4, st.sampled_from(["fi", "te"])), min_size=1))
def test_score_and_losses_add_up(rows: list[tuple[float, float, float, float, str]]) -> None:
    examples = [Example(Question(str(i), "?", row[4]), ()) for i, row in enumerate(rows)]
    report = split_losses(examples, [[row[step] for row in rows] for step in range(4)])
    for means in (report.macro, *report.per_lang.values()):
        lost = sum(means[stage] for stage in STAGES)
        assert lost == pytest.approx(100 - means["f1"], abs=1e-9)


def test_rank_correlation() -> None:
    f1 = {
        name: dict(zip(("fi", "ko"), values, strict=True))
        for name, values in {"human": (0.0, 0.0), "a": (10.0, 20.0), "b": (30.0, 40.0)}.items()
    }
    rising = {
        "human": {"fi": 100.0, "ko": 100.0},
        "a": {"fi": 1.0, "ko": 2.0},
        "b": {"fi": 3.0, "ko": 9.0},
    }
    assert rank_correlation(f1, rising) == pytest.approx(1.0)
    falling = {name: {lang: -bleu for lang, bleu in row.items()} for name, row in rising.items()}
    assert rank_correlation(f1, falling) == pytest.approx(-1.0)
    assert rank_correlation(f1, {"a": rising["a"]}) is None
    assert rank_correlation(f1, {"a": dict.fromkeys(rising["a"], 0.0), "b": {"fi": 0.0}}) is None
