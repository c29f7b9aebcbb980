"""Questions about rivers in two languages beside their English translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.lab.training.bitext.translations import TranslationSource
from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.query_encoder.recipe import QueryEncoderRecipe


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "questions.tsv"
    rows = [
        f"{lang}\t{question} {at}?\ten\tWhere is river {at}?\n"
        for at in range(20)
        for lang, question in (("fi", "Missä on joki"), ("ko", "강이 어디에"))
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def recipe(pairs: Path, file: Path, tiny: Path) -> QueryEncoderRecipe:
    return QueryEncoderRecipe(
        (TranslationSource((str(pairs),)),),
        base=str(tiny),
        passages=(str(file),),
        steps=4,
        batch_size=6,
        held_out=0.3,
        validation=6,
        rank=2,
        alpha=4,
        dtype="float32",
        schedule=Schedule(1e-2, log_every=1),
    )
