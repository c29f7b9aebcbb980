"""A suite: cases with their examples, one JSON line per case."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import DataError
from ..io.files import read_jsonl, write_jsonl


@dataclass(frozen=True, slots=True)
class Example:
    """A question about a context, and its right answers.

    In an INV or DIR case, `of` is the index of the example that this one perturbs (None: it is
    an original), and `renamed` how the answer must change: {"Anna": "Omar", "Omar": "Anna"} if
    the names are swapped, empty if it must stay the same.
    """

    context: str
    question: str
    answers: tuple[str, ...]
    of: int | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    in_context: tuple[str, ...] = ()
    """The answers in the context's language, if that is another one."""


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
    """One case per line; empty values are left out."""
    write_jsonl(path, map(_row, cases))


def read_suite(path: Path) -> list[Case]:
    """Read a file of `write_suite`.

    Raises:
        DataError: naming a malformed or repeated case; or if the file is empty.
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
            raise ValueError(f"example {at} perturbs {example.of}, which does not precede it")
    if not examples:
        raise ValueError("no examples")
    return Case(
        **{name: str(row[name]) for name in ("id", "lang", "test", "capability", "type")},
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
