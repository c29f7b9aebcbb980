"""The evidence that an answer is right, or that no passage answers, as numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.types import Answer, Hit, Trace
from ..choosing import features as chooser
from .missing_names import missing_names

_OF_CHOOSER = (
    "relevance",
    "span",
    "margin",
    "retrieval",
    "rank",
    "lead",
    "in target language",
)
FEATURES = (
    *_OF_CHOOSER,  # as the learned chooser's
    "agreement",  # P that a similar answer is right, from another passage in any language
    "lead in retrieval",  # the first hit's score over the second's, in standard deviations
    "missing names",  # share of the question's names that a passage in its language lacks
)
"""The columns of `features`, in order."""

_COLUMNS = [chooser.FEATURES.index(name) for name in _OF_CHOOSER]
_SUPPORT = [chooser.FEATURES.index(name) for name in ("same language", "other language")]
_MOST = 8.0  # standard deviations


def features(trace: Trace) -> NDArray[np.float64]:
    """(answers, `FEATURES`) for the answers of a trace; a row does not depend on their order.

    They do not depend on the scale of a retriever's scores.
    """
    rows = chooser.features(trace.question, trace.answers)
    agreement = 1 - (1 - rows[:, _SUPPORT]).prod(axis=1, keepdims=True)
    leads = {route: _lead(result.hits) for route, result in trace.by_route.items()}
    more = [
        (leads.get(_route(answer), 0.0), missing_names(trace.question, answer))
        for answer in trace.answers
    ]
    return np.hstack([rows[:, _COLUMNS], agreement, np.array(more, np.float64).reshape(-1, 2)])


def _route(answer: Answer) -> str:
    return answer.source.route if answer.source else ""


def _lead(hits: Sequence[Hit]) -> float:
    scores = np.array([hit.score for hit in hits])
    deviation = float(scores.std()) if len(hits) > 1 else 0.0
    return min(float(scores[0] - scores[1]) / deviation, _MOST) if deviation else 0.0
