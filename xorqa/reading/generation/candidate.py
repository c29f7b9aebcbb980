"""A reply as a candidate: the language of its answer, its citations and its evidence."""

import math
from collections.abc import Sequence

from ...core.lang import ISO_639_1
from ...core.text.detection import UNSURE, detect
from ...core.types import Candidate, CandidateScores, Citation, Generated, Hit, Span
from .quotations import find_quotation
from .reply import Reply

SHORTEST = 20  # characters; the language of shorter answers is not judged: most are names


def candidate_from_reply(
    reply: Reply, hits: Sequence[Hit], *, expected: str | None
) -> Candidate | None:
    """The answer with its evidence; None if the reply has none.

    `expected` is the language that the answer should be in; None: that of its evidence. A long
    answer that is detected as another language is in that language.
    """
    if reply.problem or not reply.answer:
        return None
    citations = check_citations(reply.citations, hits)
    rank, span = _evidence(citations, hits)
    lang = _language(reply.answer, expected or hits[rank].passage.lang)
    answer = Generated(reply.answer, lang, tuple(citations))
    score = math.log((answer.supported + 1) / (len(citations) + 2))
    return Candidate(hits[rank], rank, span, CandidateScores(0.0, score), generated=answer)


def check_citations(citations: Sequence[tuple[int, str]], hits: Sequence[Hit]) -> list[Citation]:
    """The citations with their passages among the hits, and the places of their quotations."""
    checked = []
    for number, quote in citations:
        if not 1 <= number <= len(hits):
            checked.append(Citation(number, quote))
            continue
        passage = hits[number - 1].passage
        checked.append(Citation(number, quote, passage.docid, find_quotation(quote, passage.text)))
    return checked


def _evidence(citations: Sequence[Citation], hits: Sequence[Hit]) -> tuple[int, Span]:
    """The rank and span of the first quotation that is in its passage, else of a first passage."""
    real = [citation for citation in citations if 1 <= citation.number <= len(hits)]
    for citation in real:
        if citation.span is not None:
            return citation.number - 1, citation.span
    return (real[0].number - 1 if real else 0), Span(0, 0)


def _language(answer: str, expected: str) -> str:
    if len(answer) <= SHORTEST or expected not in ISO_639_1 or not any(map(str.isalpha, answer)):
        return expected
    detected = detect(answer)
    return detected.lang if detected.probability >= UNSURE else expected
