"""Twenty questions and their translations, to be learned by heart."""

from __future__ import annotations

from pathlib import Path

import pytest

from xorqa.lab.training.common.loop import Schedule
from xorqa.lab.training.translator.recipe import TranslatorRecipe, TranslatorSource

RIVERS = ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi", "Tigris", "Krishna", "Ob", "Lena")
ASKED = (
    ("Kuinka pitkä {} on?", "How long is the {}?"),
    ("Missä maassa {} virtaa?", "In which country is the {}?"),
)


@pytest.fixture(scope="session")
def pairs() -> list[tuple[str, str]]:
    return [(there.format(r), here.format(r)) for there, here in ASKED for r in RIVERS]


@pytest.fixture(scope="session")
def file(tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]) -> Path:
    """The Finnish side of line-parallel files."""
    folder = tmp_path_factory.mktemp("fi-en")
    for name, side in (("fi", 0), ("en", 1)):
        text = "".join(f"{pair[side]}\n" for pair in pairs)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder / "fi.txt"


@pytest.fixture(scope="session")
def recipe(file: Path, tiny: Path) -> TranslatorRecipe:
    """On the tiny base's lower layer; no dropout, so that few steps are enough."""
    return TranslatorRecipe(
        (TranslatorSource((str(file),), passes=2.0),),
        base=str(tiny),
        frozen_layers=1,
        encoder_layers=1,
        decoder_layers=1,
        feed=64,
        vocabulary=330,
        batch_tokens=120,
        dropout=0.0,
        label_smoothing=0.0,
        schedule=Schedule(5e-3, log_every=1),
    )
