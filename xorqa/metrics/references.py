"""Read questions with their gold answers, for scorers, from data files."""

from pathlib import Path

from ..core.errors import ConfigError
from ..core.lang import in_name
from ..io.squad_xor import read_squad, read_xor
from .report import Reference


def read_xor_references(path: Path, *, lang: str | None = None) -> list[Reference]:
    """Read the questions of an XOR QA JSONL file, each of which states its language.

    Raises:
        ConfigError: if `lang` is given.
        DataError: as `read_xor`.
    """
    if lang is not None:
        raise ConfigError(f"each question of {path} states its language; leave out --lang")
    return [Reference(row.qid, row.lang, row.answers) for row in read_xor(path)]


def read_squad_references(
    path: Path, *, lang: str | None = None, default_lang: str | None = None
) -> list[Reference]:
    """Read the questions of a SQuAD-style file.

    The language is `lang`, or else the one in the file's name, or in the question's id (TyDi's
    ids begin with it), or else `default_lang`.

    Raises:
        ConfigError: if none of these gives a language.
        DataError: as `read_squad`.
    """
    file_lang = lang or in_name(path.name)
    references = []
    for question in read_squad(path):
        name, dash, _ = question.qid.partition("-")
        id_lang = in_name(name) if dash and name.isalpha() else None  # SQuAD's are hexadecimal
        question_lang = file_lang or id_lang or default_lang
        if question_lang is None:
            raise ConfigError(f"{path}: no language in the file's name; set it with --lang")
        references.append(
            Reference(question.qid, question_lang, question.answers, question.context)
        )
    return references
