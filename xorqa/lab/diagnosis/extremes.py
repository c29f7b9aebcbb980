"""The best and the worst bucket of each feature, each language by itself, as XTREME-R prints them.

Tables 6 and 29 of Ruder et al. 2021: of a system its best and its worst bucket; of a pair the
bucket in which the first gains most over the second, and the one in which it loses most.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...tables.grid import MISSING, Grid, Row
from . import buckets
from .diagnosis import Diagnosis, diagnose_data
from .facts import DiagnosisInput
from .pairs import ALL, Pair


@dataclass(frozen=True, slots=True)
class Extreme:
    """The best and worst bucket (name, n, value in percent) of a feature in a language.

    `of` is a system, or a pair as "A - B" whose values are differences. `low` of a pair is None
    if A is at least as good in every bucket, and `high` if B is.
    """

    lang: str
    of: str
    feature: str
    high: tuple[str, int, float] | None
    low: tuple[str, int, float] | None

    def to_json(self) -> dict[str, Any]:
        """The extremes as JSON values."""
        names = "bucket", "n", "value"
        ends = {
            name: end and dict(zip(names, end, strict=True))
            for name, end in (("best", self.high), ("worst", self.low))
        }
        return {"lang": self.lang, "of": self.of, "feature": self.feature, **ends}


def by_language(data: DiagnosisInput, **options: Any) -> dict[str, Diagnosis]:
    """A diagnosis of each language by itself, so that buckets are those of its questions.

    `options` are those of `diagnose_data`.
    """
    langs = dict.fromkeys(question.lang for question in data.questions)
    return {lang: diagnose_data(_of_language(data, lang), **options) for lang in langs}


def _of_language(data: DiagnosisInput, lang: str) -> DiagnosisInput:
    chosen = [index for index, row in enumerate(data.questions) if row.lang == lang]
    systems = {name: [rows[i] for i in chosen] for name, rows in data.systems.items()}
    return replace(data, questions=[data.questions[i] for i in chosen], systems=systems)


def extremes(diagnoses: Mapping[str, Diagnosis]) -> list[Extreme]:
    """The extremes of every system, then of every pair, by language and feature.

    Buckets with fewer questions than `min_n` are left out, as is that of missing values.
    """
    rows = []
    for lang, diagnosis in diagnoses.items():
        least, metric = diagnosis.min_n, diagnosis.metric
        for system in diagnosis.data.systems:
            for feature, scores in diagnosis.scores[system].items():
                values = [
                    (row.bucket.name, row.n, row.metrics[metric].value)
                    for row in scores
                    if row.n >= least and row.bucket.name != buckets.MISSING
                ]
                if feature != ALL and values:
                    rows.append(Extreme(lang, system, feature, _most(values), _least(values)))
        rows += [row for pair in diagnosis.pairs for row in _of_pair(lang, diagnosis, pair)]
    return rows


def _of_pair(lang: str, diagnosis: Diagnosis, pair: Pair) -> list[Extreme]:
    by_feature: dict[str, list[tuple[str, int, float]]] = {}
    for row in pair.differences:
        if row.metric != diagnosis.metric or row.feature == ALL or row.n < diagnosis.min_n:
            continue
        if row.bucket.name != buckets.MISSING:
            value = row.bucket.name, row.n, row.difference
            by_feature.setdefault(row.feature, []).append(value)
    result = []
    for feature, values in by_feature.items():
        gains, losses = [v for v in values if v[2] > 0], [v for v in values if v[2] < 0]
        high, low = gains and _most(gains), losses and _least(losses)
        result.append(Extreme(lang, f"{pair.a} - {pair.b}", feature, high or None, low or None))
    return result


def _most(values: Sequence[tuple[str, int, float]]) -> tuple[str, int, float]:
    return max(values, key=lambda value: value[2])


def _least(values: Sequence[tuple[str, int, float]]) -> tuple[str, int, float]:
    return min(values, key=lambda value: value[2])


def extremes_grid(diagnoses: Mapping[str, Diagnosis]) -> Grid:
    """A row for each language, system or pair, and feature."""
    first = next(iter(diagnoses.values()))
    rows = extremes(diagnoses)
    groups = [
        tuple(_cells(row) for row in rows if (row.lang, row.of) == place)
        for place in dict.fromkeys((row.lang, row.of) for row in rows)
    ]
    header = ("lang", "of", "feature", "best", "n", "value", "worst", "n", "value")
    caption = (
        "Each language has buckets of its own. Of a pair A - B: where A gains most over B, and "
        f"where it loses most; {MISSING}: in no bucket. Percent; buckets of at least "
        f"{first.min_n} questions."
    )
    title = f"Best and worst bucket of each feature, {first.metric}"
    return Grid(title, header, tuple(groups), caption, labels=3, fixed=True)


def _cells(row: Extreme) -> Row:
    sign = "+" if " - " in row.of else ""
    cells: Row = (row.lang, row.of, row.feature)
    for end in (row.high, row.low):
        cells += (end[0], str(end[1]), f"{end[2]:{sign}.1f}") if end else (MISSING,) * 3
    return cells
