"""Lesson 4: does a measure of translations tell which queries find their passage?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from xorqa.lab.ledger.losses import Losses, rank_correlation

from .intervals import Numbers, middle
from .translator_runs import references, scores

SAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Share:
    """A share in percent with its 95 % interval."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.0f} [{self.low:.0f}, {self.high:.0f}]"


def higher(values: Numbers, found: Numbers) -> float:
    """The share of pairs of a query that found its passage and one that did not, won by the first.

    A pair is won with the higher value; equal values count a half. This is the area under the ROC
    curve.
    """
    array, chosen = np.asarray(values, float), np.asarray(found, bool)
    differences = array[chosen][:, None] - array[~chosen]
    return float(((differences > 0) + (differences == 0) / 2).mean())


def told_apart(texts: Sequence[str], found: Sequence[bool]) -> Mapping[str, Share]:
    """`higher` for each measure of a translator's queries, with a bootstrap over questions."""
    by_question = [scores([text], [human]) for text, human in zip(texts, references(), strict=True)]
    chosen, stream = np.asarray(found, bool), np.random.default_rng(1)
    samples = [stream.integers(len(chosen), size=len(chosen)) for _ in range(SAMPLES)]
    samples = [rows for rows in samples if 0 < chosen[rows].sum() < len(rows)]
    shares = {}
    for measure in by_question[0]:
        values = np.array([row[measure] for row in by_question])
        low, high = middle([higher(values[rows], chosen[rows]) for rows in samples])
        shares[measure] = Share(100 * higher(values, found), 100 * low, 100 * high)
    return shares


def within(losses: Losses, name: str) -> float:
    """Spearman's correlation of BLEU and XOR-EnglishSpan's F1 over one translator's languages."""
    correlation = rank_correlation(losses.english_f1, {name: losses.bleu[name]})
    assert correlation is not None, "too few languages"
    return correlation
