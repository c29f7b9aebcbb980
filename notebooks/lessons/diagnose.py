"""Tools of lesson 8: tables of buckets, of differences and of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from .intervals import mean_interval, middle
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
    "mean_interval",
    "of_answer_type",
    "sentences",
]


SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Apart:
    """How much higher one mean is than another, its 95 % interval, and p of a permutation test."""

    points: float
    low: float
    high: float
    p: float

    def __str__(self) -> str:
        return f"{self.points:+.1f} [{self.low:+.0f}, {self.high:+.0f}], p = {self.p:.2f}"


def apart(values: Sequence[float], others: Sequence[float]) -> Apart:
    """The mean of `others` minus that of `values`, which are of other questions: not paired."""
    one, other = np.asarray(values, float), np.asarray(others, float)
    stream = np.random.default_rng(1)
    drawn = [
        group[stream.integers(len(group), size=(SAMPLES, len(group)))] for group in (one, other)
    ]
    low, high = middle(drawn[1].mean(axis=1) - drawn[0].mean(axis=1))
    points = float(other.mean() - one.mean())
    together = np.tile(np.concatenate([one, other]), (SAMPLES, 1))
    mixed = stream.permuted(together, axis=1)
    by_chance = mixed[:, len(one) :].mean(axis=1) - mixed[:, : len(one)].mean(axis=1)
    extreme = int((abs(by_chance) >= abs(points) - 1e-9).sum())
    return Apart(points, low, high, (1 + extreme) / (1 + SAMPLES))


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
    cells = [
        (
            row.bucket.name,
            row.n,
            *(f"{x:.1f}" for x in (row.a, row.b)),
            f"{row.difference:+.1f} [{row.low:+.1f}, {row.high:+.1f}]",
        )
        for row in rows
    ]
    header = (feature, "n", *SYSTEMS, f"{SYSTEMS[0]} - {SYSTEMS[1]} [95 %]")
    return table(f"F1 by {feature}", header, cells)


def crossed_table(title: str, langs: Sequence[str]) -> Page:
    """The first system's F1 minus the second's by language (rows), in all and in each half."""
    rows = []
    for lang in langs:
        inside, across = half_gains(lang).values()
        cells = []
        for gains in (inside + across, inside, across):
            low, high = mean_interval(gains)
            cells.append(f"{np.mean(gains):+.1f} [{low:+.0f}, {high:+.0f}]")
        rows.append((lang, *cells))
    header = ("language", "all", "in-language", "cross-lingual")
    return table(f"{title} [95 %]; n = {len(inside)} in each half", header, rows)


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
