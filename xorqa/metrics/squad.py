"""SQuAD v1.1 answer matching: exact match and token F1 on normalised answers.

Rajpurkar et al. 2016, section 6.1; XTREME scores XQuAD and TyDi GoldP the same way.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalize(text: str) -> str:
    """Lower case, without ASCII punctuation, English articles and extra white space."""
    text = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", text).split())


def exact_match(prediction: str, gold: str) -> float:
    """1.0 if both normalise to the same string, else 0.0."""
    return float(normalize(prediction) == normalize(gold))


def f1(prediction: str, gold: str) -> float:
    """Harmonic mean of precision and recall over normalised white-space tokens."""
    return token_f1(normalize(prediction).split(), normalize(gold).split())


def token_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    """F1 of two bags of tokens; 0.0 where nothing is shared."""
    shared = sum((Counter(predicted) & Counter(gold)).values())
    if not shared:
        return 0.0
    precision, recall = shared / len(predicted), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def best(metric: Callable[[str, str], float], prediction: str, golds: Sequence[str]) -> float:
    """The metric's maximum over the gold answers; 0.0 without any."""
    return max((metric(prediction, gold) for gold in golds), default=0.0)
