"""The evidence for each of a question's answers, as numbers for the learned chooser.

Names in different scripts are compared by the letters' Unicode names, which describe their sounds
(TELUGU LETTER KA, HANGUL SYLLABLE BE), so that no table per alphabet is needed. Consonants that
languages confuse share a class, as in Soundex, and r and l share one because of Japanese and
Korean. The names of Chinese characters do not describe sounds, so their similarity is 0.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ...core.text.normalize import ascii_digits
from ...core.types import Answer, Candidate, CandidateScores, Hit, Passage, Question, Span
from ...metrics.answers import token_f1, tokens

FEATURES = (
    "relevance",  # log odds that the passage answers, by the reader
    "span",  # log P(span | passage)
    "margin",  # log probability of the span over that of the passage's next span
    "retrieval",  # score within the route's list, from 0 (its last) to 1 (its first)
    "rank",  # log(1 + rank) in the route's list
    "lead",  # log odds over the best answer read in another language
    "same language",  # P that a similar answer is right, from another passage in its language
    "other language",  # the same, from a passage in another language
    "sounds",  # the same, if only the sounds of the answers are similar
    "in target language",  # 1 if it was read in the question's language
    "target relevance",  # relevance if it was read in the question's language, else 0
    "rule",  # 1 if a rule localised it
    "copied",  # 1 if it was left in a language other than the question's
    "date",  # 1 for the answer's type, as far as it can be determined
    "number",
    "name",
)
"""The columns of `features`, in order."""

OLD_FEATURES = {"own": "in target language", "own relevance": "target relevance"}
"""Old names of features, as weights may have them."""

_FAR = 10.0  # log odds and margins are clipped to this
_TINY = 1e-99
_YEAR = re.compile(r"(?<!\d)(1\d|20)\d\d(?!\d)")

LEAST = 0.75
"""Names of a lower similarity count as different."""
_CLASSES = {"bfpv": "1", "cgjkqsxz": "2", "dt": "3", "lr": "4", "mn": "5"}
_CLASS = {letter: number for letters, number in _CLASSES.items() for letter in letters}
_VOWEL_FIRST = {"EF", "EL", "EM", "EN", "ER", "ES"}  # Cyrillic letters named vowel first
_IGNORED = {"SMALL", "SHORT", "SOFT", "HARD", "SIGN"}
_SHORTER, _LONGER = 2, 3  # minimum consonants of the two texts


@dataclass(frozen=True, slots=True)
class _Compared:
    """An answer with the values that are compared: its candidate, words and probability."""

    answer: Answer
    source: Candidate
    words: tuple[str, ...]
    p: float


def features(question: Question, answers: Sequence[Answer]) -> NDArray[np.float64]:
    """(answers, `FEATURES`); a row does not depend on the order of the others.

    The similarity of answers is that of their words (F1) or, in different languages, of their
    sounds. A passage counts once, however often it was read, and not for its own answers.
    """
    compared, by_route = [], dict[str, list[float]]()
    for answer in answers:
        source = answer.source
        if source is None:  # a certain span of a passage as probable as the answer
            hit = Hit(Passage("", answer.text, lang=answer.lang), 0.0)
            scores = CandidateScores(0.0, answer.score)
            source = Candidate(hit, 0, Span(0, len(answer.text)), scores)
        words = tuple(tokens(ascii_digits(answer.text), question.lang))
        p = math.exp(min(source.scores.joint, 0.0))
        compared.append(_Compared(answer, source, words, p))
        by_route.setdefault(source.route, []).append(source.hit.score)
    rows = [_row(question, row, compared, by_route[row.source.route]) for row in compared]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def answer_type(answer: Answer) -> str:
    """ "date", "number", "name" (as far as capitals show) or "other"."""
    text = ascii_digits(answer.text)
    if answer.method == "rule:date" or _YEAR.search(text):
        return "date"
    if any(map(str.isdecimal, text)) or answer.method == "rule:number":
        return "number"
    source_text = answer.source.text if answer.source else answer.text
    return "name" if source_text[:1].isupper() else "other"


def _row(
    question: Question,
    compared: _Compared,
    all_compared: Sequence[_Compared],
    route_scores: Sequence[float],
) -> list[float]:
    answer, source, scores = compared.answer, compared.source, compared.source.scores
    same = [other for other in all_compared if other.source.lang == source.lang]
    others = [other for other in all_compared if other.source.lang != source.lang]
    low, high = min(route_scores), max(route_scores)
    relevance, in_target = _log_odds(scores.passage), float(source.lang == question.lang)
    best = max((_log_odds(other.source.scores.joint) for other in others), default=None)
    return [
        relevance,
        max(scores.span, -_FAR),
        _FAR if scores.margin is None else max(-_FAR, min(scores.margin, _FAR)),
        (source.hit.score - low) / (high - low) if high > low else 1.0,
        math.log1p(source.rank),
        0.0 if best is None else _log_odds(source.scores.joint) - best,
        _support(compared, same, _word_similarity),
        _support(compared, others, _word_similarity),
        _support(compared, others, _sound_similarity),
        in_target,
        in_target * relevance,
        float(answer.method.startswith("rule:")),
        float(answer.lang != question.lang),
        *(float(answer_type(answer) == name) for name in FEATURES[-3:]),
    ]


def _support(
    compared: _Compared,
    others: Sequence[_Compared],
    similarity: Callable[[_Compared, _Compared], float],
) -> float:
    """P that a similar answer of any other passage is right, assuming independence."""
    right: dict[str, float] = {}
    for other in others:
        docid, p = other.source.docid, other.p * similarity(compared, other)
        if docid != compared.source.docid:
            right[docid] = max(p, right.get(docid, 0.0))
    wrong = sorted(1 - p for p in right.values())  # sorted: products round by order
    return 1 - math.prod(wrong)


def _word_similarity(a: _Compared, b: _Compared) -> float:
    return 1.0 if a.words == b.words else token_f1(a.words, b.words)


def _sound_similarity(a: _Compared, b: _Compared) -> float:
    return 0.0 if _word_similarity(a, b) else phonetic_similarity(a.source.text, b.source.text)


def _log_odds(log_p: float) -> float:
    """The log odds of a log probability, at most `_FAR` away from 0."""
    p = math.exp(min(log_p, 0.0))
    return max(-_FAR, min(_FAR, math.log(p or _TINY) - math.log(1 - p or _TINY)))


def phonetic_similarity(a: str, b: str) -> float:
    """The similarity of two texts' sounds: 0, or from `LEAST` to 1; 0 for very short texts."""
    first, second = sorted((consonants(a), consonants(b)), key=lambda text: (len(text), text))
    if len(first) < _SHORTER or len(second) < _LONGER:
        return 0.0
    ratio = SequenceMatcher(None, first, second, autojunk=False).ratio()
    return ratio if ratio >= LEAST else 0.0


@lru_cache(maxsize=16384)
def consonants(text: str) -> str:
    """The classes of a text's consonants in order, with equal neighbours merged."""
    letters = "".join(map(_latin_consonants, unicodedata.normalize("NFKC", text)))
    classes = "".join(_CLASS.get(letter, "") for letter in letters)
    return "".join(char for char, _ in groupby(classes))


@lru_cache(maxsize=4096)
def _latin_consonants(char: str) -> str:
    """A character's consonants as Latin letters, in lower case."""
    name = unicodedata.name(char, "").partition(" WITH ")[0]
    if name.startswith("HANGUL SYLLABLE "):
        return name.rpartition(" ")[2].lower()
    if name.endswith(("SIGN ANUSVARA", "VOCALIC R")):
        return "n" if name.endswith("A") else "r"
    kind, _, rest = name.partition(" LETTER ")
    words = [word for word in rest.split() if word not in _IGNORED]
    if not words:
        return ""
    whole = kind.startswith("LATIN") or words[0] in _VOWEL_FIRST
    return (words[0] if whole else words[0][0]).lower()
