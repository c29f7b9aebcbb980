"""What the tests of the adapters share: the bundled world, and stages of tiny weights."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from xorqa import Bm25, CrossEncoder, Dataset, Pipeline, Query, Route, SpanReader, load_dataset

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # read when it is imported


@pytest.fixture(scope="session")
def world() -> Dataset:
    """Finnish questions over English passages."""
    return load_dataset("mini").only(["fi"])


@pytest.fixture(scope="session")
def queries(world: Dataset) -> list[Query]:
    """Translated questions."""
    return [
        Query(example.question, example.human_translation, "en")
        for example in world.examples
        if example.human_translation
    ]


@pytest.fixture
def bm25(world: Dataset, tmp_path: Path) -> Bm25:
    """BM25 over the English passages."""
    return Bm25(corpus=world.corpora["en"], folder=tmp_path / "bm25")


@pytest.fixture
def ranker(tiny_classifier: Path) -> CrossEncoder:
    """A random cross-encoder."""
    return CrossEncoder(model=str(tiny_classifier), depth=9)


@pytest.fixture
def reader(tiny_adapter: Path) -> SpanReader:
    """A random reader."""
    return SpanReader(adapter=str(tiny_adapter), passages=2)


@pytest.fixture
def pipeline(
    world: Dataset, bm25: Bm25, ranker: CrossEncoder, reader: SpanReader, tmp_path: Path
) -> Pipeline:
    """All of them as a pipeline."""
    return Pipeline(
        [Route("eng", Bm25(), "human", ranker=ranker)],
        {"en": world.corpora["en"]},
        reader=reader,
        chooser="rule",
        k=20,
        translations=world.translations,
        indexes=tmp_path,
    )
