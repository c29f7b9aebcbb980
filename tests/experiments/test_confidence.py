"""The confidence of answers to typed questions."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from pathlib import Path

import pytest

import xorqa
from tests.experiments.test_pipeline import LastWord
from xorqa.answering.confidence.model import shipped_confidence
from xorqa.core.errors import ConfigError
from xorqa.core.types import Passage
from xorqa.datasets.corpus import Corpus
from xorqa.experiments.confidence import is_calibrated
from xorqa.experiments.pipeline import Pipeline
from xorqa.experiments.settings import PipelineSettings, Route, load_settings, over_pool
from xorqa.reading.pairs import DEFAULT_READER

PASSAGES = [
    "The Nile is a river in Africa. It flows north into the Mediterranean Sea.",
    "The Rhine rises in the Swiss Alps and flows through Germany and the Netherlands.",
    "Our staff may claim travel expenses within three months; receipts go to the finance team.",
]


@pytest.mark.slow
def test_an_answer_in_the_passages_and_one_that_is_not() -> None:
    found = xorqa.ask("Which sea does the Nile flow into?", PASSAGES, lang="en")
    assert found.found and found.answer is not None
    assert "Mediterranean" in found.answer.text
    assert found.answer.calibrated
    confidence = found.answer.confidence
    assert confidence is not None and confidence >= found.min_confidence > 0
    nothing = xorqa.ask("What is the capital of Bolivia?", PASSAGES, lang="en")
    assert not nothing.found
    assert nothing.answer is not None and (nothing.answer.confidence or 0) < confidence
    always = xorqa.ask("What is the capital of Bolivia?", PASSAGES, lang="en", min_confidence=0)
    assert always.found and always.answer == nothing.answer


@pytest.mark.parametrize("least", [-0.1, 1.5, float("nan")])
def test_a_least_confidence_out_of_range(least: float) -> None:
    with pytest.raises(ConfigError, match="min_confidence must be"):
        xorqa.ask("Where?", PASSAGES, min_confidence=least)


def changed(**settings: object) -> PipelineSettings:
    return replace(over_pool(load_settings("dense"), {"ko"}), **settings)


@pytest.mark.parametrize(
    ("settings", "calibrated"),
    [
        (changed(), True),
        (over_pool(load_settings("dense"), {"en"}), True),
        (load_settings("dense"), True),
        (changed(k=7), True),
        (changed(reader={"use": "span", "adapter": "reader-multi"}), False),
        (changed(reader={"use": "span", "passages": 2}), False),
        (over_pool(load_settings("bm25"), {"en"}), False),
        (load_settings("dense", changes=['routes.eng.translator={use="bundled"}']), False),
    ],
)
def test_a_confidence_is_calibrated_for_one_reader_and_retriever(
    settings: PipelineSettings, calibrated: bool
) -> None:
    assert is_calibrated(shipped_confidence(), settings) is calibrated


def test_the_weights_belong_to_the_default_reader() -> None:
    recipe = shipped_confidence().card["recipe"]
    assert recipe["reader"] == Path(DEFAULT_READER).name
    assert signature(xorqa.ask).parameters["config"].default in recipe["configs"]


def test_the_fingerprints_of_the_weights_are_computed_once_per_pipeline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []
    monkeypatch.setattr(
        "xorqa.experiments.confidence.is_calibrated", lambda *given: bool(calls.append(given))
    )
    corpus = Corpus("once", [Passage("1", "The Nile is in Africa.")])
    pipeline = Pipeline([Route("all", "bm25", corpus="pool")], {"pool": corpus}, reader=LastWord())
    pipeline.ask("Where is the Nile?", lang="en")
    pipeline.ask_all([("The Nile?", "en"), ("Africa?", None)])
    assert len(calls) == 1
