"""SQuAD-style files that ask the same questions in several languages: XQuAD's, MLQA's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..core.errors import ConfigError, DataError, one_of
from ..core.lang import in_name
from ..io.squad_xor import SquadQuestion, read_squad

Parallel = Mapping[str, Mapping[str, SquadQuestion]]
"""Language to qid to question; the same qid is the same question."""

_MLQA_NAME = re.compile(r"context-(\w+)-question-(\w+)")


def find_files(folder: Path) -> dict[str, Path]:
    """The folder's files by language, as their names tell it.

    Of MLQA's own files those whose question is in the context's language.

    Raises:
        DataError: if there is none, or two are of one language.
        OSError: if the folder cannot be read.
    """
    files: dict[str, Path] = {}
    there = sorted(folder.iterdir())
    for path in there:
        lang, mixed = in_name(path.name), _MLQA_NAME.search(path.name)
        if path.suffix != ".json" or lang is None or (mixed and mixed[1] != mixed[2]):
            continue
        if lang in files:
            raise DataError(f"{folder} has two files in '{lang}': {files[lang].name}, {path.name}")
        files[lang] = path
    if not files:
        raise DataError(
            f"{folder} has no .json file whose name tells its language, as xquad.ar.json does; "
            f"there are: {one_of(path.name for path in there)}"
        )
    return files


def choose(files: Mapping[str, Path], langs: Sequence[str] | None) -> dict[str, Path]:
    """The files of the languages wanted, in that order; all, by code, by default.

    Raises:
        ConfigError: if a language has no file, or fewer than two are left.
    """
    wanted = sorted(files) if langs is None else list(dict.fromkeys(langs))
    for lang in wanted:
        if lang not in files:
            raise ConfigError(f"there is no file in '{lang}'; there are: {one_of(files)}")
    if len(wanted) < 2:
        raise ConfigError(f"one language is not enough; there are: {one_of(files)}")
    return {lang: files[lang] for lang in wanted}


def read_questions(path: Path) -> dict[str, SquadQuestion]:
    """A file's questions by qid.

    Raises:
        DataError: if it holds none, an id twice, or a question without an answer.
    """
    rows: dict[str, SquadQuestion] = {}
    for row in read_squad(path):
        if row.qid in rows:
            raise DataError(f"{path}: id '{row.qid}' occurs twice")
        if not row.answers:
            raise DataError(f"{path}: question '{row.qid}' has no gold answer to score by")
        rows[row.qid] = row
    if not rows:
        raise DataError(f"{path} holds no questions")
    return rows
