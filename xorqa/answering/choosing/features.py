"""What speaks for each of a question's answers, as numbers for the learned chooser."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.types import Answer, Candidate, CandidateScores, Hit, Passage, Question, Span
from ...metrics.overlap import token_f1
from ...metrics.strict.text import tokens
from ...text.normalize import ascii_digits
from .phonetic_match import alike

FEATURES = (
    "relevance",  # log odds that the passage answers, by the reader
    "span",  # log P(span | passage)
    "margin",  # of the span over the passage's next one
    "retrieval",  # score within the route's list, from 0 (its last) to 1 (its first)
    "rank",  # log(1 + rank) in the route's list
    "lead",  # log odds over the best that was found in another language
    "same language",  # P that a like answer of another passage is right, found in its language
    "other language",  # found in another
    "sounds",  # found in another, and only the sounds are alike
    "own",  # 1 if it was found in the question's language
    "own relevance",  # relevance where it was, else 0
    "rule",  # 1 if a rule said it in the question's language
    "copied",  # 1 if it stayed in another language than the question's
    "date",  # the type, if it is one of these, as far as it can be told
    "number",
    "name",
)
"""The columns of `features`, in order."""

_FAR = 10.0  # log odds and margins beyond this are taken for this
_TINY = 1e-99
_YEAR = re.compile(r"(?<!\d)(1\d|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class _Seen:
    """An answer with what is compared: where it was found, its words and its probability."""

    answer: Answer
    found: Candidate
    words: tuple[str, ...]
    p: float


def features(question: Question, answers: Sequence[Answer]) -> NDArray[np.float64]:
    """(answers, `FEATURES`); a row does not depend on the order of the others.

    Two answers are like as their words are (F1), or, in different languages, as they sound.
    A passage is one piece of evidence, however often it was read, and none for its own answers.
    """
    seen = [_seen(question, answer) for answer in answers]
    scores: dict[str, list[float]] = {}
    for one in seen:
        scores.setdefault(one.found.route, []).append(one.found.hit.score)
    rows = [_row(question, one, seen, scores[one.found.route]) for one in seen]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def kind(answer: Answer) -> str:
    """ "date", "number", "name" (as far as capitals tell) or "other"."""
    text = ascii_digits(answer.text)
    if answer.made == "rule:date" or _YEAR.search(text):
        return "date"
    if any(map(str.isdecimal, text)) or answer.made == "rule:number":
        return "number"
    said = answer.source.text if answer.source else answer.text
    return "name" if said[:1].isupper() else "other"


def _row(
    question: Question, one: _Seen, seen: Sequence[_Seen], in_route: Sequence[float]
) -> list[float]:
    found, answer, type_of = one.found, one.answer, kind(one.answer)
    same = [other for other in seen if other.found.lang == found.lang]
    others = [other for other in seen if other.found.lang != found.lang]
    relevance, own = _log_odds(found.scores.passage), float(found.lang == question.lang)
    best = max((_log_odds(other.found.score) for other in others), default=None)
    return [
        relevance,
        max(found.scores.span, -_FAR),
        _FAR if found.scores.margin is None else max(-_FAR, min(found.scores.margin, _FAR)),
        _place(found.hit.score, in_route),
        math.log1p(found.rank),
        0.0 if best is None else _log_odds(found.score) - best,
        _support(one, same, _words_alike),
        _support(one, others, _words_alike),
        _support(one, others, _sounds_alike),
        own,
        own * relevance,
        float(answer.made.startswith("rule:")),
        float(answer.lang != question.lang),
        *(float(type_of == name) for name in FEATURES[-3:]),
    ]


def _support(one: _Seen, others: Sequence[_Seen], like: Callable[[_Seen, _Seen], float]) -> float:
    """P that a like answer of at least one other passage is right, were they independent."""
    right: dict[str, float] = {}
    for other in others:
        docid, p = other.found.docid, other.p * like(one, other)
        if docid != one.found.docid:
            right[docid] = max(p, right.get(docid, 0.0))
    wrong = sorted(1 - p for p in right.values())  # a product's last digit depends on the order
    return 1 - math.prod(wrong)


def _words_alike(a: _Seen, b: _Seen) -> float:
    return 1.0 if a.words == b.words else token_f1(a.words, b.words)


def _sounds_alike(a: _Seen, b: _Seen) -> float:
    return 0.0 if _words_alike(a, b) else alike(a.found.text, b.found.text)


def _seen(question: Question, answer: Answer) -> _Seen:
    found = answer.source or _as_read(answer)
    words = tuple(tokens(ascii_digits(answer.text), question.lang))
    return _Seen(answer, found, words, math.exp(min(found.score, 0.0)))


def _as_read(answer: Answer) -> Candidate:
    """An answer without a source as the certain span of a passage as likely as the answer."""
    hit = Hit(Passage("", answer.text, lang=answer.lang), 0.0)
    return Candidate(hit, 0, Span(0, len(answer.text)), CandidateScores(0.0, answer.score))


def _log_odds(log_p: float) -> float:
    """Of a log probability, at most `_FAR` away from 0."""
    p = math.exp(min(log_p, 0.0))
    return max(-_FAR, min(_FAR, math.log(p or _TINY) - math.log(1 - p or _TINY)))


def _place(score: float, scores: Sequence[float]) -> float:
    low, high = min(scores), max(scores)
    return (score - low) / (high - low) if high > low else 1.0
