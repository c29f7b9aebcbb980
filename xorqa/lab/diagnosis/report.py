"""A diagnosis as JSON values and as CSV."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ...io.files import csv_text, quote_cell
from .diagnosis import Diagnosis
from .pairs import Difference, Pair


def to_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as JSON values: unrounded, scores in percent, p as fractions."""
    data = diagnosis.data
    first = next(iter(diagnosis.buckets.values()))
    return {
        "task": data.task,
        "scorer": data.scorer,
        "metrics": list(diagnosis.metrics),
        "questions": len(data.questions),
        "settings": asdict(diagnosis.settings) | {"min_n": diagnosis.min_n},
        "features": {
            row.name: {"about": row.about, "buckets": first[row.name].rule}
            for row in diagnosis.features
        },
        "systems": {
            system: {name: [row.to_json() for row in rows] for name, rows in by_feature.items()}
            for system, by_feature in diagnosis.scores.items()
        },
        "pairs": [_pair(diagnosis, pair) for pair in diagnosis.pairs],
        "common_errors": {
            "n": len(diagnosis.common_errors),
            "by_lang": dict(sorted(errors_by_lang(diagnosis).items())),
            "questions": [
                {"qid": data.questions[index].qid, "lang": data.questions[index].lang}
                for index in diagnosis.common_errors
            ],
        },
    }


def errors_by_lang(diagnosis: Diagnosis) -> dict[str, int]:
    """The number of questions on which all systems are wrong, by language."""
    return dict(Counter(diagnosis.data.questions[index].lang for index in diagnosis.common_errors))


def to_csv(diagnosis: Diagnosis) -> str:
    """The rows of a diagnosis as CSV; texts that a spreadsheet would run are quoted."""
    rows = diagnosis.rows()
    cells = (["" if v is None else quote_cell(str(v)) for v in row.values()] for row in rows)
    return csv_text([[*rows[0]] if rows else [], *cells])


def question_of(diagnosis: Diagnosis, index: int, systems: Sequence[str]) -> dict[str, Any]:
    """A question with its gold answers, its passage and the systems' answers."""
    question = diagnosis.data.questions[index]
    return {
        "qid": question.qid,
        "lang": question.lang,
        "question": question.text,
        "gold": list(question.answers),
        "passage": question.context,
        "answers": {name: diagnosis.data.systems[name][index].answer for name in systems},
    }


def _pair(diagnosis: Diagnosis, pair: Pair) -> dict[str, Any]:
    places: dict[tuple[str, str], dict[str, Any]] = {}
    for row in pair.differences:
        place = places.setdefault(
            (row.feature, row.bucket.name), _place(row) | {"n": row.n, "metric": {}}
        )
        place["metric"][row.metric] = row.to_json()
    return {
        "a": pair.a,
        "b": pair.b,
        "buckets": [*places.values()],
        "a_best": [_best(diagnosis, pair, row) for row in diagnosis.best(pair, of_a=True)],
        "b_best": [_best(diagnosis, pair, row) for row in diagnosis.best(pair, of_a=False)],
    }


def _place(row: Difference) -> dict[str, Any]:
    bucket = row.bucket
    named = {"feature": row.feature, "bucket": bucket.name}
    return named | {"low": bucket.low, "high": bucket.high}


def _best(diagnosis: Diagnosis, pair: Pair, row: Difference) -> dict[str, Any]:
    behind = diagnosis.behind(pair, row)
    questions = [question_of(diagnosis, index, (pair.a, pair.b)) for index in behind]
    return _place(row) | {"n": row.n, "difference": row.difference, "questions": questions}
