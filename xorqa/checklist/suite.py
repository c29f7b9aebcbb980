"""A suite: cases with their examples, one JSON line a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..io.files import read_jsonl, write_jsonl


@dataclass(frozen=True, slots=True)
class Example:
    """A question about a context, and its right answers.

    In an INV or DIR case, `of` is the place of the example that this one was made from (None:
    of none), and `renamed` says how the answer must change: {"Anna": "Omar", "Omar": "Anna"}
    where the names change places, nothing where it must stay.
    """

    context: str
    question: str
    answers: tuple[str, ...]
    of: int | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    in_context: tuple[str, ...] = ()
    """The answers as the context says them, where it is in another language."""


@dataclass(frozen=True, slots=True)
class Case:
    """Examples that pass or fail together. `articles` are stripped before answers are compared."""

    id: str
    lang: str
    test: str
    capability: str
    type: str
    articles: tuple[str, ...]
    examples: tuple[Example, ...]
    context_lang: str = ""

    def qids(self) -> list[str]:
        """The ids of its examples, as prediction files name them."""
        return [f"{self.id}/{at}" for at in range(len(self.examples))]


def write_suite(path: Path, cases: Iterable[Case]) -> None:
    """One case a line; what is empty is left out."""
    write_jsonl(path, map(_row, cases))


def read_suite(path: Path) -> list[Case]:
    """What `write_suite` wrote.

    Raises:
        DataError: naming the line that is no case, or repeats one; or if there is none.
    """
    cases: dict[str, Case] = {}
    for number, row in read_jsonl(path):
        try:
            case = _case(row)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path}, line {number}: not a case: {error!r}") from error
        if case.id in cases:
            raise DataError(f"{path}, line {number}: case '{case.id}' occurs twice")
        cases[case.id] = case
    if not cases:
        raise DataError(f"{path} holds no cases")
    return list(cases.values())


def _row(case: Case) -> dict[str, Any]:
    row = asdict(case)
    row["examples"] = [
        {key: value for key, value in example.items() if value not in (None, (), {})}
        for example in row["examples"]
    ]
    return {key: value for key, value in row.items() if value != ""}


def _case(row: Mapping[str, Any]) -> Case:
    examples = tuple(map(_example, row["examples"]))
    for at, example in enumerate(examples):
        if example.of is not None and not 0 <= example.of < at:
            raise ValueError(f"example {at} comes of {example.of}, which does not stand before it")
    if not examples:
        raise ValueError("no examples")
    return Case(
        id=str(row["id"]),
        lang=str(row["lang"]),
        test=str(row["test"]),
        capability=str(row["capability"]),
        type=str(row["type"]),
        articles=tuple(map(str, row["articles"])),
        examples=examples,
        context_lang=str(row.get("context_lang", "")),
    )


def _example(row: Mapping[str, Any]) -> Example:
    return Example(
        str(row["context"]),
        str(row["question"]),
        tuple(map(str, row["answers"])),
        None if row.get("of") is None else int(row["of"]),
        dict(row.get("renamed", {})),
        tuple(row.get("in_context", ())),
    )
