"""XOR-Full's official metrics: F1, exact match and BLEU on answers in the question's language.

Asai et al. 2021, section 3.3, as in the official script: four counters are removed
wherever they occur; Japanese is segmented by MeCab; BLEU is NLTK's
sentence BLEU over characters, against all gold answers at once, where Japanese gold
answers are segmented but the prediction is not. The script's macro average, which divides by
seven, is `Report.macro_over_seven`.
"""

import math
import string
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ...core.text.mecab import wakati
from ...io.predictions import after_underscore
from ..overlap import token_f1
from ..report import Reference, Score

_COUNTERS = "年歳人년"
_DROPPED = str.maketrans("", "", string.punctuation + _COUNTERS)
_JAPANESE_POINTS = str.maketrans({"・": " ", "、": ","})  # in predictions only


def normalize(text: str) -> str:
    """Lower-case a text; remove ASCII punctuation, counters (年 歳 人 년), extra white space."""
    return " ".join(text.lower().translate(_DROPPED).split())


def bleu(prediction: str, golds: Sequence[str]) -> float:
    """Unsmoothed sentence BLEU-4 (0 to 1) over characters, with all gold answers as references.

    Papineni et al. 2002, section 2, with the value of NLTK's `sentence_bleu`: an order without
    a match counts as the smallest normal float, so even a perfect answer of fewer than four
    characters scores (almost) 0. Implemented here because NLTK cannot cache the golds' n-grams.
    """
    allowed, matched = _allowed(tuple(golds)), [0] * 4
    for ngram, count in _ngrams(prediction).items():
        if ngram in allowed:
            matched[len(ngram) - 1] += min(count, allowed[ngram])
    if not matched[0]:
        return 0.0
    length = len(prediction)
    closest = min((len(gold) for gold in golds), key=lambda size: (abs(size - length), size))
    penalty = 1.0 if length > closest else math.exp(1 - closest / length)
    precisions = [count / max(1, length - at) for at, count in enumerate(matched)]
    logs = [math.log(precision or sys.float_info.min) for precision in precisions]
    return penalty * math.exp(math.fsum(0.25 * log for log in logs))


@lru_cache(maxsize=4096)  # the questions of a data set, cached for the next system's predictions
def _allowed(golds: tuple[str, ...]) -> Counter[str]:
    """The maximum count of each n-gram over the gold answers."""
    counts: Counter[str] = Counter()
    for gold in golds:
        counts |= _ngrams(gold)
    return counts


def _ngrams(text: str) -> Counter[str]:
    """The counts of a text's character n-grams, n from 1 to 4."""
    return Counter([text[at : at + n] for n in range(1, 5) for at in range(len(text) - n + 1)])


def by_qid(predictions: Mapping[str, str]) -> dict[str, str]:
    """Add predictions by the part of their ids after the last "_"; full ids take precedence."""
    return {after_underscore(qid): text for qid, text in predictions.items()} | dict(predictions)


def score_xor_full(references: Iterable[Reference], predictions: Mapping[str, str]) -> list[Score]:
    """`f1`, `em` and `bleu` of every question, from 0 to 1; an unanswered one scores 0.

    F1 and exact match are over normalised white-space tokens, the best over the gold answers.
    Ids of predictions may have a prefix, see `by_qid`.
    """
    by_id = by_qid(predictions)
    return [_score(reference, by_id.get(reference.qid)) for reference in references]


def _score(reference: Reference, prediction: str | None) -> Score:
    values = {"f1": 0.0, "em": 0.0, "bleu": 0.0}
    if prediction is not None:
        text, golds = prediction, list(reference.answers)
        if reference.lang == "ja":
            text = wakati(prediction.translate(_JAPANESE_POINTS))
            golds = [wakati(gold) for gold in golds]
        tokens = normalize(text).split()
        gold_tokens = [normalize(gold).split() for gold in golds]
        values["f1"] = max((token_f1(tokens, gold) for gold in gold_tokens), default=0.0)
        values["em"] = float(tokens in gold_tokens)
        values["bleu"] = bleu(prediction, golds)
    return Score(reference.qid, reference.lang, values)
