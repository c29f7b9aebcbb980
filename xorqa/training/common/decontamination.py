"""Texts that no training may see: other files' questions and sentences, compared loosely."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from ...core.errors import DataError
from ...io.files import read_jsonl, read_lines
from ...io.squad_xor import read_squad

PAIR = 4  # fields of a line in a file of pairs


def bare(text: str) -> str:
    """A text's letters, marks and digits alone, NFKC and case-folded.

    Two texts that differ only in blanks, punctuation, symbols or case have the same.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")
    return unicodedata.normalize("NFKC", kept)  # marks join what now stands before them


def read_excluded(files: Iterable[str | Path]) -> frozenset[str]:
    """The bare texts of files: `.json` SQuAD-style questions, `.jsonl` objects' `question`.

    Every other file has one sentence a line, or several, divided by tabs: pairs too.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    found = {bare(text) for file in files for text in _texts(Path(file))}
    return frozenset(found - {""})


def _texts(path: Path) -> Iterable[str]:
    if path.suffix == ".json":
        return (question.question for question in read_squad(path))
    if path.suffix == ".jsonl":
        return [question_of(row, f"{path}, line {number}") for number, row in read_jsonl(path)]
    return (text for line in read_lines(path) for text in _sentences(line))


def _sentences(line: str) -> list[str]:
    """A line's texts: language, text, language, text; or all that tabs divide."""
    fields = line.split("\t")
    return fields[1::2] if len(fields) == PAIR else fields


def question_of(row: dict[str, object], where: str) -> str:
    """A JSONL object's question. Raises DataError if it has none."""
    question = row.get("question")
    if not isinstance(question, str):
        raise DataError(f"{where}: needs a string 'question'")
    return question
