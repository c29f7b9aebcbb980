"""Questions with retrieved passages, in the layout of DPR's `dense_retriever` and of Pyserini.

A file is a list of `{"question", "answers", "ctxs": [{"title", "text"}, ...]}`; JSONL has one
object per line. Other keys, such as `has_answer`, are not used.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....core.errors import DataError
from ....io.files import read_json, read_jsonl
from ....io.strict_json import as_text, as_texts


@dataclass(frozen=True, slots=True)
class RetrievedQuestion:
    """A question, its answers, and (title, text) of its passages, best first."""

    question: str
    answers: tuple[str, ...]
    passages: tuple[tuple[str, str], ...]


def read_retrieved(path: Path) -> Iterator[RetrievedQuestion]:
    """The questions of a file, in its order.

    Raises:
        DataError: naming the question of another layout.
    """
    rows: Iterable[tuple[int, Any]]
    if path.suffix == ".jsonl":
        rows = read_jsonl(path)
    else:
        table = read_json(path)
        if not isinstance(table, list):
            raise DataError(f"{path} is not a list of questions with ctxs")
        rows = enumerate(table, 1)
    for number, row in rows:
        try:
            yield _question(row)
        except (AttributeError, KeyError, TypeError) as error:
            raise DataError(
                f"{path}, question {number}: needs question, answers and ctxs with title and text "
                f"({error!r:.80})"
            ) from error


def _question(row: Mapping[str, Any]) -> RetrievedQuestion:
    passages = tuple((as_text(c.get("title", "")), as_text(c["text"])) for c in row["ctxs"])
    return RetrievedQuestion(as_text(row["question"]), as_texts(row["answers"]), passages)
