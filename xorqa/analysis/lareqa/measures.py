"""LAReQA's measures of answer retrieval and of language bias (Roy et al. 2020, section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ranks import TargetRanks

ByLang = Mapping[str, float]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measures:
    """All measures, as fractions. What no question can tell of is left out.

    per_lang: measure to question language to mean; the measures are
        "mAP": average precision over the whole pool (section 3);
        "mAP@20": XTREME-R's (Ruder et al. 2021), which looks at the best 20 candidates;
        "mAP -same": the target in the question's language is taken out of the pool (Table 3);
        "mAP -rand": a target in another language is, the mean over these languages (Table 3);
        "monolingual mAP": the pool is the question's language only (Table 4).
    one_target: question language to answer language to mAP when of the targets only the one in
        the answer language is in the pool, with all negatives (Figure 4).
    top: question language to candidate language to share of the best 100 candidates (Figure 6).
    """

    per_lang: Mapping[str, ByLang]
    one_target: Mapping[str, ByLang]
    top: Mapping[str, ByLang]

    @property
    def overall(self) -> dict[str, float]:
        """Means over languages, or over pairs of languages, that all weigh the same.

        The names of `per_lang`; "relative difference", (-rand minus -same) / -rand;
        "same-language mAP" and "cross-language mAP" of `one_target`; "own language in top 100".
        """
        values = {name: _mean(row.values()) for name, row in self.per_lang.items() if row}
        if rand := values.get("mAP -rand"):
            values["relative difference"] = (rand - values["mAP -same"]) / rand
        cells = [(asked, answer) for asked, row in self.one_target.items() for answer in row]
        for name, same in (("same-language mAP", True), ("cross-language mAP", False)):
            there = [self.one_target[a][b] for a, b in cells if (a == b) is same]
            if there:
                values[name] = _mean(there)
        values["own language in top 100"] = _mean(row[lang] for lang, row in self.top.items())
        return values

    def to_json(self) -> dict[str, Any]:
        """`overall`'s values, then `per_lang`, `one_target` and `top` under readable names."""
        return {
            **self.overall,
            "per language": self.per_lang,
            "one target": self.one_target,
            "top 100": self.top,
        }


def measure(ranks: TargetRanks) -> Measures:
    """All measures of a model's target ranks."""
    own = ranks.answers == ranks.asked[:, None]
    same, rand = _one_removed(ranks)
    values = {
        "mAP": average_precisions(ranks.ahead),
        "mAP@20": average_precisions(ranks.ahead, cutoff=20),
        "mAP -same": same,
        "mAP -rand": rand,
        "monolingual mAP": average_precisions(np.where(own, ranks.ahead_own, np.inf)),
    }
    alone = {
        answer: average_precisions(np.where(ranks.answers == number, ranks.ahead, np.inf))
        for number, answer in enumerate(ranks.langs)
    }
    shares = (ranks.top / ranks.top.sum(axis=1, keepdims=True)).T
    return Measures(
        per_lang={name: _by_lang(ranks, column) for name, column in values.items()},
        one_target=_by_pair(ranks, alone),
        top=_by_pair(ranks, dict(zip(ranks.langs, shares, strict=True))),
    )


def average_precisions(ahead: Floats, *, cutoff: int | None = None) -> Floats:
    """Average precision of every question, as `metrics.ranking.average_precision` defines it.

    Args:
        ahead: (questions, targets), the negatives that rank before each target, in any order;
            inf stands for no target.

    Returns:
        (questions,); NaN where there is no target.
    """
    places = np.arange(1, ahead.shape[1] + 1)
    ranks = np.sort(ahead, axis=1) + places
    targets = np.isfinite(ahead).sum(axis=1)
    if cutoff is not None:
        ranks[ranks > cutoff] = np.inf
        targets = np.minimum(targets, cutoff)
    means: Floats = np.full(len(ahead), np.nan)
    np.divide((places / ranks).sum(axis=1), targets, out=means, where=targets > 0)
    return means


def _one_removed(ranks: TargetRanks) -> tuple[Floats, Floats]:
    """Average precision without the same-language target, and its mean without one of the others.

    NaN for questions that lack either.
    """
    own = ranks.answers == ranks.asked[:, None]
    total = np.zeros(len(own))
    langs = np.zeros(len(own))
    for number in range(len(ranks.langs)):
        removed = (ranks.answers == number) & ~own
        there = removed.any(axis=1) & own.any(axis=1)
        left = average_precisions(np.where(removed, np.inf, ranks.ahead))
        total += np.where(there, left, 0)
        langs += there
    same = average_precisions(np.where(own, np.inf, ranks.ahead))
    rand = np.divide(total, langs, out=np.full(len(own), np.nan), where=langs > 0)
    return np.where(langs > 0, same, np.nan), rand


def _by_lang(ranks: TargetRanks, values: Floats) -> dict[str, float]:
    """Means by question language; of a language without a value there is none."""
    told = ~np.isnan(values)
    rows = {lang: values[told & (ranks.asked == at)] for at, lang in enumerate(ranks.langs)}
    return {lang: _mean(row) for lang, row in rows.items() if len(row)}


def _by_pair(ranks: TargetRanks, columns: Mapping[str, Floats]) -> dict[str, dict[str, float]]:
    """Means by question language, then by column."""
    means = {name: _by_lang(ranks, column) for name, column in columns.items()}
    asked = [lang for lang in ranks.langs if any(lang in column for column in means.values())]
    return {
        lang: {name: column[lang] for name, column in means.items() if lang in column}
        for lang in asked
    }


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
