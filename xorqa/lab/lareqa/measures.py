"""LAReQA's measures of answer retrieval and of language bias (Roy et al. 2020, section 5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ranks import TargetRanks

ByLang = Mapping[str, float]
Floats = NDArray[np.float64]
CUTOFF = 20
"""The ranks that count in XTREME-R's mAP@20."""


@dataclass(frozen=True, slots=True)
class Measures:
    """All measures, as fractions. Measures that are undefined for a language are left out.

    Attributes:
        per_lang: measure to question language to mean; the measures are
            "mAP": average precision over the whole pool (section 3);
            "mAP@20": the same over the top 20 candidates, from XTREME-R (Ruder et al. 2021);
            "mAP -same": without the target in the question's language;
            "mAP -rand": without a target in another language, mean over these languages;
            "monolingual mAP": over the sentences of the question's language.
        one_target: question language to answer language to mAP, with the target in the answer
            language and all negatives in the pool, but no other target.
        top: question language to candidate language to share of the top 100 candidates.
        over_questions: measure of `per_lang` to its mean over all questions, as Equation 1 of
            Roy et al. 2020 has it; that over languages differs if they have other numbers.
        one_target_at_20: as `one_target`, but mAP@20 (Ruder et al. 2021, Figure 4).
        over_targets: mAP@20 with one target at a time, the mean over all targets of all questions
            (Table 14): "all", "same language" as the question and "different languages".
    """

    per_lang: Mapping[str, ByLang]
    one_target: Mapping[str, ByLang]
    top: Mapping[str, ByLang]
    over_questions: Mapping[str, float] = field(default_factory=dict)
    one_target_at_20: Mapping[str, ByLang] = field(default_factory=dict)
    over_targets: Mapping[str, float] = field(default_factory=dict)

    @property
    def overall(self) -> dict[str, float]:
        """Unweighted means over languages, or over pairs of languages.

        All of `per_lang`; "relative difference", (-rand minus -same) / -rand; "same-language mAP"
        and "cross-language mAP" of `one_target`; "own language in top 100".
        """
        values = {name: _mean(row.values()) for name, row in self.per_lang.items() if row}
        if rand := values.get("mAP -rand"):
            values["relative difference"] = (rand - values["mAP -same"]) / rand
        for name, same in (("same-language mAP", True), ("cross-language mAP", False)):
            cells = [
                value
                for question_lang, row in self.one_target.items()
                for answer_lang, value in row.items()
                if (question_lang == answer_lang) is same
            ]
            if cells:
                values[name] = _mean(cells)
        values["own language in top 100"] = _mean(row[lang] for lang, row in self.top.items())
        return values

    def to_json(self) -> dict[str, Any]:
        """`overall`'s values, then `per_lang`, `one_target` and `top` under readable names."""
        return {
            **self.overall,
            "over questions": self.over_questions,
            "per language": self.per_lang,
            "one target": self.one_target,
            "one target at 20": self.one_target_at_20,
            "over targets": self.over_targets,
            "top 100": self.top,
        }


def compute_measures(ranks: TargetRanks) -> Measures:
    """Compute all measures from a model's target ranks."""
    same_lang = ranks.target_langs == ranks.question_langs[:, None]
    same, rand = _one_removed(ranks)
    values = {
        "mAP": average_precisions(ranks.ahead),
        "mAP@20": average_precisions(ranks.ahead, cutoff=CUTOFF),
        "mAP -same": same,
        "mAP -rand": rand,
        "monolingual mAP": average_precisions(np.where(same_lang, ranks.ahead_same_lang, np.inf)),
    }
    alone = {
        lang: np.where(ranks.target_langs == number, ranks.ahead, np.inf)
        for number, lang in enumerate(ranks.langs)
    }
    one_target = {lang: average_precisions(ahead) for lang, ahead in alone.items()}
    at_20 = {lang: average_precisions(ahead, cutoff=CUTOFF) for lang, ahead in alone.items()}
    shares = (ranks.top / ranks.top.sum(axis=1, keepdims=True)).T
    return Measures(
        per_lang={name: _by_lang(ranks, column) for name, column in values.items()},
        one_target=_by_pair(ranks, one_target),
        top=_by_pair(ranks, dict(zip(ranks.langs, shares, strict=True))),
        over_questions={
            name: float(np.nanmean(column))
            for name, column in values.items()
            if not np.isnan(column).all()
        },
        one_target_at_20=_by_pair(ranks, at_20),
        over_targets=_over_targets(ranks, same_lang),
    )


def average_precisions(ahead: Floats, *, cutoff: int | None = None) -> Floats:
    """Average precision (0 to 1) of every question; see `metrics.ranking.average_precision`.

    Args:
        ahead: shape (questions, targets), the number of negatives ranked before each target, in
            any order; inf where there is no target.

    Returns:
        Shape (questions,); NaN for a question without a target.
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


def _over_targets(ranks: TargetRanks, same_lang: NDArray[np.bool_]) -> dict[str, float]:
    """Mean reciprocal rank of each target, alone among the negatives; 0 beyond rank `CUTOFF`."""
    valid = np.isfinite(ranks.ahead)
    values = np.where(ranks.ahead < CUTOFF, 1 / (1 + ranks.ahead), 0)
    subsets = {
        "all": valid,
        "same language": valid & same_lang,
        "different languages": valid & ~same_lang,
    }
    return {name: float(values[chosen].mean()) for name, chosen in subsets.items() if chosen.any()}


def _one_removed(ranks: TargetRanks) -> tuple[Floats, Floats]:
    """AP without the same-language target, and the mean AP without one of the other targets.

    NaN for questions that lack either.
    """
    same_lang = ranks.target_langs == ranks.question_langs[:, None]
    total = np.zeros(len(same_lang))
    langs = np.zeros(len(same_lang))
    for number in range(len(ranks.langs)):
        removed = (ranks.target_langs == number) & ~same_lang
        defined = removed.any(axis=1) & same_lang.any(axis=1)
        precisions = average_precisions(np.where(removed, np.inf, ranks.ahead))
        total += np.where(defined, precisions, 0)
        langs += defined
    same = average_precisions(np.where(same_lang, np.inf, ranks.ahead))
    rand = np.divide(total, langs, out=np.full(len(total), np.nan), where=langs > 0)
    return np.where(langs > 0, same, np.nan), rand


def _by_lang(ranks: TargetRanks, values: Floats) -> dict[str, float]:
    """Means by question language; languages without a value are left out."""
    defined = ~np.isnan(values)
    rows = {
        lang: values[defined & (ranks.question_langs == number)]
        for number, lang in enumerate(ranks.langs)
    }
    return {lang: _mean(row) for lang, row in rows.items() if len(row)}


def _by_pair(ranks: TargetRanks, columns: Mapping[str, Floats]) -> dict[str, dict[str, float]]:
    """Means by question language, then by column."""
    means = {name: _by_lang(ranks, column) for name, column in columns.items()}
    rows = {
        lang: {name: column[lang] for name, column in means.items() if lang in column}
        for lang in ranks.langs
    }
    return {lang: row for lang, row in rows.items() if row}


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))
