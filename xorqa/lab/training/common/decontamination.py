"""Decontamination: keep evaluation questions and test sentences out of the training data."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from ....core.errors import DataError
from ....io.files import read_jsonl, read_lines
from ....io.squad_xor import read_squad

PAIR_FIELDS = 4  # of a line in a file of pairs


def match_key(text: str) -> str:
    """A text's letters, marks and digits, NFKC-normalised and case-folded.

    Texts that differ only in spaces, punctuation, symbols or case have the same key.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(char for char in folded if unicodedata.category(char)[0] in "LMN")
    return unicodedata.normalize("NFKC", letters)  # marks combine with their new neighbours


def read_excluded(files: Iterable[str | Path]) -> frozenset[str]:
    """The match keys of all texts that may not be trained on.

    They are the questions of SQuAD-style `.json` files and the `question` of each object in
    `.jsonl` files. All other files, pair files included, have one sentence per line, or several
    separated by tabs.

    Raises:
        DataError: if a file is missing or of another layout.
    """
    keys = {match_key(text) for file in files for text in _texts(Path(file))}
    return frozenset(keys - {""})


def _texts(path: Path) -> Iterable[str]:
    if path.suffix == ".json":
        return (question.question for question in read_squad(path))
    if path.suffix == ".jsonl":
        return [question_of(row, f"{path}, line {number}") for number, row in read_jsonl(path)]
    return (text for line in read_lines(path) for text in _sentences(line))


def _sentences(line: str) -> list[str]:
    """The texts of a line `language, text, language, text`, or all its tab-separated fields."""
    fields = line.split("\t")
    return fields[1::2] if len(fields) == PAIR_FIELDS else fields


def question_of(row: dict[str, object], where: str) -> str:
    """The question of a JSONL object. Raises DataError if it has none."""
    question = row.get("question")
    if not isinstance(question, str):
        raise DataError(f"{where}: needs a string 'question'")
    return question
