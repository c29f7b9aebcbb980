"""Files of per-question scores, which `xorqa run` and `xorqa eval` write for `xorqa compare`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.errors import DataError, one_of
from ..io.files import read_jsonl, write_jsonl
from ..io.strict_json import as_id, as_text
from .report import Score

FILE = "per_question.jsonl"
"""The name of the file in a run folder."""

Key = tuple[str, str]
"""Task and scorer."""


def write_scores(path: Path, scores: Mapping[Key, Sequence[Score]]) -> None:
    """Write a line per question, task and scorer; values are from 0 to 1."""
    lines = (
        {"task": task, "scorer": by, "lang": row.lang, "qid": row.qid, "values": dict(row.values)}
        for (task, by), rows in scores.items()
        for row in rows
    )
    write_jsonl(path, lines)


def read_scores(path: Path) -> dict[Key, list[Score]]:
    """Read what `write_scores` wrote.

    Raises:
        DataError: naming the line with another layout, other measures or a repeated question.
    """
    scores: dict[Key, dict[tuple[str, str], Score]] = {}
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
