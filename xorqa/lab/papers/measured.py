"""Scores of any run, to be printed beside a paper's table."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.errors import DataError, one_of
from ...core.progress import quantity
from ...io.files import read_json
from ...metrics.task import SCORERS
from .printed import MEAN, Measured

_SQUAD = {"SQuAD": "squad", "SQuAD, one answer": "squad*", "English file": "mlqa-en"}
"""The columns of MLQA's Table 7, by the names in mlqa.json."""
_POOLS = {
    frozenset(["ar", "de", "el", "en", "es", "hi", "ru", "th", "tr", "vi", "zh"]): "xquad-r",
    frozenset(["ar", "de", "en", "es", "hi", "vi", "zh"]): "mlqa-r",
    frozenset(["ar", "de", "en", "es", "ru", "th", "tr", "zh"]): "xquad-r, 8 languages",
}
"""The columns of LAReQA's Tables 2 and 5, by the languages of a pool."""


def read_measured(path: Path, task: str, part: str = "") -> Measured:
    """The values of a task: of a run folder, or of a file of `eval`, `lareqa` or `mlqa`.

    Official scores if there are any, or else strict ones. `part` is that of the printed table.

    Raises:
        DataError: if it has no scores of the task.
    """
    file = _scores_file(path)
    table = read_json(file)
    if not isinstance(table, Mapping):
        raise DataError(f"{file} is not a table of scores")
    if task == "lareqa":
        return _of_lareqa(table, part, file)
    if part:
        return _of_part(table, part, file)
    report = _report(table, task)
    if not report:
        raise DataError(f"{file} has no scores of {task}; found: {one_of(map(str, table))}")
    return {**report["per_lang"], MEAN: report["macro"]}


def read_note(path: Path, task: str) -> str:
    """Where the values are from, as far as the files say: data, questions by language, scorer."""
    file = _scores_file(path)
    report, manifest = _report(read_json(file), task), file.with_name("manifest.json")
    n = report.get("n", {})
    langs = f"{quantity(sum(n.values()), 'question')} in {', '.join(n)}" if n else ""
    data = read_json(manifest).get("dataset", "") if manifest.is_file() else ""
    scorer = f"{report['scorer']} scorer" if "scorer" in report else ""
    known = ", ".join(filter(None, (data, langs, scorer)))
    return f"{path}: {known}." if known else ""


def _report(table: Any, task: str) -> Mapping[str, Any]:
    """The scores of a task, official ones if there are any; empty without any."""
    reports = table.get(task, table.get("xlt", table)) if isinstance(table, Mapping) else None
    if isinstance(reports, Mapping):
        for report in (reports, *(reports.get(scorer) for scorer in SCORERS)):
            if isinstance(report, Mapping) and {"per_lang", "macro"} <= report.keys():
                return report
    return {}


def _scores_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    for name in ("scores.json", "lareqa.json", "mlqa.json"):
        if (path / name).is_file():
            return path / name
    raise DataError(f"{path} has no scores.json, lareqa.json or mlqa.json; name a finished run")


def _of_part(table: Mapping[str, Any], part: str, file: Path) -> Measured:
    """A part of `mlqa.json`: G-XLT by "context-question", SQuAD by column, others by language."""
    if part not in table:
        raise DataError(f"{file} has no {part}; found: {one_of(map(str, table))}")
    found = table[part]
    try:
        if part == "gxlt":
            return {f"{row['context']}-{row['question']}": row for row in found["pairs"]}
        if part == "squad":
            return {_SQUAD[name]: values for name, values in found.items()}
        if part == "lengths":
            return {lang: of_units["words"] for lang, of_units in found.items()}
        return dict(found)
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{file} is not an mlqa.json of xorqa mlqa: {error!r}") from error


def _of_lareqa(table: Mapping[str, Any], part: str, file: Path) -> Measured:
    """`lareqa.json`, whose values are shares: of the first encoder.

    The mean of a pool is that over questions (Equation 1 of Roy et al. 2020), if the file has it.
    """
    try:
        per_language = table["per language"]
        by_lang = {
            lang: {name: 100 * values[lang] for name, values in per_language.items()}
            for lang in table["counts"]
        }
        mean = {name: 100 * table[name] for name in per_language if name in table}
    except (AttributeError, KeyError, TypeError) as error:
        raise DataError(f"{file} is not a lareqa.json of xorqa lareqa: {error!r}") from error
    if part != "pools":
        return {**by_lang, MEAN: mean}
    if (pool := _POOLS.get(frozenset(by_lang))) is None:
        raise DataError(
            f"{file} is of {one_of(by_lang)}, which are the languages of none of the paper's pools"
        )
    of_questions = table.get("over questions", {})
    return {pool: {name: 100 * of_questions.get(name, mean[name] / 100) for name in mean}}
