"""The answers of all cases as rows to train and measure a confidence model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....answering.confidence.model import FEATURES, chosen_of, features
from ....core.types import Trace
from ..chooser.rows import Floats, Ints, best_f1
from .cases import Case

RIGHT = 0.5  # the least F1 of a right answer

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ConfidenceRows:
    """A row per answer: its features `x`, 1.0 if it is `right`, and the index of its case.

    `chosen` marks the answer of each case that the pipeline chose, `answerable` the answers of
    cases with an answer in the corpus, `measured` those that are not trained on.
    """

    cases: tuple[Case, ...]
    x: Floats
    right: Floats
    case: Ints
    chosen: Mask
    answerable: Mask
    measured: Mask


def collect_rows(cases: Sequence[Case], traces: Sequence[Trace]) -> ConfidenceRows:
    """The answers of all cases; one with an F1 of at least `RIGHT` is right."""
    answers = [(number, answer) for number, trace in enumerate(traces) for answer in trace.answers]
    of_case = np.array([number for number, _ in answers], dtype=np.int64)
    chosen = [
        position == chosen_of(trace) for trace in traces for position in range(len(trace.answers))
    ]
    f1s = [best_f1(cases[number].example, answer) for number, answer in answers]
    return ConfidenceRows(
        cases=tuple(cases),
        x=np.concatenate([np.empty((0, len(FEATURES))), *map(features, traces)]),
        right=np.array([f1 >= RIGHT for f1 in f1s], float),
        case=of_case,
        chosen=np.array(chosen, dtype=bool),
        answerable=np.array([case.answerable for case in cases], dtype=bool)[of_case],
        measured=np.array([case.measured for case in cases], dtype=bool)[of_case],
    )
