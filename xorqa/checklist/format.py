"""A language's checklist, `checklists/fi.toml`: words with their forms, tests, templates.

docs/checklists.md explains the format. Reading checks its shape; `lint` what comes out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.config import read_toml
from ..core.errors import DataError, one_of
from .placeholders import Placeholder, Word, parse
from .shape import as_list, as_table, as_text, as_texts, check_keys

TYPES = ("MFT", "INV", "DIR")
_HEAD = {"lang", "name", "script", "articles", "asides", "unsure"}
_TEST = {"name", "capability", "type", "slots", "templates"}

Column = tuple[str, str]
"""A slot and one of its word's columns."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, first as it is asked, then in other words, and its right answers."""

    texts: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Contexts and questions that fit the words that `only` lets through."""

    contexts: tuple[str, ...]
    questions: tuple[Ask, ...]
    only: Mapping[Column, tuple[str, ...]]

    def takes(self, words: Mapping[str, Word]) -> bool:
        """Does the template fit these words?"""
        return all(words[slot].form(form) in some for (slot, form), some in self.only.items())


@dataclass(frozen=True, slots=True)
class Test:
    """One test. `slots` maps placeholders to word lists."""

    name: str
    capability: str
    type: str
    slots: Mapping[str, str]
    templates: tuple[Template, ...]
    same: tuple[tuple[Column, Column], ...]
    differ: tuple[tuple[Column, Column], ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """All tests of one language. `words` maps a list's name to its words by id."""

    lang: str
    name: str
    script: str
    articles: tuple[str, ...]
    asides: tuple[str, ...]
    unsure: tuple[str, ...]
    words: Mapping[str, Mapping[str, Word]]
    tests: tuple[Test, ...]
    path: Path


def read_checklist(path: Path) -> Checklist:
    """A file's checklist.

    Raises:
        ConfigError: if the file is missing or not TOML.
        DataError: naming file, test and placeholder of what is not as the format wants it.
    """
    table = read_toml(path)
    lang = str(table.get("lang", "?"))
    try:
        check_keys(table, needed=_HEAD | {"words", "tests"})
        lists = as_table(table["words"], "words")
        words = {name: _words(name, rows) for name, rows in lists.items()}
        tests = tuple(_test(row, words) for row in as_list(table["tests"], "tests"))
        return Checklist(
            lang=as_text(table["lang"], "lang"),
            name=as_text(table["name"], "name"),
            script=as_text(table["script"], "script"),
            articles=as_texts(table["articles"], "articles"),
            asides=as_texts(table["asides"], "asides"),
            unsure=as_texts(table["unsure"], "unsure"),
            words=words,
            tests=tests,
            path=path,
        )
    except DataError as error:
        raise DataError(f"{path} ({lang}): {error}") from error


def _words(name: str, rows: Any) -> dict[str, Word]:
    where = f"words.{name}"
    rows = dict(as_table(rows, where))
    if "forms" not in rows:
        raise DataError(f"{where}: lacks forms = [...], the names of its columns")
    forms = as_texts(rows.pop("forms"), f"{where}.forms")
    if not forms or not rows or len(set(forms)) < len(forms):
        raise DataError(f"{where}: needs columns with names of their own, and words")
    words = {}
    for key, value in rows.items():
        values = as_texts(value, f"{where}: '{key}'")
        if len(values) != len(forms):
            raise DataError(f"{where}: '{key}' has {len(values)} forms, not {', '.join(forms)}")
        words[key] = Word(key, dict(zip(forms, values, strict=True)), values[0])
    return words


def _test(table: Any, words: Mapping[str, Mapping[str, Word]]) -> Test:
    name = str(as_table(table, "tests").get("name", "without a name"))
    where = f"test '{name}'"
    try:
        check_keys(table, needed=_TEST, allowed={"same", "differ"})
        if table["type"] not in TYPES:
            raise DataError(f"type must be one of {one_of(TYPES)}, not {table['type']!r}")
        slots = {slot: str(kind) for slot, kind in as_table(table["slots"], "slots").items()}
        columns = {slot: _columns(slot, kind, words) for slot, kind in slots.items()}
        rows = as_list(table["templates"], "templates")
        if not rows:
            raise DataError("has no templates")
        return Test(
            name,
            as_text(table["capability"], "capability"),
            table["type"],
            slots,
            tuple(_template(row, columns) for row in rows),
            _pairs(table.get("same", []), "same", columns),
            _pairs(table.get("differ", []), "differ", columns),
        )
    except DataError as error:
        raise DataError(f"{where}: {error}") from error


def _columns(slot: str, kind: str, words: Mapping[str, Mapping[str, Word]]) -> set[str]:
    if kind not in words:
        raise DataError(f"slot '{slot}': no word list '{kind}'; there are: {one_of(words)}")
    return {"", "id", *next(iter(words[kind].values())).forms}


def _template(table: Any, columns: Mapping[str, set[str]]) -> Template:
    check_keys(as_table(table, "template"), needed={"contexts", "questions"}, allowed={"only"})
    contexts = as_texts(table["contexts"], "contexts")
    questions = []
    for row in as_list(table["questions"], "questions"):
        check_keys(as_table(row, "question"), needed={"ask", "answer"})
        questions.append(Ask(as_texts(row["ask"], "ask"), as_texts(row["answer"], "answer")))
    only = {}
    for key, some in as_table(table.get("only", {}), "only").items():
        slot, _, form = key.partition(".")
        only[_known(slot, form or "id", columns, f"only '{key}'")] = as_texts(some, f"only '{key}'")
    for text in (*contexts, *(text for ask in questions for text in (*ask.texts, *ask.answers))):
        for part in parse(text):
            if isinstance(part, Placeholder):
                for slot, form in part.used:
                    _known(slot, form, columns, f"placeholder {part.source}")
    if not contexts or not all(ask.texts and ask.answers for ask in questions):
        raise DataError("a template needs contexts, and questions with answers")
    return Template(contexts, tuple(questions), only)


def _pairs(
    value: Any, key: str, columns: Mapping[str, set[str]]
) -> tuple[tuple[Column, Column], ...]:
    pairs = []
    for row in as_list(value, key):
        names = [name.partition(".") for name in as_texts(row, key)]
        if len(names) != 2 or not all(form for *_, form in names):
            raise DataError(f"{key}: write pairs such as ['a.agr', 'b.agr'], not {row!r}")
        one, two = (_known(slot, form, columns, key) for slot, _, form in names)
        pairs.append((one, two))
    return tuple(pairs)


def _known(slot: str, form: str, columns: Mapping[str, set[str]], where: str) -> Column:
    if slot not in columns:
        raise DataError(f"{where}: no slot '{slot}'; there are: {one_of(columns)}")
    if form not in columns[slot]:
        raise DataError(
            f"{where}: '{slot}' has no column '{form}'; there are: {one_of(columns[slot] - {''})}"
        )
    return slot, form
