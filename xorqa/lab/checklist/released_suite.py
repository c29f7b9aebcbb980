"""MultiCheckList's released suites, with their names of persons (Ruder et al. 2021, appendix F).

The authors save a suite as `LANG_squad_suite.pkl`, by `TestSuite.save` of the package `checklist`.
A pickle may hold code, so nothing that the file names is imported or called: every object of it
becomes a plain record here. `LANG_squad_suite.json` beside it lacks answers and names of tests.
"""

import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...core.errors import DataError, one_of
from ...core.lang import ISO_639_1
from .official_cases import NAMES
from .suite import Case, Example

ID_PREFIX = "released/"
"""The prefix of these cases' ids."""
PATTERN = "*_squad_suite.pkl"

_NAME = re.compile(r"([a-z]{2})_squad_suite\.pkl")
_MOST_BYTES = 1 << 28
_TESTS = dict(
    zip(
        (
            "A is COMP than B. Who is more / less COMP?",
            "Intensifiers (very, super, extremely) and reducers (somewhat, kinda, etc)?",
            "size, shape, age, color",
            "Profession vs nationality",
            "Animal vs Vehicle",
            "Animal vs Vehicle v2",
        ),
        NAMES,
        strict=True,
    )
)
"""The suites' names of tests to those of xorqa."""


class _Record:
    """Any object of a pickle: its state, and the items of a mapping."""

    def __init__(self, *_: object, **__: object) -> None:
        self.state: object = None
        self.items: dict[Any, Any] = {}

    def __new__(cls, *_: object, **__: object) -> "_Record":
        record = super().__new__(cls)
        record.state, record.items = None, {}
        return record

    def __call__(self, *_: object, **__: object) -> "_Record":
        return _Record()

    def __setstate__(self, state: object) -> None:
        self.state = state

    def __setitem__(self, key: Any, value: object) -> None:
        self.items[key] = value

    def append(self, _: object) -> None:
        """Take an item of a list of another class, which is not needed."""

    def extend(self, _: object) -> None:
        """Take items of a list of another class, which are not needed."""

    def add(self, _: object) -> None:
        """Take an item of a set of another class, which is not needed."""


def _type(*_: object, **__: object) -> type[_Record]:
    """In place of dill's functions that return a class."""
    return _Record


_OF_TYPES = ("_create_type", "_load_type")


class _Unpickler(pickle.Unpickler):
    """Reads every object as a `_Record`, and imports nothing."""

    def find_class(self, _: str, name: str) -> Any:
        return _type if name in _OF_TYPES else _Record


def read_released(path: Path, articles: Mapping[str, tuple[str, ...]]) -> list[Case]:
    """Read a released suite; its language is the first two letters of its name.

    Args:
        path: `LANG_squad_suite.pkl`.
        articles: language to the articles that the scorer `exact` strips.

    Raises:
        DataError: for another name or another layout.
    """
    named = _NAME.fullmatch(path.name)
    if not named or named[1] not in ISO_639_1:
        raise DataError(f"{path} must be called LANG_squad_suite.pkl, such as fi_squad_suite.pkl")
    lang = named[1]
    suite = _state(_unpickled(path), path)
    tests = suite.get("tests")
    if not isinstance(tests, _Record) or not tests.items:
        raise DataError(f"{path} is not a suite of the package checklist: it has no tests")
    if unknown := [str(name) for name in tests.items if name not in _TESTS]:
        raise DataError(f"{path} has tests that are not MultiCheckList's: {one_of(unknown)}")
    return [
        Case(
            f"{ID_PREFIX}{lang}/{_TESTS[name]}/{number:03}".replace(" ", "-"),
            lang,
            _TESTS[name],
            str(_state(test, path).get("capability") or "").lower(),
            "MFT",
            articles.get(lang, ()),
            examples,
        )
        for name, test in tests.items.items()
        for number, examples in enumerate(_examples(_state(test, path), f"{path}, test '{name}'"))
    ]


def _unpickled(path: Path) -> object:
    if path.stat().st_size > _MOST_BYTES:
        raise DataError(f"{path} has more than {_MOST_BYTES >> 20} MiB")
    try:
        with path.open("rb") as stream:
            return _Unpickler(stream).load()
    except (
        *(pickle.UnpicklingError, EOFError, AttributeError, LookupError, TypeError),
        *(ValueError, OverflowError, MemoryError, RecursionError),
    ) as error:
        raise DataError(f"{path} is not a pickled suite, or is damaged ({error})") from error


def _state(record: object, path: Path) -> Mapping[str, Any]:
    if not isinstance(record, _Record) or not isinstance(record.state, dict):
        raise DataError(f"{path} is not a suite of the package checklist")
    return record.state


def _examples(test: Mapping[str, Any], where: str) -> Iterator[tuple[Example, ...]]:
    """The examples of each case: pairs of a context and a question, and a label for each."""
    data, labels = test.get("data"), test.get("labels")
    if not isinstance(data, list) or not isinstance(labels, list) or len(data) != len(labels):
        raise DataError(f"{where}: needs a list of cases and as many lists of answers")
    for number, (pairs, answers) in enumerate(zip(data, labels, strict=True)):
        try:
            examples = tuple(
                Example(context, question, (answer,))
                for (context, question), answer in zip(pairs, answers, strict=True)
            )
        except (TypeError, ValueError) as error:
            raise DataError(f"{where}, case {number}: {error}") from error
        texts = [text for e in examples for text in (e.context, e.question, *e.answers)]
        if not examples or not all(isinstance(text, str) for text in texts):
            raise DataError(f"{where}, case {number}: contexts, questions and answers are texts")
        yield examples
