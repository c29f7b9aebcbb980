import json

import pytest

from xorqa.core.types import Candidate, CandidateScores, Hit, Passage, Span
from xorqa.io.candidates import candidate_from, candidate_row

PASSAGE = Passage("en-1", "The Nile is long.", "Nile")
ROW = {
    "text": "Nile",
    "lang": "en",
    "route": "eng",
    "docid": "en-1",
    "span": {"start": 4, "end": 8},
    "span_score": -1.0,
    "passage_score": -2.0,
    "margin": None,
    "retrieval_score": 3.0,
    "retrieval_rank": 4,
}


@pytest.mark.parametrize("margin", [1.5, None])
def test_candidates_as_json_and_back(margin: float | None) -> None:
    scores = CandidateScores(-1.0, -2.0, margin)
    candidate = Candidate(Hit(PASSAGE, 3.0), 4, Span(4, 8), scores, "eng")
    row = json.loads(json.dumps(candidate_row(candidate), allow_nan=False))
    assert candidate_from(row, PASSAGE) == candidate


def test_rows_are_as_runs_have_always_written_them() -> None:
    assert json.dumps(candidate_row(candidate_from(ROW, PASSAGE))) == json.dumps(ROW)


@pytest.mark.parametrize("passage", [None, Passage("en-1", "The river Nile.")])
def test_without_its_passage_a_candidate_is_an_excerpt(passage: Passage | None) -> None:
    candidate = candidate_from(ROW, passage)
    assert candidate.hit.passage == Passage("en-1", "Nile", lang="en")
    assert (candidate.text, candidate.docid, candidate.rank) == ("Nile", "en-1", 4)
