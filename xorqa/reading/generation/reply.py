"""A model's reply: its answer and what it cites, or why it has neither; a candidate of it.

A quotation and its passage are compared after the same normalisation, and nothing else is forgiven:
Unicode's NFKC (width and composition), runs of white space as one blank, one form of each quotation
mark, apostrophe and dash, and no invisible characters. Quotation marks, ellipses and blanks around
a quotation are dropped. Case, accents and punctuation count.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ...core.lang import ISO_639_1
from ...core.text.detection import UNSURE, detect
from ...core.types import Candidate, CandidateScores, Citation, Generated, Hit, Span
from ...io.strict_json import parse_json
from ...models.thoughts import ends_in_thoughts, without_thoughts

LONGEST = 1000  # characters of an answer
MOST_CITATIONS = 50
MOST_OBJECTS = 50  # tried, in a reply with text around its object
_DECODER = json.JSONDecoder()

_FORMS = {
    **dict.fromkeys("“”„‟«»「」『』《》〈〉＂", '"'),
    **dict.fromkeys("‘’‚‛‹›ʼ`´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_AROUND = " \"'.…"
SHORTEST = 20  # characters; the language of shorter answers is not judged: most are names


@dataclass(frozen=True, slots=True)
class Reply:
    """`text` is the whole reply; `answer` is "" for "not in the passages".

    `problem` is the reason why it has no answer, else empty. `citations` are a passage's number,
    0 without one, and a quotation.
    """

    text: str
    answer: str = ""
    citations: tuple[tuple[int, str], ...] = ()
    problem: str = ""


def read_reply(text: str) -> Reply:
    """Read `{"answer": ..., "citations": [{"passage": 1, "quote": ...}]}`, the first in the text.

    Text around the object, such as a code fence, is ignored. null is "not in the passages".
    """
    value = next(objects_with(text, "answer"), None)
    if value is None:
        is_cut = text.count("{") > text.count("}")
        lack = "complete JSON object with an answer (raise the limit of tokens?)"
        lack = lack if is_cut or ends_in_thoughts(text) else "JSON object with an answer"
        return Reply(text, problem=f"the reply has no {lack}: {text!r:.80}")
    answer, citations = value["answer"], value.get("citations") or []
    if isinstance(answer, bool) or not isinstance(answer, str | int | float | None):
        return Reply(text, problem=f"the reply's answer is not a text: {answer!r:.80}")
    if not isinstance(citations, list) or len(citations) > MOST_CITATIONS:
        return Reply(text, problem=f"the reply has no list of at most {MOST_CITATIONS} citations")
    read = read_answer("" if answer is None else str(answer))
    return Reply(text, read.answer, tuple(map(_citation, citations)), read.problem)


def read_answer(text: str) -> Reply:
    """A reply that is only the answer, without citations."""
    answer = " ".join(text.split())
    if len(answer) > LONGEST:
        return Reply(text, problem=f"the answer has {len(answer)} characters")
    return Reply(text, answer)


def objects_with(text: str, key: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a reply that have a key, in order, without those of its thoughts."""
    reply = without_thoughts(text)
    for brace in islice(re.finditer(r"\{", reply), MOST_OBJECTS):
        try:
            _, end = _DECODER.raw_decode(reply, brace.start())
            value = parse_json(reply[brace.start() : end])
        except (ValueError, RecursionError):
            continue
        if key in value:
            yield dict(value)


def _citation(value: Any) -> tuple[int, str]:
    """A citation's number and quotation; 0 and "" for what it lacks."""
    if not isinstance(value, dict):
        return _number(value), ""
    quote = value.get("quote")
    return _number(value.get("passage")), quote if isinstance(quote, str) else ""


def _number(value: Any) -> int:
    """A passage's number, also as "3" or "[3]"."""
    digits = value.strip(" []") if isinstance(value, str) else str(value)
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 10
    return int(digits) if is_number and not isinstance(value, bool) else 0


def find_quotation(quote: str, text: str) -> Span | None:
    """The first place of a quotation in a text; None if it does not occur, or is empty."""
    quotation = "".join(part for part, _ in _normalised(quote)).strip(" \"'")
    if quotation.startswith(("...", "…")) or quotation.endswith(("...", "…")):
        quotation = quotation.strip(_AROUND)
    if not any(map(str.isalnum, quotation)):
        return None
    parts = list(_normalised(text))
    joined = "".join(part for part, _ in parts)
    start = joined.find(quotation)
    if start < 0:
        return None
    spans = [span for part, span in parts for _ in part]  # of each normalised character
    return Span(spans[start].start, spans[start + len(quotation) - 1].end)


def _normalised(text: str) -> Iterator[tuple[str, Span]]:
    """Pieces of the normalised text, each with its place in the text."""
    blank = False
    for span in _clusters(text):
        for char in unicodedata.normalize("NFKC", text[span.start : span.end]):
            if char.isspace():
                if not blank:
                    yield " ", span
                blank = True
            elif unicodedata.category(char) != "Cf":
                blank = False
                yield _FORMS.get(char, char), span


def _clusters(text: str) -> Iterator[Span]:
    """Each character with the combining characters after it, which NFKC may compose."""
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _composes(text[end]):
            yield Span(start, end)
            start = end


def _composes(char: str) -> bool:
    """Whether a character may be composed with the one before it: a mark, or a Hangul jamo."""
    return unicodedata.combining(char) != 0 or "\u1160" <= char <= "\u11ff" or char in "ﾞﾟ"


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
    lang, is_word = expected or hits[rank].passage.lang, any(map(str.isalpha, reply.answer))
    if len(reply.answer) > SHORTEST and lang in ISO_639_1 and is_word:
        detected = detect(reply.answer)
        lang = detected.lang if detected.probability >= UNSURE else lang
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
