"""Suites: cases with their examples, one JSON line per case."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...core.errors import DataError
from ...core.validation import Validator
from ...io.files import read_jsonl, write_jsonl

SUITE = Validator(DataError, "key")


@dataclass(frozen=True, slots=True)
class Example:
    """A question about a context, and its right answers.

    In an INV or DIR case, `of` is the index of the example that this one perturbs (None: this is
    an original), and `renamed` is how the answer must change: {"Anna": "Omar", "Omar": "Anna"} if
    the names are swapped, empty if it must not change.
    """

    context: str
    question: str
    answers: tuple[str, ...]
    of: int | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    in_context: tuple[str, ...] = ()
    """The answers in the context's language, if it differs from the question's."""


@dataclass(frozen=True, slots=True)
class Case:
    """Examples that pass or fail together; `articles` are stripped before answers are compared."""

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
        return [f"{self.id}/{number}" for number in range(len(self.examples))]


def write_suite(path: Path, cases: Iterable[Case]) -> None:
    """Write a case per line; empty values are left out."""
    write_jsonl(path, map(_row, cases))


def read_suite(path: Path) -> list[Case]:
    """Read a file written by `write_suite`.

    Raises:
        DataError: if the file is empty, or naming the malformed or repeated case.
    """
    cases: dict[str, Case] = {}
    for number, row in read_jsonl(path):
        case = _case(row, f"{path}, line {number}: the case")
        if case.id in cases:
            raise DataError(f"{path}, line {number}: case '{case.id}' occurs twice")
        cases[case.id] = case
    if not cases:
        raise DataError(f"{path} contains no cases")
    return list(cases.values())


def _row(case: Case) -> dict[str, Any]:
    row = asdict(case)
    row["examples"] = [
        {key: value for key, value in example.items() if value not in (None, (), {})}
        for example in row["examples"]
    ]
    return {key: value for key, value in row.items() if value != ""}


def _case(row: Mapping[str, Any], where: str) -> Case:
    case = SUITE.fill(Case, row, where=where)
    for number, example in enumerate(case.examples):
        if example.of is not None and not 0 <= example.of < number:
            raise DataError(
                f"{where}: example {number} perturbs {example.of}, which does not precede it"
            )
    if not case.examples:
        raise DataError(f"{where} has no examples")
    return case
