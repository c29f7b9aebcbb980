"""Find features by name: those of `FEATURES`, Python functions, and files of (id, value)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...core.errors import ConfigError, DataError, one_of
from ...core.named import accepts, import_named
from ...io.files import read_fields
from .facts import QuestionFacts, Value
from .features import FEATURES, Feature
from .xtreme_r import AS_PRINTED, BUNDLE, XTREME_R


def find_features(names: Iterable[str], edges: Mapping[str, tuple[float, ...]]) -> list[Feature]:
    """The features of these names (all of `FEATURES` without names), with edges by feature.

    A name is one of `FEATURES` or `AS_PRINTED`; `BUNDLE` for XTREME-R's six;
    `my_package:function`, a function from `QuestionFacts` to a number, a text or None; or
    `name=values.tsv`, a file of (id, value).

    Raises:
        ConfigError: for an unknown feature, or edges of a feature that is not selected.
        DataError: for a file of another layout.
    """
    single = [part for name in names for part in (XTREME_R if name == BUNDLE else (name,))]
    selected = [_find(name) for name in single] or [*FEATURES.values()]
    by_name = {feature.name: feature for feature in selected}
    for name in edges:
        if name not in by_name:
            raise ConfigError(f"no feature is called '{name}'; valid: {one_of(by_name)}")
    return [replace(row, edges=edges.get(row.name, row.edges)) for row in by_name.values()]


def _find(name: str) -> Feature:
    if known := FEATURES.get(name) or AS_PRINTED.get(name):
        return known
    own, equals, path = name.partition("=")
    if equals:
        return from_file(own, Path(path))
    if ":" in name:
        return from_function(name)
    raise ConfigError(
        f"no feature is called '{name}'; valid: {one_of([*FEATURES, *AS_PRINTED, BUNDLE])}, "
        "my_package:function, or "
        "name=values.tsv"
    )


def from_function(name: str) -> Feature:
    """The feature that a function computes, named like the function."""
    function = import_named(name, {}, kind="feature")
    if not accepts(function, None):
        raise ConfigError(f"'{name}' is not a feature: it must map a question to a value or None")
    return Feature(name.rpartition(":")[2], f"your function {name}", _checked(function, name))


def from_file(name: str, path: Path) -> Feature:
    """The feature whose values a file gives: on each line an id and a value, with a tab between.

    The values are numbers if all of them are; an id without a value is in the bucket for missing
    values. The same id in several languages is the same question.

    Raises:
        ConfigError: for a name that is a feature's already, or empty.
        DataError: for another layout or a repeated id.
    """
    if not name or name in {*FEATURES, *AS_PRINTED, BUNDLE}:
        raise ConfigError(f"your feature needs a name of its own, not '{name}'")
    texts: dict[str, str] = {}
    for number, (qid, value) in enumerate(read_fields(path, 2, "an id and a value"), 1):
        if qid in texts:
            raise DataError(f"{path}, line {number}: id '{qid}' occurs twice")
        texts[qid] = value
    values: Mapping[str, Value] = _numbers(texts) or texts
    return Feature(name, f"values of {path}", lambda question: values.get(question.qid))


def _numbers(texts: Mapping[str, str]) -> dict[str, Value] | None:
    """The values as numbers, or None if one of them is not."""
    try:
        return {qid: float(text) for qid, text in texts.items()}
    except ValueError:
        return None


def _checked(function: Any, name: str) -> Callable[[QuestionFacts], Value]:
    def value_of(question: QuestionFacts) -> Value:
        value = function(question)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value is None or isinstance(value, str | int | float):
            return value
        raise ConfigError(
            f"feature '{name}' returned {value!r:.60} for question '{question.qid}'; it must "
            "return a number, a text or None"
        )

    return value_of
