"""Read the results of a system: run folders, scores of questions, and reports."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ...core.errors import DataError, one_of
from ...io.files import read_json
from ...metrics.report import PER_QUESTION, Score, ScoreKey, average, read_scores
from ...metrics.task import OFFICIAL, SCORERS
from .boards import FAILURE_RATE, Board, board_of, find_board
from .metadata import ResultEntry
from .other_results import from_checklist, from_lareqa
from .result import MEAN, Result, measures_of_board, valid_values, with_mean

_ROUNDING = 1e-6  # sums of the same scores in another order differ by less


def read_run(folder: Path) -> list[Result]:
    """The results of a run folder, from the scores of its questions.

    Raises:
        DataError: if a file is damaged, or `scores.json` has other means.
    """
    manifest, reports = read_json(folder / "manifest.json"), read_json(folder / "scores.json")
    by_key = read_scores(folder / PER_QUESTION)
    if not isinstance(manifest, dict) or not isinstance(reports, dict):
        raise DataError(f"{folder} is not a complete run folder")
    results = []
    for task in dict.fromkeys(task for task, _ in by_key):
        if board := board_of(task):
            result = _from_questions(board, str(manifest.get("dataset")), by_key, task)
            _check_means(result, reports.get(task), folder / "scores.json")
            results.append(result)
    if not results:
        raise DataError(f"{folder / PER_QUESTION} has no scores of a task of the leaderboard")
    return results


def read_entry(entry: ResultEntry, folder: Path) -> Result:
    """The results that an entry of `metadata.toml` names.

    Raises:
        ConfigError: for an unknown board.
        DataError: if the file is missing, of another format, or lacks a measure.
    """
    board = find_board(entry.board)
    if board.parts:
        parts = one_of(chain(*board.parts.values()))
        raise DataError(f"{board.name} is computed; name the results of {parts}")
    data = entry.data or board.data
    if entry.values is not None:
        values = {OFFICIAL: valid_values(with_mean(entry.values), board)}
        return Result(board, data, values, table=entry.table, stated=tuple(entry.languages))
    path = (folder / entry.file).resolve()
    if not entry.file or not path.is_relative_to(folder.resolve()):
        raise DataError(f"the results of {board.name} need a file in the system's folder")
    if board.main == FAILURE_RATE:
        return from_checklist(board, data, path)
    if not board.task:
        return from_lareqa(board, data, path)
    if path.suffix == ".jsonl":
        return _from_questions(board, data, read_scores(path), board.task)
    return _from_report(board, data, path)


def _from_questions(
    board: Board, data: str, by_key: Mapping[ScoreKey, Sequence[Score]], task: str
) -> Result:
    questions: dict[str, Sequence[Score]] = {
        scorer: by_key[task, scorer] for scorer in SCORERS if (task, scorer) in by_key
    }
    if not questions:
        names = one_of(f"{name} ({scorer})" for name, scorer in by_key)
        raise DataError(f"no official or strict scores of {task}; found: {names}")
    values, n = {}, {}
    for scorer, rows in questions.items():
        report = average(rows, task=task, scorer=scorer)
        values[scorer] = measures_of_board({**report.per_lang, MEAN: report.macro}, board)
        n[scorer] = sum(report.n.values())
    return Result(board, data, values, n, questions)


def _from_report(board: Board, data: str, path: Path) -> Result:
    """A report of `xorqa eval --json`, by one scorer or by both."""
    table = read_json(path)
    reports = table if isinstance(table, dict) else {}
    by_scorer: dict[str, Any] = (
        {str(reports.get("scorer")): reports}
        if "per_lang" in reports
        else {scorer: reports[scorer] for scorer in SCORERS if scorer in reports}
    )
    try:
        values: dict[str, Mapping[str, Mapping[str, float]]] = {
            scorer: valid_values({**row["per_lang"], MEAN: row["macro"]}, board)
            for scorer, row in by_scorer.items()
            if scorer in SCORERS
        }
        n: dict[str, int] = {scorer: sum(by_scorer[scorer]["n"].values()) for scorer in values}
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{path} is not a report of xorqa eval --json: {error!r}") from error
    if not values:
        raise DataError(f"{path} has no report of the official or the strict scorer")
    return Result(board, data, values, n)


def _check_means(result: Result, reports: Any, path: Path) -> None:
    """Compare the means of the questions with those that the run reports."""
    for scorer, values in result.values.items():
        try:
            reported = reports[scorer]["macro"]
            wrong = [m for m, v in values[MEAN].items() if abs(reported[m] - v) > _ROUNDING]
        except (KeyError, TypeError) as error:
            raise DataError(f"{path} lacks {result.board.name} ({scorer}): {error!r}") from error
        if wrong:
            raise DataError(
                f"{path} reports {wrong[0]} {reported[wrong[0]]:.2f} for {result.board.name} "
                f"({scorer}), but the scores of the questions give {values[MEAN][wrong[0]]:.2f}"
            )
