"""Questions that search their part of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.lab.training.confidence.traces import over_parts

TWO_STAGES = {"use": "late-interaction", "kind": "bits", "depth": 2, "first": {"use": "dense"}}
SEVERAL = {**TWO_STAGES, "first": [{"use": "dense"}, {"use": "psq"}], "retrieval": [0, 0.2]}
FUSED = {"use": "hybrid", "parts": [TWO_STAGES, {"use": "psq"}]}


@pytest.mark.parametrize("table", [{"use": "dense"}, TWO_STAGES, SEVERAL, FUSED])
def test_a_question_finds_all_of_its_part_and_nothing_else(
    table: dict[str, object], tmp_path: Path
) -> None:
    rivers = [Passage(str(at), f"The river {at} flows into the sea.") for at in range(6)]
    others = [Passage("bread", "Bread is baked."), Passage("wine", "Wine is drunk.")]
    parts = {"q": {"bread", "wine"}}
    retriever = over_parts(Corpus("parts", [*rivers, *others]), parts, table, tmp_path)
    retriever.build()
    query = Query(Question("q", "Which river flows into the sea?", "en"), "", "en")
    [hits] = retriever.retrieve([query], k=5)
    assert {hit.passage.docid for hit in hits} == parts["q"]
