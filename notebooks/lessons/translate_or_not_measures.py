"""Lesson 4: does a measure of translations tell which queries find their passage?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xorqa.lab.common.translation_measures import entities
from xorqa.lab.ledger.losses import Losses, rank_correlation

from .intervals import Numbers, middle
from .translator_runs import languages, references, scores

SAMPLES = 2000
BLEU, ENTITIES = "BLEU", "entity recall"


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
    """`higher` of pairs within a language, for each measure of a translator's queries.

    Also how far entity recall is ahead of BLEU. The bootstrap draws questions in each language.
    Questions without a name or number are left out: there entity recall has nothing to count.
    """
    named = [at for at, human in enumerate(references()) if entities(human)]
    by_question = [scores([texts[at]], [references()[at]]) for at in named]
    chosen, langs = np.asarray(found, bool)[named], np.array(languages())[named]
    paired = chosen[:, None] & ~chosen & (langs[:, None] == langs)
    drawn = _draws(langs)
    pairs = [weights @ paired @ weights for weights in drawn]
    shares, samples = {}, {}
    for measure in by_question[0]:
        values = np.array([row[measure] for row in by_question])
        won = paired * ((values[:, None] > values) + (values[:, None] == values) / 2)
        wins = [weights @ won @ weights for weights in drawn]
        samples[measure] = 100 * np.array([a / b for a, b in zip(wins, pairs, strict=True) if b])
        shares[measure] = Share(100 * won.sum() / paired.sum(), *middle(samples[measure]))
    ahead = shares[ENTITIES].share - shares[BLEU].share
    shares[f"{ENTITIES} less {BLEU}"] = Share(ahead, *middle(samples[ENTITIES] - samples[BLEU]))
    return shares


def _draws(langs: NDArray[Any]) -> list[NDArray[Any]]:
    """How often each question is drawn, in as many samples as usual; each language by itself."""
    stream = np.random.default_rng(1)
    groups = [np.flatnonzero(langs == lang) for lang in np.unique(langs)]
    return [
        np.bincount(
            np.concatenate([stream.choice(rows, size=len(rows)) for rows in groups]),
            minlength=len(langs),
        )
        for _ in range(SAMPLES)
    ]


def within(losses: Losses, name: str) -> float:
    """Spearman's correlation of BLEU and XOR-EnglishSpan's F1 over one translator's languages."""
    correlation = rank_correlation(losses.english_f1, {name: losses.bleu[name]})
    assert correlation is not None, "too few languages"
    return correlation
