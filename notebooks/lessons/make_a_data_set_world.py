"""The world of lesson 10: two small Wikipedias with eight parallel paragraphs, and its files.

The passages and paragraphs are those of the bundled world.
"""

from __future__ import annotations

import csv
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from xorqa.core.errors import DataError
from xorqa.datasets import mini
from xorqa.io.files import read_json, read_lines, unquote_cell, write_jsonl, write_text
from xorqa.lab.building.write import table as csv_text
from xorqa.lab.lareqa.data import SHIPPED

from .show import Page, table

LANGS = ("en", "fi")
ENGLISH = ("en-fi-", "en-ko-")
"""The English passages of the lesson, by the beginning of their docids: fewer to encode."""

Pair = tuple[str, str]


@cache
def paragraphs(lang: str) -> list[dict[str, Any]]:
    """The eight paragraphs of the bundled pool, with sentences and questions."""
    data = read_json(SHIPPED["mini"] / f"{lang}.json")["data"]
    return [paragraph for article in data for paragraph in article["paragraphs"]]


@cache
def known() -> frozenset[Pair]:
    """The pairs of an English and a Finnish sentence that are known to be translations."""
    both = zip(*map(paragraphs, LANGS), strict=True)
    return frozenset(
        pair
        for english, finnish in both
        for pair in zip(english["sentences"], finnish["sentences"], strict=True)
    )


def write_wikis() -> dict[str, int]:
    """Write `wiki.en.jsonl` and `wiki.fi.jsonl`; the numbers of their passages."""
    counts = {}
    for lang in LANGS:
        rows = [
            {"docid": passage.docid, "title": passage.title, "text": passage.text}
            for passage in mini.load().corpora[lang]
            if lang != "en" or passage.docid.startswith(ENGLISH)
        ]
        rows += [
            {"docid": f"{lang}-parallel-{number}", "title": "", "text": paragraph["context"]}
            for number, paragraph in enumerate(paragraphs(lang), 1)
        ]
        write_jsonl(Path(f"wiki.{lang}.jsonl"), rows)
        counts[lang] = len(rows)
    return counts


def command(line: str) -> None:
    """Run a command of xorqa, such as "xorqa mine ...", and print what it prints.

    Raises:
        DataError: with its message, if it fails.
    """
    words = shlex.split(line)[1:]
    plain = {name: value for name, value in os.environ.items() if "COLOR" not in name}
    done = subprocess.run(
        [sys.executable, "-m", "xorqa", *words],
        env=plain | {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise DataError(done.stderr.strip())
    print(done.stdout.rstrip())


def read_pairs(path: str) -> list[tuple[float, Pair]]:
    """The pairs that `xorqa mine` wrote, with their scores, best first."""
    rows = [line.split("\t") for line in read_lines(Path(path))]
    return [(float(score), (source, target)) for score, source, target in rows]


def pair_table(title: str, pairs: Sequence[tuple[float, Pair]]) -> Page:
    """Mined pairs with their scores, marked if they are known to be translations."""
    rows = [(*pair, f"{score:.2f}", "yes" if pair in known() else "") for score, pair in pairs]
    return table(title, ("English", "Finnish", "score", "known"), rows, labels=2)


def read_tasks(path: str) -> list[dict[str, str]]:
    """The rows of an exported CSV file, by column."""
    with Path(path).open(encoding="utf-8-sig", newline="") as stream:
        rows = [*csv.DictReader(stream)]
    return [{name: unquote_cell(cell) for name, cell in row.items()} for row in rows]


def fill(tasks: str, out: str, cells: Mapping[str, Mapping[str, str]]) -> None:
    """Copy a CSV file of tasks and fill in some of its rows, as one would in a spreadsheet.

    Args:
        cells: what to write, by column, for the row whose sentence or context has a phrase.

    Raises:
        DataError: if a phrase is in no row or in several.
    """
    rows = read_tasks(tasks)
    for phrase, filled in cells.items():
        matching = [row for row in rows if phrase in _text(row)]
        if len(matching) != 1:
            raise DataError(f"{len(matching)} rows of {tasks} have '{phrase}'")
        matching[0].update(filled)
    names = list(rows[0])
    write_text(Path(out), csv_text([names, *([row[name] for name in names] for row in rows)]))


def _text(row: Mapping[str, str]) -> str:
    """What identifies a row to a reader: its question and its sentence."""
    return "\n".join(row.get(name, "") for name in ("source_question", "sentence"))


def drop_zeros(path: str) -> None:
    """Drop the leading zeros of the ids in a CSV file: s00014 becomes s14."""
    text = Path(path).read_text(encoding="utf-8")
    write_text(Path(path), re.sub(r"^s0+", "s", text, flags=re.MULTILINE))


def report_table(path: str) -> Page:
    """The rows of an import's report, without those of tasks that nobody has filled in."""
    rows = read_tasks(path)
    empty = {row["where"] for row in rows if row["kind"] == "not annotated"}
    cells = [
        [row[name] for name in ("id", "level", "kind", "detail")]
        for row in rows
        if row["where"] not in empty
    ]
    return table(path, ("id", "level", "kind", "detail"), cells, labels=4)


def statistics(folder: str) -> dict[str, Any]:
    """What the last import counted: see `xorqa.lab.building.qa.Statistics`."""
    counts: dict[str, Any] = read_json(Path(folder) / "statistics.json")
    return counts
