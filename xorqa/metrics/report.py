"""The scores of single questions: their averages, which no other module computes, and their files.

`xorqa run` and `xorqa eval` write the files, and `xorqa compare` reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.errors import DataError, one_of
from ..core.lang import XOR_LANGUAGES
from ..io.files import read_jsonl, write_jsonl
from ..io.strict_json import as_id, as_text

PER_QUESTION = "per_question.jsonl"
"""The name of the file of scores in a run folder."""

ScoreKey = tuple[str, str]
"""Task and scorer."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The scorers' view of a question: its language (ISO 639-1) and its gold answers.

    `context` is the passage of the question, if the data has one.
    """

    qid: str
    lang: str
    answers: tuple[str, ...]
    context: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """One question's scores by measure, each from 0 to 1."""

    qid: str
    lang: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Report:
    """Means in percent: per language, and their macro average over the languages present.

    `n` is the number of questions. `signature` names the settings and versions that the scores
    depend on. `subsets` are the reports of subsets of the questions, by name. `macro_over_seven`
    is the macro average of XOR-Full's script, which divides by seven; it is empty unless
    `over_seven` was called.
    """

    task: str
    scorer: str
    per_lang: Mapping[str, Mapping[str, float]]
    macro: Mapping[str, float]
    n: Mapping[str, int]
    signature: str = ""
    subsets: Mapping[str, Report] = field(default_factory=dict)
    macro_over_seven: Mapping[str, float] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in their order."""
        return tuple(next(iter(self.per_lang.values())))

    def over_seven(self) -> Report:
        """The report with `macro_over_seven`; of the seven languages, absent ones count as 0."""
        rows = [self.per_lang[lang] for lang in XOR_LANGUAGES if lang in self.per_lang]
        means = {
            name: math.fsum(row[name] for row in rows) / len(XOR_LANGUAGES)
            for name in self.measures
        }
        return replace(self, macro_over_seven=means)

    def to_json(self) -> dict[str, Any]:
        """The report as unrounded JSON values; empty optional fields are left out."""
        values = asdict(replace(self, subsets={}))
        del values["subsets"]
        values["parts"] = {name: report.to_json() for name, report in self.subsets.items()}
        optional = ("signature", "parts", "macro_over_seven")
        return {name: value for name, value in values.items() if value or name not in optional}


def average(scores: Iterable[Score], *, task: str, scorer: str, signature: str = "") -> Report:
    """Average scores per language (sorted by code), and over the languages present (macro).

    Sums are exact, so the order of the questions does not matter.

    Raises:
        DataError: if there are no scores.
    """
    by_lang: dict[str, list[Mapping[str, float]]] = {}
    for score in scores:
        by_lang.setdefault(score.lang, []).append(score.values)
    if not by_lang:
        raise DataError(
            f"{task}: no question can be scored; do data and predictions share ids, "
            "and does the data file hold answers?"
        )
    n = {lang: len(rows) for lang, rows in sorted(by_lang.items())}
    per_lang = {lang: _means(by_lang[lang], percent=True) for lang in n}
    macro = _means(list(per_lang.values()))
    return Report(task, scorer, per_lang, macro, n, signature)


def with_subsets(
    report: Report, scores: Sequence[Score], divisions: Iterable[Mapping[str, str]]
) -> Report:
    """Add the reports of subsets of its questions to a report.

    Each of `divisions` maps qids to the names of subsets; a question may be in none.
    """
    rows_of = {
        name: [row for row in scores if subset_of.get(row.qid) == name]
        for subset_of in divisions
        for name in sorted(set(subset_of.values()))
    }
    subsets = {
        name: average(rows, task=report.task, scorer=report.scorer, signature=report.signature)
        for name, rows in rows_of.items()
        if rows
    }
    return replace(report, subsets=subsets)


def proper_subsets(report: Report) -> dict[str, Report]:
    """The reports of the proper subsets, which do not contain all of the report's questions."""
    return {name: subset for name, subset in report.subsets.items() if subset.n != report.n}


def _means(rows: Sequence[Mapping[str, float]], *, percent: bool = False) -> dict[str, float]:
    factor = 100 if percent else 1
    return {name: factor * math.fsum(row[name] for row in rows) / len(rows) for name in rows[0]}


def write_scores(path: Path, scores: Mapping[ScoreKey, Sequence[Score]]) -> None:
    """Write a line per question, task and scorer; values are from 0 to 1."""
    lines = (
        {"task": task, "scorer": by, "lang": row.lang, "qid": row.qid, "values": dict(row.values)}
        for (task, by), rows in scores.items()
        for row in rows
    )
    write_jsonl(path, lines)


def read_scores(path: Path) -> dict[ScoreKey, list[Score]]:
    """Read what `write_scores` wrote.

    Raises:
        DataError: naming the line with another layout, other measures or a repeated question.
    """
    scores: dict[ScoreKey, dict[tuple[str, str], Score]] = {}
    for number, row in read_jsonl(path):
        where = f"{path}, line {number}"
        try:
            key = as_text(row["task"]), as_text(row["scorer"])
            values = {name: float(value) for name, value in row["values"].items()}
            score = Score(as_id(row["qid"]), as_text(row["lang"]), values)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{where}: not the scores of a question: {error!r}") from error
        rows = scores.setdefault(key, {})
        known = next(iter(rows.values()), score).values
        if not values or values.keys() != known.keys():
            raise DataError(f"{where}: has the metrics {one_of(values)}, not {one_of(known)}")
        if not all(0 <= value <= 1 for value in values.values()):
            raise DataError(f"{where}: scores must be from 0 to 1")
        if (score.lang, score.qid) in rows:
            raise DataError(f"{where}: {score.lang} question '{score.qid}' occurs twice")
        rows[score.lang, score.qid] = score
    return {key: list(rows.values()) for key, rows in scores.items()}
