"""Candidates as flat JSON rows, in the files `spans.jsonl` of runs and in the cache."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ..core.types import Candidate, CandidateScores, Citation, Generated, Hit, Passage, Span
from .strict_json import as_text

_TYPES: dict[Any, tuple[str, ...]] = {
    str: ("text", "lang", "route", "docid"),
    int: ("retrieval_rank",),
    int | float: ("span_score", "passage_score", "retrieval_score"),
    int | float | None: ("margin",),
    dict: ("span",),
}


def candidate_row(candidate: Candidate) -> dict[str, Any]:
    """A candidate's text, location and scores, without its passage."""
    row: dict[str, Any] = {
        "text": candidate.text,
        "lang": candidate.lang,
        "route": candidate.route,
        "docid": candidate.docid,
        "span": asdict(candidate.span),
        "span_score": candidate.scores.span,
        "passage_score": candidate.scores.passage,
        "margin": candidate.scores.margin,
        "retrieval_score": candidate.hit.score,
        "retrieval_rank": candidate.rank,
    }
    if candidate.generated:
        row["generated"] = {
            "evidence": candidate.evidence,
            "passage_lang": candidate.hit.passage.lang,
            "citations": [asdict(citation) for citation in candidate.generated.citations],
            "asked_again": candidate.generated.asked_again,
        }
    return row


def candidate_from(row: Mapping[str, Any], passage: Passage | None = None) -> Candidate:
    """Build a candidate from its row and the `passage` it was read from.

    If that is None, or no longer has the text at that location, the passage is an excerpt: the
    span's text alone.

    Raises:
        KeyError, TypeError: if the row is damaged.
    """
    _check(row)
    generated = row.get("generated")
    text, span = row["text"] if generated is None else generated["evidence"], Span(**row["span"])
    if passage is None or passage.text[span.start : span.end] != text:
        passage, span = Passage(row["docid"], text, lang=passage_key(row)[1]), Span(0, len(text))
    scores = CandidateScores(row["span_score"], row["passage_score"], row["margin"])
    hit = Hit(passage, row["retrieval_score"])
    answer = None
    if generated is not None:
        citations = tuple(map(_citation_from, generated["citations"]))
        asked_again = generated["asked_again"] is True
        answer = Generated(row["text"], row["lang"], citations, asked_again)
    return Candidate(hit, row["retrieval_rank"], span, scores, row["route"], answer)


def passage_key(row: Mapping[str, Any]) -> tuple[str, str]:
    """The docid and the language of the passage that a row's candidate was read from."""
    generated = row.get("generated")
    return row["docid"], as_text(row["lang"] if generated is None else generated["passage_lang"])


def _citation_from(row: Mapping[str, Any]) -> Citation:
    number, place = row["number"], row["span"]
    if not isinstance(number, int):
        raise TypeError(f"a citation's 'number' is {number!r:.60}")
    span = None if place is None else Span(**place)
    if span is not None and not all(isinstance(end, int) for end in (span.start, span.end)):
        raise TypeError(f"a citation's 'span' is {place!r:.60}")
    return Citation(number, as_text(row["quote"]), as_text(row["docid"]), span)


def _check(row: Mapping[str, Any]) -> None:
    """Raise a TypeError for a row with a value of another type."""
    for kind, keys in _TYPES.items():
        for key in keys:
            if not isinstance(row[key], kind) or isinstance(row[key], bool):
                raise TypeError(f"a candidate's '{key}' is {row[key]!r:.60}")
    if not all(isinstance(end, int) for end in row["span"].values()):
        raise TypeError(f"a candidate's 'span' is {row['span']!r:.60}")
    generated = row.get("generated")
    if generated is not None:
        as_text(generated["evidence"])
