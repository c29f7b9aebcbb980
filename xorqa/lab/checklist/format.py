"""Read a language's checklist, `checklists/fi.toml`: words with their forms, tests, templates.

docs/checklists.md explains the format. Reading checks the format; `lint` checks the cases.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ...core.config import read_toml
from ...core.errors import DataError, one_of
from ...core.validation import Validator
from .placeholders import Placeholder, Word, parse

Strings = str | tuple[str, ...]
"""A list of strings, or one string, which is a list of length 1."""

Column = tuple[str, str]
"""A slot, and a column of its word list."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, its paraphrases, and its right answers."""

    texts: tuple[str, ...]
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Template:
    """Contexts and questions, for the words that `only` accepts."""

    contexts: tuple[str, ...]
    questions: tuple[Ask, ...]
    only: Mapping[Column, tuple[str, ...]]

    def accepts(self, words: Mapping[str, Word]) -> bool:
        """Whether the template accepts these words."""
        return all(words[slot].form(form) in values for (slot, form), values in self.only.items())


@dataclass(frozen=True, slots=True)
class Test:
    """A test; `slots` maps placeholders to word lists."""

    name: str
    capability: str
    type: str
    slots: Mapping[str, str]
    templates: tuple[Template, ...]
    same: tuple[tuple[Column, Column], ...]
    differ: tuple[tuple[Column, Column], ...]


@dataclass(frozen=True, slots=True)
class Checklist:
    """All tests of a language; `words` maps a word list's name to its words by id."""

    lang: str
    name: str
    script: str
    articles: tuple[str, ...]
    asides: tuple[str, ...]
    unsure: tuple[str, ...]
    words: Mapping[str, Mapping[str, Word]]
    tests: tuple[Test, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class _QuestionTable:
    ask: Strings
    answer: Strings


@dataclass(frozen=True, slots=True)
class _TemplateTable:
    contexts: Strings
    questions: tuple[_QuestionTable, ...]
    only: Mapping[str, Strings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _TestTable:
    name: str
    capability: str
    type: Literal["MFT", "INV", "DIR"]
    slots: Mapping[str, str]
    templates: tuple[_TemplateTable, ...]
    same: tuple[tuple[str, ...], ...] = ()
    differ: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _File:
    """A file's tables, before their references to each other are checked."""

    lang: str
    name: str
    script: str
    articles: Strings
    asides: Strings
    unsure: Strings
    words: Mapping[str, Mapping[str, Strings]]
    tests: tuple[_TestTable, ...]


def read_checklist(path: Path) -> Checklist:
    """Read a checklist.

    Raises:
        ConfigError: if the file is missing or not TOML.
        DataError: if it violates the format; the message names file, test and placeholder.
    """
    table = read_toml(path)
    where = f"{path} ({table.get('lang', '?')}):"
    file = Validator(DataError, "key").fill(_File, table, where=where)
    try:
        words = {name: _words(name, rows) for name, rows in file.words.items()}
        return Checklist(
            lang=file.lang,
            name=file.name,
            script=file.script,
            articles=_strings(file.articles),
            asides=_strings(file.asides),
            unsure=_strings(file.unsure),
            words=words,
            tests=tuple(_test(test, words) for test in file.tests),
            path=path,
        )
    except DataError as error:
        raise DataError(f"{where} {error}") from error


def _strings(value: Strings) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _words(name: str, rows: Mapping[str, Strings]) -> dict[str, Word]:
    where = f"words {name}"
    if "forms" not in rows:
        raise DataError(f"{where} needs the key 'forms', with the names of its columns")
    forms = _strings(rows["forms"])
    if not forms or len(rows) == 1 or len(set(forms)) < len(forms):
        raise DataError(f"{where} needs columns with different names, and words")
    words = {}
    for key, value in rows.items():
        values = _strings(value)
        if len(values) != len(forms):
            raise DataError(f"{where} {key} has {len(values)} forms, not {', '.join(forms)}")
        if key != "forms":
            words[key] = Word(key, dict(zip(forms, values, strict=True)), values[0])
    return words


def _test(table: _TestTable, words: Mapping[str, Mapping[str, Word]]) -> Test:
    try:
        columns = {slot: _columns(slot, kind, words) for slot, kind in table.slots.items()}
        if not table.templates:
            raise DataError("has no templates")
        return Test(
            table.name,
            table.capability,
            table.type,
            table.slots,
            tuple(_template(row, columns) for row in table.templates),
            _pairs(table.same, "same", columns),
            _pairs(table.differ, "differ", columns),
        )
    except DataError as error:
        raise DataError(f"test '{table.name}': {error}") from error


def _columns(slot: str, kind: str, words: Mapping[str, Mapping[str, Word]]) -> set[str]:
    if kind not in words:
        raise DataError(f"slot '{slot}': no word list '{kind}'; valid: {one_of(words)}")
    return {"", "id", *next(iter(words[kind].values())).forms}


def _template(table: _TemplateTable, columns: Mapping[str, set[str]]) -> Template:
    contexts = _strings(table.contexts)
    questions = tuple(Ask(_strings(row.ask), _strings(row.answer)) for row in table.questions)
    only = {}
    for key, values in table.only.items():
        slot, _, form = key.partition(".")
        only[_column(slot, form or "id", columns, f"only '{key}'")] = _strings(values)
    _check_placeholders(
        (*contexts, *(text for ask in questions for text in (*ask.texts, *ask.answers))), columns
    )
    if not contexts or not all(ask.texts and ask.answers for ask in questions):
        raise DataError("a template needs contexts, and questions with answers")
    return Template(contexts, questions, only)


def _check_placeholders(texts: Iterable[str], columns: Mapping[str, set[str]]) -> None:
    for text in texts:
        for part in parse(text):
            if isinstance(part, Placeholder):
                for slot, form in part.used:
                    _column(slot, form, columns, f"placeholder {part.source}")


def _pairs(
    rows: Sequence[Sequence[str]], key: str, columns: Mapping[str, set[str]]
) -> tuple[tuple[Column, Column], ...]:
    pairs = []
    for row in rows:
        names = [name.partition(".") for name in row]
        if len(names) != 2 or not all(form for *_, form in names):
            raise DataError(f"{key}: write pairs such as ['a.agr', 'b.agr'], not {list(row)}")
        first, second = (_column(slot, form, columns, key) for slot, _, form in names)
        pairs.append((first, second))
    return tuple(pairs)


def _column(slot: str, form: str, columns: Mapping[str, set[str]], where: str) -> Column:
    if slot not in columns:
        raise DataError(f"{where}: no slot '{slot}'; valid: {one_of(columns)}")
    if form not in columns[slot]:
        raise DataError(
            f"{where}: '{slot}' has no column '{form}'; valid: {one_of(columns[slot] - {''})}"
        )
    return slot, form
