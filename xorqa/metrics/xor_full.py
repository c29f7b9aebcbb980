"""XOR-Full's official metrics: F1, exact match and BLEU on answers in the question's language.

Asai et al. 2021, section 3.3, with the official script's habits, all of them kept: four
counters are removed wherever they stand; Japanese is segmented by MeCab; BLEU is NLTK's
sentence BLEU over characters, against all gold answers at once, where Japanese gold
answers are segmented but the prediction is not; the macro average divides by seven.
"""

from __future__ import annotations

import string
import warnings
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from ..errors import DataError
from ..lang import XOR_LANGUAGES
from .report import Reference, Report, Score, average
from .squad import best, token_f1
from .tokens import wakati

_COUNTERS = "年歳人년"
_DROPPED = str.maketrans("", "", string.punctuation + _COUNTERS)
_JAPANESE_POINTS = str.maketrans({"・": " ", "、": ","})  # in predictions only


def normalize(text: str) -> str:
    """Lower case, without ASCII punctuation, the counters 年 歳 人 년 and extra white space."""
    return " ".join(text.lower().translate(_DROPPED).split())


def exact_match(prediction: str, gold: str) -> float:
    """1.0 if both normalise to the same string, else 0.0."""
    return float(normalize(prediction) == normalize(gold))


def f1(prediction: str, gold: str) -> float:
    """F1 over normalised white-space tokens."""
    return token_f1(normalize(prediction).split(), normalize(gold).split())


def bleu(prediction: str, golds: Sequence[str]) -> float:
    """Sentence BLEU-4 over characters, unsmoothed, with all golds as its references.

    Even a perfect answer of fewer than four characters scores (almost) 0.
    """
    nltk = import_module("nltk.translate.bleu_score")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns of every order without an overlap
        return float(nltk.sentence_bleu(golds, prediction))


def by_qid(predictions: Mapping[str, str]) -> dict[str, str]:
    """Predictions also under what follows the last "_" of their ids.

    The official script drops such prefixes; here an id that is whole comes first.
    """
    return {qid.split("_")[-1]: text for qid, text in predictions.items()} | dict(predictions)


def score_full(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1`, `em` and `bleu` of every question, from 0 to 1; an unanswered one scores 0.

    Predictions are looked up as `by_qid` has them.

    Raises:
        DataError: if a question has no gold answer.
        MissingExtraError: if NLTK is not installed, or for Japanese MeCab.
    """
    found = by_qid(predictions)
    return [_score(reference, found.get(reference.qid)) for reference in references]


def evaluate_full(references: Iterable[Reference], predictions: Mapping[str, str]) -> Report:
    """The official report: the macro average divides by seven even if languages are missing.

    Raises:
        DataError: if there is no question, or one has no gold answer.
    """
    scores = score_full(references, predictions)
    return average(scores, task="xor-full", scorer="official", languages=len(XOR_LANGUAGES))


def _score(reference: Reference, prediction: str | None) -> Score:
    if not reference.answers:
        raise DataError(f"xor-full: question '{reference.qid}' has no gold answer to score by")
    values = {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    if prediction is not None:
        compared, golds = prediction, reference.answers
        if reference.lang == "ja":
            compared = wakati(prediction.translate(_JAPANESE_POINTS))
            golds = tuple(wakati(gold) for gold in golds)
        values["f1"] = best(f1, compared, golds)
        values["em"] = best(exact_match, compared, golds)
        values["bleu"] = bleu(prediction, golds)
    return Score(reference.qid, reference.lang, values)
