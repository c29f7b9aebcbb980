"""Questions about a made-up SQuAD, where the bundled ones stand."""

from pathlib import Path

import pytest

from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.multilingual_questions import questions


def stand_in(patch: pytest.MonkeyPatch, folder: Path, squad: Path) -> None:
    """One question in every language about the first paragraph of a SQuAD-style file."""
    folder.mkdir()
    row = next(read_squad(squad))
    fields = ("q", "train", questions.paragraph_key(row.context), row.answers[0], row.question)
    english = folder / questions.ENGLISH.name
    english.write_text("\t".join(fields) + "\n", encoding="utf-8")
    for lang in questions.LANGS:
        (folder / f"{lang}.tsv").write_text(f"q\t{row.question}\n", encoding="utf-8")
    patch.setattr(questions, "FOLDER", folder)
    patch.setattr(questions, "ENGLISH", english)
