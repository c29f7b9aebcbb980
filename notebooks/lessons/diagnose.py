"""Tools of lesson 8: tables of buckets, of differences and of questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from xorqa.lab.diagnosis.diagnosis import Diagnosis
from xorqa.lab.diagnosis.pairs import Difference

from .diagnose_exercises import (
    check_1,
    check_2,
    check_3,
    check_4,
    check_5,
    half_gains,
    of_answer_type,
    sentences,
)
from .diagnose_systems import SYSTEMS, f1, golds, load
from .is_it_better import interval_chart
from .show import Page, table

__all__ = [
    "SYSTEMS",
    "check_1",
    "check_2",
    "check_3",
    "check_4",
    "check_5",
    "f1",
    "half_gains",
    "interval_chart",
    "load",
    "of_answer_type",
    "sentences",
]


def buckets(diagnosed: Diagnosis, feature: str) -> list[str]:
    """The bucket of each question, in their order."""
    of_feature = diagnosed.buckets[SYSTEMS[0]][feature]
    return [of_feature.buckets[index].name for index in of_feature.of]


def bucket_table(diagnosed: Diagnosis, feature: str) -> Page:
    """F1 of both systems in each bucket, the worst bucket of the first system first."""
    rows = [
        row
        for row in diagnosed.pairs[0].differences
        if (row.feature, row.metric) == (feature, "f1")
    ]
    rows.sort(key=lambda row: row.a)
    cells = [(row.bucket.name, row.n, *(f"{x:.1f}" for x in (row.a, row.b))) for row in rows]
    return table(f"F1 by {feature}", (feature, "n", *SYSTEMS), cells)


def crossed_table(title: str, langs: Sequence[str]) -> Page:
    """The first system's F1 minus the second's by language (rows), in all and in each half."""
    rows = []
    for lang in langs:
        inside, across = half_gains(lang).values()
        means = [float(np.mean(gains)) for gains in (inside + across, inside, across)]
        rows.append((lang, *(f"{mean:+.1f}" for mean in means)))
    return table(title, ("language", "all", "in-language", "cross-lingual"), rows)


def difference_table(title: str, rows: Sequence[Difference]) -> Page:
    """Differences with interval, p and corrected p, a row per bucket."""
    cells = [
        (
            row.feature,
            row.bucket.name,
            row.n,
            *(f"{points:+.1f}" for points in (row.difference, row.low, row.high)),
            f"{row.p_randomisation:.2g}",
            f"{row.p_corrected:.2g}",
            "*" if row.significant else "",
        )
        for row in rows
    ]
    header = ("feature", "bucket", "n", "difference", "low", "high", "p", "p corrected", "*")
    return table(title, header, cells, labels=2)


def question_table(title: str, indices: Sequence[int]) -> Page:
    """Questions in English with gold, both answers and their F1, and ranks of the gold passage."""
    data = load()
    rows = []
    for index in indices:
        question = data.questions[index]
        outcomes = [data.systems[name][index] for name in SYSTEMS]
        answers = [f"{row.answer} ({100 * (row.values or {})['f1']:.0f})" for row in outcomes]
        ranks = "/".join(str(row.gold_rank or "–") for row in outcomes)
        rows.append((question.lang, question.english, golds()[question.qid], *answers, ranks))
    header = ("lang", "question, in English", "gold", *SYSTEMS, "gold rank")
    return table(title, header, rows, labels=5)
