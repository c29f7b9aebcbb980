"""What the questions of a data set are like, language by language, without any prediction.

ExplainaBoard calls this view "data-set bias" (Ruder et al. 2021, figure 5).
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ...tables.grid import COUNT, MISSING, Grid, Row
from .diagnosis import Diagnosis
from .facts import QUESTIONS
from .features import Feature
from .pairs import ALL
from .tables import rules

_LANGUAGE = "language"  # the feature that these tables are by


def bias_grids(diagnosis: Diagnosis) -> list[Grid]:
    """The share of each bucket in each language, then the numbers of each feature."""
    langs = [ALL, *_langs(diagnosis)]
    total = _totals(diagnosis)
    task = diagnosis.data.task
    header: Row = ("feature", "bucket", COUNT, *langs)
    groups = [
        tuple(
            (feature, row["bucket"], str(row["n"][ALL]), *(f"{row['share'][n]:.1f}" for n in langs))
            for row in rows
        )
        for feature, rows in _shares(diagnosis).items()
    ]
    caption = f"Percent of the questions of a language. {rules(diagnosis)}"
    shares = Grid(f"{task}, share of each bucket", header, tuple(groups), caption, 2, fixed=True)
    counts: Row = ("", "questions", *(str(total[lang]) for lang in langs))
    means = [
        tuple((feature, name, *(_cell(row.get(lang), name) for lang in langs)) for name in _NUMBERS)
        for feature, row in _numbers(diagnosis).items()
    ]
    about = f"Over the questions that have a value; {MISSING}: none has one."
    title = f"{task}, numbers by language"
    numbers = Grid(title, ("feature", "", *langs), ((counts,), *means), about, 2, fixed=True)
    return [shares, numbers]


def bias_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """The shares (percent) and the numbers as JSON values."""
    return {
        "questions_by_language": _totals(diagnosis),
        "shares": _shares(diagnosis),
        "numbers": _numbers(diagnosis),
    }


_NUMBERS = ("mean", "least", "most")


def _langs(diagnosis: Diagnosis) -> list[str]:
    return sorted({row.lang for row in diagnosis.data.questions})


def _totals(diagnosis: Diagnosis) -> dict[str, int]:
    by_lang = Counter(row.lang for row in diagnosis.data.questions)
    return {ALL: by_lang.total(), **dict(sorted(by_lang.items()))}


def _shares(diagnosis: Diagnosis) -> dict[str, list[dict[str, Any]]]:
    """Feature to its buckets that have questions, with counts and shares by language and `ALL`."""
    total = _totals(diagnosis)
    shares: dict[str, list[dict[str, Any]]] = {}
    for feature in diagnosis.features:
        if feature.name == _LANGUAGE:
            continue
        buckets = diagnosis.buckets[QUESTIONS][feature.name]
        counts: list[Counter[str]] = [Counter() for _ in buckets.buckets]
        for question, place in zip(diagnosis.data.questions, buckets.of.tolist(), strict=True):
            counts[place].update((ALL, question.lang))
        shares[feature.name] = [
            {
                "bucket": bucket.name,
                "low": bucket.low,
                "high": bucket.high,
                "n": {lang: of_bucket[lang] for lang in total},
                "share": {lang: 100 * of_bucket[lang] / n for lang, n in total.items()},
            }
            for bucket, of_bucket in zip(buckets.buckets, counts, strict=True)
            if of_bucket
        ]
    return shares


def _numbers(diagnosis: Diagnosis) -> dict[str, dict[str, dict[str, float]]]:
    """Feature of numbers to language and `ALL` to the mean, the least and the greatest value."""
    numbers = {}
    for feature in diagnosis.features:
        values = _values(diagnosis, feature)
        if values:
            numbers[feature.name] = {
                lang: {"n": len(row), "mean": math.fsum(row) / len(row)}
                | {"least": min(row), "most": max(row)}
                for lang, row in values.items()
            }
    return numbers


def _values(diagnosis: Diagnosis, feature: Feature) -> dict[str, Sequence[float]]:
    """The known numbers of a feature by language and `ALL`; empty if it has texts."""
    assert feature.of_question  # without systems there are no others
    by_lang: dict[str, list[float]] = {}
    for question in diagnosis.data.questions:
        value = feature.of_question(question)
        if isinstance(value, str):
            return {}
        if value is not None and not math.isnan(value):
            for lang in (ALL, question.lang):
                by_lang.setdefault(lang, []).append(float(value))
    return dict(by_lang)


def _cell(row: dict[str, float] | None, name: str) -> str:
    return MISSING if row is None else f"{row[name]:.3g}"
