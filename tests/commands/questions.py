"""Questions about a made-up SQuAD, where the bundled ones stand."""

import bz2
from pathlib import Path

import pytest

from xorqa.io.files import digest
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.multilingual_questions import published, questions


def stand_in(patch: pytest.MonkeyPatch, folder: Path, squad: Path) -> None:
    """One question in every language about the first paragraph of a SQuAD-style file."""
    row = next(read_squad(squad))
    fields = ("q", "train", questions.paragraph_key(row.context), row.answers[0], row.question)
    translated = dict.fromkeys(questions.LANGS, row.question)
    write_set(folder / "parallel", {"questions": "\t".join(fields), **translated})
    patch.setattr(questions, "ROOT", folder)
    patch.setattr(questions, "SETS", (questions.PARALLEL,))
    write_published(patch, folder / "published", squad, fi={row.question: row.question})


def write_published(
    patch: pytest.MonkeyPatch, folder: Path, squad: Path, **by_lang: dict[str, str]
) -> None:
    """Translations of a SQuAD-style file's questions, by language and question."""
    rows = {published.question_key(row): row.question for row in read_squad(squad)}
    keys = sorted(rows)
    lines = {
        lang: "\n".join(texts.get(rows[key], "") for key in keys) for lang, texts in by_lang.items()
    }
    write_set(folder, lines)
    patch.setattr(published, "FOLDER", folder)
    patch.setattr(published, "LANGS", tuple(sorted(by_lang)))
    patch.setattr(published, "ALL_KEYS", digest(*keys))


def write_set(folder: Path, files: dict[str, str]) -> None:
    """A set of questions: the lines of each file by its name, such as a language."""
    folder.mkdir(parents=True)
    for name, lines in files.items():
        suffix = "tsv" if name == "questions" else "txt"
        (folder / f"{name}.{suffix}.bz2").write_bytes(bz2.compress(f"{lines}\n".encode()))
