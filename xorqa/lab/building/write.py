"""Write annotation tasks as CSV for spreadsheets, JSONL, or Label Studio's JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import quoteattr

from ...core.errors import ConfigError, one_of
from ...io.files import csv_text, quote_cell, write_json, write_jsonl, write_text
from .tasks import FILLED, Task

FIXED = ("id", "round", "lang", "annotator")
Cells = Mapping[str, Mapping[str, str]]
"""What is filled in already, by task id and column; an annotator in "annotator"."""


def write_tasks(path: Path, tasks: Sequence[Task], filled: Cells | None = None) -> None:
    """Write tasks in the format of the path's suffix: .csv, .jsonl, or .json (Label Studio).

    Beside Label Studio's tasks is the labelling configuration of its project, with the suffix .xml.

    Raises:
        ConfigError: for another suffix, or cells that are filled in in Label Studio's format.
    """
    if path.suffix not in _WRITERS:
        raise ConfigError(
            f"{path} has no known suffix; valid: {one_of(_WRITERS)} (.json: Label Studio)"
        )
    _WRITERS[path.suffix](path, tasks, filled or {})


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV that spreadsheets open as UTF-8 and in which no cell is a formula."""
    return "\ufeff" + csv_text(map(quote_cell, row) for row in rows)


def columns(tasks: Iterable[Task]) -> list[str]:
    """The columns of a table of tasks: fixed ones, those shown, and those to fill in."""
    tasks = [*tasks]
    shown = dict.fromkeys(name for task in tasks for name in task.shown)
    used = {name for task in tasks for name in task.filled}
    return [*FIXED, *shown, *(name for name in FILLED if name in used)]


def _write_csv(path: Path, tasks: Sequence[Task], filled: Cells) -> None:
    names = columns(tasks)
    rows = [_row(task, filled) for task in tasks]
    write_text(path, table([names, *([row.get(name, "") for name in names] for row in rows)]))


def _write_jsonl(path: Path, tasks: Sequence[Task], filled: Cells) -> None:
    write_jsonl(path, [_row(task, filled) for task in tasks])


def _write_label_studio(path: Path, tasks: Sequence[Task], filled: Cells) -> None:
    if filled:
        raise ConfigError(f"{path}: Label Studio's tasks are exported empty; use .csv or .jsonl")
    shown = [name for name in columns(tasks) if name not in (*FIXED, *FILLED)]
    rows = [{"data": dict.fromkeys(shown, "") | _row(task, {})} for task in tasks]
    write_json(path, rows)
    write_text(path.with_suffix(".xml"), label_config(tasks))


def _row(task: Task, filled: Cells) -> dict[str, str]:
    row = {"id": task.id, "round": task.round, "lang": task.lang, "annotator": "", **task.shown}
    return row | dict.fromkeys(task.filled, "") | dict(filled.get(task.id, {}))


def label_config(tasks: Sequence[Task]) -> str:
    """The labelling configuration of a Label Studio project for tasks of one round.

    An answer is marked in a passage; question, verdict and free answers are forms below.
    """
    shown = [name for name in columns(tasks) if name not in (*FIXED, *FILLED)]
    passages = {name for task in tasks for name in task.passages}
    filled = {name for task in tasks for name in task.filled}
    lines = ["<View>", "  <Style>.htx-text { white-space: pre-wrap; }</Style>"]
    for name in shown:
        lines.append(f"  <Header value={quoteattr(name)}/>")
        lines.append(f"  <Text name={quoteattr(name)} value={quoteattr('$' + name)}/>")
        if name in passages:
            tag = f"<Labels name={quoteattr('answer_in_' + name)} toName={quoteattr(name)}>"
            lines.append(f'  {tag}<Label value="answer"/></Labels>')
    free = [*(["question"] if "question" in filled else [])]
    free += ["answer"] if "answer" in filled and not passages else []
    for name in free:
        lines.append(f"  <Header value={quoteattr('your ' + name)}/>")
        lines.append(f'  <TextArea name="{name}" toName={quoteattr(shown[0])} maxSubmissions="1"/>')
    for name, choices in _choices(tasks, filled).items():
        options = "".join(f"<Choice value={quoteattr(choice)}/>" for choice in choices)
        lines.append(f"  <Header value={quoteattr(name)}/>")
        lines.append(f'  <Choices name="{name}" toName={quoteattr(shown[0])}>{options}</Choices>')
    return "\n".join([*lines, "</View>", ""])


def _choices(tasks: Sequence[Task], filled: Iterable[str]) -> dict[str, list[str]]:
    """The forms with fixed options: closed answers with their passage, verdicts, impossible."""
    choices: dict[str, list[str]] = {}
    if any(task.closed for task in tasks):
        passages = dict.fromkeys(name for task in tasks for name in task.passages)
        choices |= {"answer": ["yes", "no"], "passage": [*passages]}
    if "verdict" in filled:
        choices["verdict"] = ["yes", "no"]
    if "impossible" in filled:
        choices["impossible"] = ["yes"]
    return choices


_WRITERS: Mapping[str, Callable[[Path, Sequence[Task], Cells], None]] = {
    ".csv": _write_csv,
    ".jsonl": _write_jsonl,
    ".json": _write_label_studio,
}
