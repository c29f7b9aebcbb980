"""Check what annotators returned: every row is accepted, or reported with what is wrong."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ...core.text.detection import UNSURE, detect
from ...io.strict_json import as_text
from .anchor import anchor, occurrences, within
from .read import Quote, Row
from .tasks import FILLED, Annotation, Task

Kind = Literal[
    "broken row",
    "missing id",
    "unknown id",
    "two answers",
    "incomplete",
    "contradiction",
    "other language",
    "span not in passage",
    "outside the sentence",
    "unknown passage",
    "unknown verdict",
    "own answer",
    "not annotated",
    "no short answer",
    "repeated row",
    "changed id",
    "changed text",
    "moved span",
    "first of several spans",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
NOTES: frozenset[Kind] = frozenset(KINDS[KINDS.index("not annotated") :])
"""The kinds whose rows are accepted, or say nothing; those of the others are left out."""

_YES = frozenset({"yes", "y", "true", "1", "x"})
_NO = frozenset({"no", "n", "false", "0"})
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_SEVERAL = re.compile(r"\n|\s*[|;]\s*")


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A problem of a row: the file, the place in it, the task's id, and the row as it was."""

    kind: Kind
    file: str
    where: str
    id: str
    detail: str
    raw: Any = None

    @property
    def is_error(self) -> bool:
        """Whether the row was left out."""
        return self.kind not in NOTES


class _Refused(Exception):
    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind: Kind = kind


def check_rows(
    rows: Iterable[Row], tasks: Mapping[str, Task], *, any_language: bool = False
) -> tuple[list[Annotation], list[RowProblem]]:
    """The valid annotations, and the problems of all rows.

    `any_language` accepts questions that are detected to be in another language.
    """
    problems: list[RowProblem] = []
    valid: dict[tuple[str, str], list[tuple[Row, Annotation]]] = {}
    by_key = _recoverable(tasks)
    for row in rows:
        notes: list[tuple[Kind, str]] = []
        try:
            task = _task(row, tasks, by_key, notes)
            annotation = _annotation(row, task, notes, any_language=any_language)
            valid.setdefault((task.id, annotation.annotator), []).append((row, annotation))
        except _Refused as refusal:
            notes.append((refusal.kind, str(refusal)))
        problems += [_problem(kind, row, detail) for kind, detail in notes]
    accepted = []
    for of_task in valid.values():
        first_row, annotation = of_task[0]
        if any(other != annotation for _, other in of_task):
            detail = f"{annotation.annotator} has {len(of_task)} different rows for this task"
            problems += [_problem("two answers", row, detail) for row, _ in of_task]
            continue
        accepted.append(annotation)
        detail = f"is the same as {first_row.file}, {first_row.where}"
        problems += [_problem("repeated row", row, detail) for row, _ in of_task[1:]]
    return accepted, problems


def _problem(kind: Kind, row: Row, detail: str) -> RowProblem:
    return RowProblem(kind, row.file, row.where, row.cells.get("id", ""), detail, row.raw)


def _key(name: str) -> str:
    """An id as a spreadsheet may leave it: without leading zeros, spaces and capitals."""
    return _ZEROS.sub("", "".join(name.lower().split()))


def _recoverable(tasks: Mapping[str, Task]) -> dict[str, str]:
    """The ids that a changed id can only stand for, by key."""
    by_key: dict[str, list[str]] = {}
    for name in tasks:
        by_key.setdefault(_key(name), []).append(name)
    return {key: names[0] for key, names in by_key.items() if len(names) == 1}


def _task(
    row: Row, tasks: Mapping[str, Task], by_key: Mapping[str, str], notes: list[tuple[Kind, str]]
) -> Task:
    if row.broken:
        raise _Refused("broken row", row.broken)
    task_id = row.cells.get("id", "").strip()
    if not task_id:
        raise _Refused("missing id", "has no id")
    if task_id in tasks:
        return tasks[task_id]
    if (name := by_key.get(_key(task_id))) is None:
        raise _Refused("unknown id", f"no task has the id '{task_id:.40}'")
    notes.append(("changed id", f"'{task_id:.40}' was read as '{name}'"))
    return tasks[name]


def _annotation(
    row: Row, task: Task, notes: list[tuple[Kind, str]], *, any_language: bool
) -> Annotation:
    cells = {name: row.cells.get(name, "").strip() for name in (*FILLED, "annotator")}
    if not row.quotes and not any(cells[name] for name in FILLED):
        raise _Refused("not annotated", "nothing is filled in")
    annotator = cells["annotator"] or row.file.partition(".")[0]
    if annotator in task.not_by:
        raise _Refused("own answer", f"{annotator} may not verify an answer of their own")
    notes += [
        ("changed text", f"'{name}' differs from what was exported, which counts")
        for name, text in task.shown.items()
        if name in row.cells and row.cells[name].split() != text.split()
    ]
    if cells["impossible"].lower() in _YES and "impossible" in task.filled:
        question = cells["question"]
        translates = bool(task.question_lang) and "source_question" in task.shown
        if row.quotes or (question and not translates):
            raise _Refused("contradiction", "is marked impossible, but has an answer or a question")
        if question:
            question = _question(question, task, any_language=any_language)
        return Annotation(task.id, annotator, question=question, impossible=True)
    values: dict[str, Any] = {}
    if "verdict" in task.filled:
        values["verdict"] = _verdict(cells["verdict"])
    if "question" in task.filled:
        values["question"] = _question(cells["question"], task, any_language=any_language)
    if task.long and not row.quotes and cells["passage"]:
        column = _column(Quote("", passage=cells["passage"]), task)
        notes.append(("no short answer", f"'{column}' is a long answer without a short one"))
        values["passage"] = task.passages[column]
    elif "answer" in task.filled and (row.quotes or "verdict" not in task.filled):
        if values.get("verdict") == "yes":
            raise _Refused("contradiction", "confirms the answer, but has another one")
        values |= _answer(row.quotes, task, notes)
    return Annotation(task.id, annotator, **values)


def _verdict(text: str) -> str:
    word = text.lower()
    if word not in _YES | _NO:
        raise _Refused("unknown verdict", f"the verdict is '{text:.40}', not yes or no")
    return "yes" if word in _YES else "no"


def _question(text: str, task: Task, *, any_language: bool) -> str:
    if not text:
        raise _Refused("incomplete", "has no question")
    detected = detect(text)
    if detected.probability >= UNSURE and detected.lang != task.question_lang and not any_language:
        raise _Refused("other language", f"the question is {detected}, not in {task.question_lang}")
    return " ".join(text.split())


def _answer(quotes: Sequence[Quote], task: Task, notes: list[tuple[Kind, str]]) -> dict[str, Any]:
    """The answer, and its passage and offset if it is marked in one."""
    if not quotes:
        raise _Refused("incomplete", "has no answer")
    if len(quotes) > 1:
        texts = ", ".join(f"'{quote.text:.40}'" for quote in quotes)
        raise _Refused("two answers", f"has {len(quotes)} answers: {texts}")
    [quote] = quotes
    if not task.passages:
        return {"answer": as_text(quote.text).strip()}
    column = _column(quote, task)
    if task.closed and quote.text.lower() in ("yes", "no"):
        return {"answer": quote.text.lower(), "passage": task.passages[column]}
    text = task.shown[column]
    anchored = anchor(text, quote.text, quote.start, task.sentence)
    if anchored is None:
        raise _absent(quote.text, column, text)
    if task.strict and not within(anchored.span, task.sentence):
        raise _Refused("outside the sentence", f"'{quote.text:.40}' is not in the sentence")
    if anchored.moved:
        detail = f"'{quote.text:.40}' is at {anchored.span.start}, not at {quote.start:.20}"
        notes.append(("moved span", detail))
    if anchored.guessed:
        detail = f"'{quote.text:.40}' occurs again; the first occurrence counts"
        notes.append(("first of several spans", detail))
    answer = text[anchored.span.start : anchored.span.end]
    return {"answer": answer, "passage": task.passages[column], "start": anchored.span.start}


def _absent(quote: str, column: str, text: str) -> _Refused:
    """The refusal of an answer that its passage does not contain."""
    parts = [part for part in _SEVERAL.split(quote) if part]
    if len(parts) > 1 and all(occurrences(text, part) for part in parts):
        return _Refused("two answers", f"has {len(parts)} answers: '{quote:.60}'")
    hint = "; a spreadsheet may have rewritten it" if any(map(str.isdigit, quote)) else ""
    return _Refused("span not in passage", f"'{quote:.40}' is not in '{column}'{hint}")


def _column(quote: Quote, task: Task) -> str:
    """The column of the passage that an answer is marked in."""
    names = [*task.passages]
    passage = quote.passage.strip()
    if len(names) == 1 and not passage:
        return names[0]
    for name, docid in task.passages.items():
        if passage and passage in (name, docid, name.rpartition("_")[2]):
            return name
    if passage:
        raise _Refused("unknown passage", f"no passage is called '{passage:.40}'")
    containing = [name for name in names if occurrences(task.shown[name], quote.text)]
    if len(containing) != 1:
        raise _Refused("unknown passage", f"does not say which passage has '{quote.text:.40}'")
    return containing[0]
