"""Measures of answers beside F1: 3-gram recall, the right language, agreement across languages."""

from collections import Counter
from collections.abc import Iterable, Mapping

from ..core.text.detection import detect_language
from .answers import best
from .report import Reference, Score
from .tasks.squad import f1, normalize

RECALL, LANGUAGE, CONSISTENCY = "character 3-gram recall", "correct language", "consistency"
LENGTH = 3
SHORTEST = 20  # characters; the language of shorter answers is not judged


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


def _agreement(one: str, other: str) -> float:
    return 1.0 if normalize(one) == normalize(other) else f1(one, other)


def _trigrams(text: str) -> list[str]:
    return [
        word[start : start + LENGTH]
        for word in normalize(text).split()
        for start in range(max(1, len(word) - LENGTH + 1))
    ]
