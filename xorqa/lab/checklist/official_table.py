"""The official MultiCheckList templates (Ruder et al. 2021, XTREME-R): one table, 50 languages.

A row is a template or a fill-in, a column a language. A language that needs several forms has a
column for each, followed by a column `xx-placeholders` with its condition: the English fill-ins or
the English template with which the form is used.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from pathlib import Path

from ...core.errors import DataError
from ...core.lang import ENGLISH
from ...io.encodings import read_utf8
from ...io.files import unquote_cell

_WHEN = "-placeholders"
_TEMPLATES = ("Context", "Question", "Answer")
_SPACES = re.compile(r"\s+")
_ARTICLE = re.compile(r"^(a|an|the) ")

Keys = AbstractSet[str]


@dataclass(frozen=True, slots=True)
class Variant:
    """A form, and its condition: English fill-ins and templates (empty: always)."""

    text: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row: its English text and each language's variants."""

    english: str
    by_lang: Mapping[str, tuple[Variant, ...]]


@dataclass(slots=True)
class Block:
    """A test; `lists` maps a kind ("adj", "animal") to its fill-ins."""

    name: str
    capability: str = ""
    contexts: list[Entry] = field(default_factory=list)
    questions: list[Entry] = field(default_factory=list)
    answers: list[Entry] = field(default_factory=list)
    lists: dict[str, list[Entry]] = field(default_factory=dict)


def read_official_table(path: Path) -> list[Block]:
    """Read the tests of a table, in its order.

    Raises:
        DataError: naming the malformed line.
    """
    try:
        table = csv.reader(StringIO(read_utf8(path).decode(), newline=""), delimiter="\t")
        rows = [[unquote_cell(cell) for cell in row] for row in table]
    except (ValueError, csv.Error) as error:
        raise DataError(f"{path} cannot be read as a TSV table: {error}") from error
    if not rows or rows[0][:2] != ["Field", ENGLISH]:
        raise DataError(f"{path}: its first line must begin with the columns Field and {ENGLISH}")
    blocks: list[Block] = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(rows[0]):
            raise DataError(f"{path}, line {number}: {len(row)} columns, not {len(rows[0])}")
        kind = row[0].strip()
        if kind == "Name":
            blocks.append(Block(row[1].strip()))
        elif kind and not blocks:
            raise DataError(f"{path}, line {number}: '{kind}' comes before the first Name")
        elif kind:
            _add(blocks[-1], kind, _entry(rows[0], row))
    for block in blocks:
        if not block.contexts or not block.questions or len(block.questions) != len(block.answers):
            raise DataError(f"{path}: '{block.name}' lacks a context, a question or an answer")
    return blocks


def complete_languages(blocks: Iterable[Block]) -> list[str]:
    """The languages in which every context is translated, sorted."""
    every = [set(entry.by_lang) for block in blocks for entry in block.contexts]
    return sorted(set.intersection(*every)) if every else []


def pick_form(
    entry: Entry, lang: str, chosen: Keys, lists: Sequence[Keys], template: str
) -> str | None:
    """The form of an entry that fits the chosen fill-ins; None if the language has none.

    A form fits if its condition names this template or no template, and, for each of the test's
    `lists`, a chosen fill-in or none. If no form fits, for example because a condition has a
    typo, an unconditional form is used, or else the first.
    """
    variants = entry.by_lang.get(lang, ())
    for variant in variants:
        if variant.when and _fits(variant.when, chosen, lists, template):
            return variant.text
    return next(
        (variant.text for variant in (*(v for v in variants if not v.when), *variants)), None
    )


@lru_cache(maxsize=4096)
def fill_in_keys(english: str) -> frozenset[str]:
    """The keys of a fill-in in conditions: "sofa" for both "a sofa, the sofa" and "Sofa"."""
    words = (_SPACES.sub(" ", part).strip().lower() for part in english.split(","))
    return frozenset(key for word in words if (key := _ARTICLE.sub("", word)))


def _fits(when: str, chosen: Keys, lists: Sequence[Keys], template: str) -> bool:
    templates, words = _condition(when)
    if templates and template not in templates:
        return False
    return all(words & chosen & keys or not words & keys for keys in lists)


@lru_cache(maxsize=4096)
def _condition(when: str) -> tuple[frozenset[str], frozenset[str]]:
    """The English templates that a condition names, and the keys of its fill-ins."""
    parts = re.split(r"(?<=\.),|(?<=\}),(?=\s*\{)", when) if "{" in when else [when]
    templates = frozenset(part.strip() for part in parts if "{" in part)
    return templates, fill_in_keys(",".join(part for part in parts if "{" not in part))


def _add(block: Block, kind: str, entry: Entry) -> None:
    if kind == "Capability":
        block.capability = entry.english
    elif kind in _TEMPLATES:
        {"Context": block.contexts, "Question": block.questions, "Answer": block.answers}[
            kind
        ].append(entry)
    else:
        block.lists.setdefault(kind, []).append(entry)


def _entry(header: Sequence[str], row: Sequence[str]) -> Entry:
    by_lang: dict[str, list[Variant]] = {}
    for column, lang in enumerate(header[1:], 1):
        if lang.endswith(_WHEN) or not row[column].strip():
            continue
        guarded = column + 1 < len(header) and header[column + 1] == lang + _WHEN
        variant = Variant(row[column].strip(), row[column + 1].strip() if guarded else "")
        by_lang.setdefault(lang, []).append(variant)
    return Entry(row[1].strip(), {lang: tuple(variants) for lang, variants in by_lang.items()})
