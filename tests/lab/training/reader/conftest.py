"""A reader's recipe that distils questions in Finnish and Korean about the rivers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.lab.training.bitext.translations import TranslationSource
from xorqa.lab.training.reader.recipe import Distillation, ReaderRecipe

WORDS = {"long": ("pituus", "길이"), "town": ("kaupunki", "도시"), "where": ("missä", "어디")}


@pytest.fixture(scope="module")
def translations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The questions of three rivers, and others that no paragraph contains, in two languages."""
    path = tmp_path_factory.mktemp("pairs") / "questions.tsv"
    rows = [
        f"{lang}\t{words[at]} {river}?\ten\t{english} of the {river}?\n"
        for river in ("Nile", "Rhine", "Volga", "Danube", "Thames", "Loire", "Oder")
        for english, words in WORDS.items()
        for at, lang in enumerate(("fi", "ko"))
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def distilling(
    recipe: ReaderRecipe, file: Path, translations: Path, tiny_adapter: Path
) -> ReaderRecipe:
    """The recipe of the rivers with a teacher, which is also the start."""
    how = Distillation(
        (TranslationSource((str(translations),)),),
        passages=(str(file),),
        teacher=str(tiny_adapter),
        retriever="bm25",
        windows=24,
        max_tokens=64,
        held_out=0.3,
        validation=12,
        temperature=2.0,
    )
    return replace(
        recipe, method="full", start=str(tiny_adapter), validation=3, questions=8, distillation=how
    )
