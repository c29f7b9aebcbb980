"""Read what annotators filled in: CSV (from any spreadsheet), JSONL, or Label Studio's JSON."""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError, one_of
from ...io.encodings import decode
from ...io.files import read_json, read_jsonl, unquote_cell

_DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Quote:
    """An answer as marked: its text, its offset as text ("" without one), and its passage."""

    text: str
    start: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One annotation as it is in a file; `cells` are texts by column, `broken` what is wrong."""

    file: str
    where: str
    cells: Mapping[str, str]
    quotes: tuple[Quote, ...] = ()
    broken: str = ""
    raw: Any = field(default=None, compare=False)


def read_rows(path: Path) -> list[Row]:
    """Read a file of annotations in the format of its suffix: .csv, .tsv, .jsonl or .json.

    Every row is returned; one that cannot be understood is `broken`.

    Raises:
        ConfigError: for another suffix.
        DataError: if the file cannot be read at all.
    """
    if path.suffix not in _READERS:
        raise ConfigError(
            f"{path} has no known suffix; valid: {one_of(_READERS)} (.json: Label Studio)"
        )
    return [*_READERS[path.suffix](path)]


def _read_csv(path: Path) -> Iterator[Row]:
    """Rows of a table; byte order marks, separators and a first line `sep=;` are understood."""
    try:
        text = decode(path.read_bytes(), path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep="):
        text, first = rest, rest.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if "id" not in names:
            raise DataError(f"{path} has no column 'id' in its first row")
        for number, row in enumerate(rows, 2):
            if any(map(str.strip, row)):
                yield _table_row(path, number, names, row)
    except csv.Error as error:
        raise DataError(f"{path}, line {rows.line_num}: {error}") from error


def _table_row(path: Path, number: int, names: list[str], row: list[str]) -> Row:
    cells = {
        name: unquote_cell(cell.strip()) for name, cell in zip(names, row, strict=False) if name
    }
    extra = [cell for cell in row[len(names) :] if cell.strip()]
    broken = f"has {len(row)} cells below {len(names)} column names" if extra else ""
    return Row(path.name, f"row {number}", cells, _quotes(cells), broken, raw=row)


def _read_jsonl(path: Path) -> Iterator[Row]:
    for number, row in read_jsonl(path):
        where, answer = f"line {number}", row.get("answer")
        several = answer if isinstance(answer, list) else []
        wrong = [
            name
            for name, value in row.items()
            if isinstance(value, dict | float) or (isinstance(value, list) and name != "answer")
        ]
        wrong += ["answer"] * any(not isinstance(text, str | int) for text in several)
        cells = {
            str(name): _cell(value)
            for name, value in row.items()
            if name not in wrong and not isinstance(value, list)
        }
        quotes = _quotes(cells)
        if several and "answer" not in wrong:
            quotes = tuple(Quote(_cell(text)) for text in several)
        broken = f"'{wrong[0]}' is not a text" if wrong else ""
        yield Row(path.name, where, cells, quotes, broken, raw=row)


def _quotes(cells: Mapping[str, str]) -> tuple[Quote, ...]:
    """The answer in the cells of a row."""
    text = cells.get("answer", "")
    quote = Quote(text, cells.get("start", ""), cells.get("passage", ""))
    return (quote,) if text else ()


def _cell(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "yes" if value else ""
    return value.strip() if isinstance(value, str) else str(value)


def _read_label_studio(path: Path) -> Iterator[Row]:
    """A row per annotation of a task, from the export format JSON (not JSON-MIN)."""
    tasks = read_json(path)
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise DataError(f"{path} is not a list of Label Studio's tasks")
    if tasks and not any("annotations" in task for task in tasks):
        raise DataError(f"{path} has no 'annotations'; export it as JSON from Label Studio")
    for task_number, task in enumerate(tasks, 1):
        annotations = task.get("annotations", [])
        annotations = annotations if isinstance(annotations, list) else [annotations]
        for annotation_number, annotation in enumerate(annotations, 1):
            where = f"task {task_number}, annotation {annotation_number}"
            yield _label_studio_row(path, where, task.get("data"), annotation)


def _label_studio_row(path: Path, where: str, data: object, annotation: object) -> Row:
    shown = {str(k): _cell(v) for k, v in data.items()} if isinstance(data, dict) else {}
    raw = {"data": data, "annotation": annotation}
    try:
        if not isinstance(annotation, dict):
            raise TypeError("the annotation is not an object")
        cells = shown | {"annotator": _annotator(annotation.get("completed_by"))}
        if annotation.get("was_cancelled"):
            return Row(path.name, where, cells, broken="was skipped", raw=raw)
        quotes: list[Quote] = []
        for result in annotation["result"]:
            _add_result(result, cells, quotes)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        problem = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        return Row(path.name, where, shown, broken=problem, raw=raw)
    return Row(path.name, where, cells, tuple(quotes) or _quotes(cells), raw=raw)


def _add_result(result: Mapping[str, Any], cells: dict[str, str], quotes: list[Quote]) -> None:
    """Add a marked answer, a text or a choice of an annotation."""
    value, name = result["value"], str(result["from_name"])
    if result["type"] == "labels":
        start, shown = str(value.get("start", "")), _text(result["to_name"])
        quotes.append(Quote(_text(value["text"]), start, shown))
        return
    texts = value["choices" if result["type"] == "choices" else "text"]
    texts = [texts] if isinstance(texts, str) else texts
    if name == "answer" and len(texts) > 1:
        quotes += [Quote(_text(text)) for text in texts]
    else:
        cells[name] = _text(texts[0]).strip()


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value


def _annotator(by: object) -> str:
    """The annotator: Label Studio's number, or the email address of an extended export."""
    named = by.get("email") or by.get("id") if isinstance(by, dict) else by
    if isinstance(named, list | dict):
        raise TypeError(f"completed_by {named!r:.40} is not a number or an address")
    return _cell(named)


_READERS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".jsonl": _read_jsonl,
    ".json": _read_label_studio,
}
