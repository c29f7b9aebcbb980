"""Measures of answers beside F1: their spelling, language, agreement, citations and abstention.

The risk-coverage curve (El-Yaniv and Wiener 2010) has the risk, the mean error of the questions
that are answered, at each coverage, the share of questions that are answered, most confident first.
The two rates of `Abstention` are those of NoMIRACL (Thakur et al. 2024).
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..core.text.detection import detect_language
from .answers import best
from .measure import Measure
from .report import Reference, Score
from .tasks.squad import f1, normalize

RECALL, LANGUAGE, CONSISTENCY = "character 3-gram recall", "correct language", "consistency"
CITATION_PRECISION, CITATION_RECALL = "citation precision", "citation recall"
SUPPORTED = "supported quotations"
LENGTH = 3
SHORTEST = 20  # characters; the language of shorter answers is not judged
POINTS = 100  # of a curve, at most


def char3_recall(prediction: str, gold: str) -> float:
    """The share of the gold answer's character 3-grams that a prediction has (BERGEN).

    It gives credit for another spelling of a name, and does not punish a longer answer. 3-grams do
    not cross words; a shorter word counts as one (Chirkova et al. 2024, and their code).
    """
    expected = Counter(_trigrams(gold))
    shared = sum((expected & Counter(_trigrams(prediction))).values())
    return shared / expected.total() if shared else 0.0


def score_recall(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`RECALL` of every question, the best over its gold answers; 0 without a prediction."""
    return [
        Score(
            row.qid,
            row.lang,
            {RECALL: best(char3_recall, predictions.get(row.qid, ""), row.answers)},
        )
        for row in references
    ]


def score_language(langs: Mapping[str, str], predictions: Mapping[str, str]) -> list[Score]:
    """`LANGUAGE` of the predictions of more than 20 characters: 1 if in the question's language.

    As in BERGEN, shorter answers are not judged: most are names or numbers. `langs` maps qid to
    the question's language.
    """
    return [
        Score(qid, langs[qid], {LANGUAGE: float(detect_language(text) == langs[qid])})
        for qid, text in predictions.items()
        if len(text) > SHORTEST and any(map(str.isalpha, text))
    ]


def score_consistency(
    questions: Iterable[tuple[str, str, str]], predictions: Mapping[str, str]
) -> list[Score]:
    """`CONSISTENCY`: a prediction's mean F1 with those of the same question in other languages.

    `questions` are qid, language, and a key that the languages of one question share. Predictions
    must be in one language (XOR-EnglishSpan's are English); two empty ones agree. Questions in one
    language only are left out.
    """
    groups: dict[str, list[tuple[str, str]]] = {}
    for qid, lang, key in questions:
        if qid in predictions:
            groups.setdefault(key, []).append((qid, lang))
    scores = []
    for group in groups.values():
        for qid, lang in group:
            others = [predictions[other] for other, of in group if of != lang]
            if others:
                agreement = sum(_agreement(predictions[qid], other) for other in others)
                scores.append(Score(qid, lang, {CONSISTENCY: agreement / len(others)}))
    return scores


def _agreement(answer: str, other: str) -> float:
    return 1.0 if normalize(answer) == normalize(other) else f1(answer, other)


def _trigrams(text: str) -> list[str]:
    return [
        word[start : start + LENGTH]
        for word in normalize(text).split()
        for start in range(max(1, len(word) - LENGTH + 1))
    ]


@dataclass(frozen=True, slots=True)
class Cited:
    """What the answer to a question cites: passages' docids, "" for one that does not exist.

    `supported` is the number of citations whose quotation occurs in its passage. `gold` are the
    docids of the passages that answer.
    """

    qid: str
    lang: str
    docids: tuple[str, ...]
    supported: int
    gold: frozenset[str]


def score_citations(answers: Iterable[Cited]) -> dict[str, list[Score]]:
    """The scores of the answers by measure; an answer has only those that can be computed.

    `CITATION_PRECISION` is the share of citations that are of a gold passage, `CITATION_RECALL` the
    share of gold passages that are cited, 0 without an answer. `SUPPORTED` is the share of
    citations with a quotation that occurs in the cited passage.
    """
    scores: dict[str, list[Score]] = {CITATION_PRECISION: [], CITATION_RECALL: [], SUPPORTED: []}
    for answer in answers:
        cited, gold = answer.docids, answer.gold
        counts = {
            CITATION_PRECISION: (sum(docid in gold for docid in cited), len(cited) if gold else 0),
            CITATION_RECALL: (len(gold.intersection(cited)), len(gold)),
            SUPPORTED: (answer.supported, len(cited)),
        }
        for name, (count, total) in counts.items():
            if total:
                scores[name].append(Score(answer.qid, answer.lang, {name: count / total}))
    return scores


RATES = tuple(
    Measure(name, label, higher_is_better=False, citation="Thakur et al. 2024")
    for name, label in (("hallucination_rate", "Hallucination rate"), ("error_rate", "Error rate"))
)
"""The fields of `Abstention`."""


@dataclass(frozen=True, slots=True)
class Abstention:
    """`hallucination_rate`: the share of unanswerable questions that are answered; `error_rate`:
    the share of answerable questions that are not. None without such questions.
    """

    hallucination_rate: float | None
    error_rate: float | None


def risk_coverage(
    confidences: Sequence[float], errors: Sequence[float]
) -> list[tuple[float, float]]:
    """(coverage, risk) for each threshold; questions of equal confidence are answered together.

    `errors` are from 0 (right) to 1 (wrong).
    """
    points, done, total = [], 0, 0.0
    for block in _blocks(confidences, errors):
        done, total = done + len(block), total + math.fsum(block)
        points.append((done / len(errors), total / done))
    return points


def risk_coverage_area(confidences: Sequence[float], errors: Sequence[float]) -> float:
    """The mean risk over all coverages 1/n, 2/n, ..., 1; lower is better, NaN without questions.

    Within a block of equal confidence the errors are spread evenly, so that the order of the
    questions does not matter.
    """
    risks: list[float] = []
    total = 0.0
    for block in _blocks(confidences, errors):
        mean = math.fsum(block) / len(block)
        done = len(risks)
        risks += [(total + rank * mean) / (done + rank) for rank in range(1, len(block) + 1)]
        total += math.fsum(block)
    return math.fsum(risks) / len(risks) if risks else math.nan


def risk_coverage_curve(confidences: Sequence[float], errors: Sequence[float]) -> dict[str, Any]:
    """The area under the risk-coverage curve, and at most `POINTS` points of the curve."""
    points = risk_coverage(confidences, errors)
    # The last of each hundredth of the points; of fewer points than `POINTS`, all.
    shown = {math.ceil(len(points) * number / POINTS) - 1 for number in range(1, POINTS + 1)}
    area = risk_coverage_area(confidences, errors)
    return {"area": area, "points": [points[index] for index in sorted(shown)] if points else []}


def abstention(answered: Sequence[bool], answerable: Sequence[bool]) -> Abstention:
    """NoMIRACL's two rates, from 0 to 1."""
    pairs = list(zip(answered, answerable, strict=True))
    return Abstention(
        _share([given for given, can in pairs if not can]),
        _share([not given for given, can in pairs if can]),
    )


def _blocks(confidences: Sequence[float], errors: Sequence[float]) -> list[list[float]]:
    """The errors of the questions of equal confidence, most confident first."""
    pairs = sorted(zip(confidences, errors, strict=True), key=lambda pair: -pair[0])
    return [[error for _, error in block] for _, block in groupby(pairs, key=lambda pair: pair[0])]


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None
