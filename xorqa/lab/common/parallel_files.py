"""SQuAD-style files, such as XQuAD's and MLQA's with the same questions in several languages."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...core.errors import ConfigError, DataError, one_of
from ...core.lang import in_name
from ...io.squad_xor import SquadQuestion, read_squad
from .fetched import local_or_fetched

Parallel = Mapping[str, Mapping[str, SquadQuestion]]
"""Language to qid to question; the same qid is the same question."""

PARALLEL = ("mlqa/dev", "mlqa/test", "xquad", "xquad-r")
"""Folders of fetched publications with a file per language, parallel by qid."""

_MLQA_NAME = re.compile(r"context-(\w+)-question-(\w+)")


def parallel_folder(name: str, *, kind: str, bundled: Iterable[str] = ()) -> Path:
    """Find a folder with a file per language: a path, or a fetched publication.

    Args:
        name: a path, or the name of a publication (`xquad-r`).
        kind: what the name stands for, as the error message calls it.
        bundled: further names that are valid.

    Raises:
        ConfigError: if there is no such folder; the message lists the valid names.
    """
    folder = local_or_fetched(Path(name).expanduser())
    if folder.is_dir():
        return folder
    if name in PARALLEL:
        publication = name.partition("/")[0]
        raise ConfigError(
            f"{name} has not been fetched; fetch it with: xorqa data fetch {publication}"
        )
    valid = f"{one_of((*bundled, *PARALLEL))}, or a folder with a SQuAD-style file per language"
    if folder.exists():
        raise ConfigError(f"{name} is a file; valid: {valid}")
    raise ConfigError(f"no {kind} is called '{name}', and there is no such folder; valid: {valid}")


def find_files(folder: Path) -> dict[str, Path]:
    """Map languages to the folder's files; the language is part of the file name.

    MLQA's own files count only if question and context are in the same language.

    Raises:
        DataError: if there are no such files, or two in the same language.
        OSError: if the folder cannot be read.
    """
    files: dict[str, Path] = {}
    paths = sorted(folder.iterdir())
    for path in paths:
        lang, mixed = in_name(path.name), _MLQA_NAME.search(path.name)
        if path.suffix != ".json" or lang is None or (mixed and mixed[1] != mixed[2]):
            continue
        if lang in files:
            raise DataError(f"{folder} has two files in '{lang}': {files[lang].name}, {path.name}")
        files[lang] = path
    if not files:
        raise DataError(
            f"{folder} has no .json file with a language in its name, such as xquad.ar.json; "
            f"valid: {one_of(path.name for path in paths)}"
        )
    return files


def select_languages(files: Mapping[str, Path], langs: Sequence[str] | None) -> dict[str, Path]:
    """The files of the selected languages, in that order; by default all, sorted by code.

    Raises:
        ConfigError: if a language has no file, or fewer than two are selected.
    """
    selected = sorted(files) if langs is None else list(dict.fromkeys(langs))
    for lang in selected:
        if lang not in files:
            raise ConfigError(f"no file is in '{lang}'; valid: {one_of(files)}")
    if len(selected) < 2:
        raise ConfigError(f"select at least two languages; valid: {one_of(files)}")
    return {lang: files[lang] for lang in selected}


def squad_questions(path: Path) -> list[SquadQuestion]:
    """Read a file's questions. Raises DataError if it has none."""
    questions = list(read_squad(path))
    if not questions:
        raise DataError(f"{path} contains no questions")
    return questions


def read_questions(path: Path) -> dict[str, SquadQuestion]:
    """Read a file's questions by qid.

    Raises:
        DataError: if it has none, a repeated id, or a question without an answer.
    """
    rows: dict[str, SquadQuestion] = {}
    for row in squad_questions(path):
        if row.qid in rows:
            raise DataError(f"{path}: id '{row.qid}' occurs twice")
        if not row.answers:
            raise DataError(f"{path}: question '{row.qid}' has no gold answer")
        rows[row.qid] = row
    return rows
