"""Read the results of `xorqa lareqa` and of `xorqa checklist run`."""

from pathlib import Path

from ...core.errors import DataError
from ...io.files import read_json
from ...metrics.report import Score, average
from ...metrics.task import OFFICIAL
from ..checklist.results import ERROR, read_results, scores
from .boards import FAILURE_RATE, Board
from .result import MEAN, Result, valid_values


def from_lareqa(board: Board, data: str, path: Path) -> Result:
    """`lareqa.json`: the first encoder's values."""
    table = read_json(path)
    try:
        langs = table["counts"]
        by_lang = {
            lang: {name: 100 * table["per language"][name][lang] for name in board.measure_names}
            for lang in langs
        }
        mean = {name: 100 * table[name] for name in board.measure_names}
        n = sum(row["questions"] for row in langs.values())
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{path} is not a lareqa.json of xorqa lareqa: {error!r}") from error
    if table.get("diagnostic"):
        raise DataError(f"{path}: its transform was fitted on the evaluated vectors")
    return Result(
        board, data, {OFFICIAL: valid_values({**by_lang, MEAN: mean}, board)}, {OFFICIAL: n}
    )


def from_checklist(board: Board, data: str, path: Path) -> Result:
    """`results.jsonl`: the share of failed cases, the mean over tests and then over languages."""
    by_test = scores(read_results(path))
    reports = [average(rows, task=test, scorer=OFFICIAL) for test, rows in by_test.items()]
    langs = dict.fromkeys(lang for report in reports for lang in report.per_lang)
    by_lang = {}
    for lang in langs:
        rates = [report.per_lang[lang][ERROR] for report in reports if lang in report.per_lang]
        by_lang[lang] = {FAILURE_RATE: sum(rates) / len(rates)}
    mean = {FAILURE_RATE: sum(row[FAILURE_RATE] for row in by_lang.values()) / len(by_lang)}
    questions = [
        Score(f"{test}/{row.qid}", row.lang, {FAILURE_RATE: row.values[ERROR]})
        for test, rows in by_test.items()
        for row in rows
    ]
    counts = {tuple(report.n.items()) for report in reports}
    equal = len(counts) == 1  # then means over cases are means over tests
    values = {OFFICIAL: {**by_lang, MEAN: mean}}
    by_case = {OFFICIAL: questions} if equal else {}
    return Result(board, data, values, {OFFICIAL: len(questions)}, by_case)
