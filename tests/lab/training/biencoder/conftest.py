"""A small world in three languages: eight rivers, parallel by question id."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from xorqa.lab.training.biencoder.recipe import BiencoderRecipe, BiencoderSource
from xorqa.lab.training.common.loop import Schedule

RIVERS = ("Nile", "Rhine", "Volga", "Ganges", "Amur", "Kemi", "Tigris", "Krishna")
TEXTS = {
    "english": (
        "The {} is {}07 km long.",
        "A town called {}stad{} stands on it.",
        "How long is the {}?",
        "Which town stands on the {}?",
    ),
    "finnish": (
        "Joki {} on {}07 km pitkä.",
        "Kaupunki {}stad{} on sen rannalla.",
        "Kuinka pitkä {} on?",
        "Mikä kaupunki on joen {} rannalla?",
    ),
    "swahili": (
        "Mto {} una {}07 km kwa urefu.",
        "Mji uitwao {}stad{} uko kando yake.",
        "Mto {} una urefu gani?",
        "Mji gani uko kando ya mto {}?",
    ),
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """SQuAD-style files, one a language; a paragraph has two sentences and a question to each."""
    folder = tmp_path_factory.mktemp("rivers")
    found = {}
    for language, (first, second, long, town) in TEXTS.items():
        articles = []
        for at, river in enumerate(RIVERS, 1):
            text = f"{first.format(river, at)} {second.format(river, at)}"
            qas = [
                {
                    "id": f"{river}-{word}",
                    "question": asked.format(river),
                    "answers": [{"text": answer, "answer_start": text.index(answer)}],
                }
                for word, asked, answer in (
                    ("long", long, f"{at}07 km"),
                    ("town", town, f"{river}stad{at}"),
                )
            ]
            articles.append({"title": river, "paragraphs": [{"context": text, "qas": qas}]})
        found[language[:2]] = folder / f"{language}.json"
        found[language[:2]].write_text(json.dumps({"data": articles}), encoding="utf-8")
    return {"en": found["en"], "fi": found["fi"], "sw": found["sw"]}


@pytest.fixture(scope="session")
def parallel(files: dict[str, Path]) -> BiencoderSource:
    """The three files as one source: every question in three languages."""
    return BiencoderSource(tuple(map(str, files.values())), held_out=0.0)


@pytest.fixture(scope="session")
def pair_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    rows = [f"fi\tJoki numero {at}.\ten\tRiver number {at}.\n" for at in range(9)]
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def recipe(files: dict[str, Path], tiny: Path, pair_file: Path) -> BiencoderRecipe:
    """Every question in three languages, sentence pairs beside them, a third held out."""
    source = BiencoderSource(tuple(map(str, files.values())), held_out=0.3)
    return BiencoderRecipe(
        (source,),
        base=str(tiny),
        steps=4,
        batch_size=4,
        parallel=(str(pair_file),),
        parallel_batch=3,
        rank=2,
        alpha=4,
        dtype="float32",
        schedule=Schedule(1e-2, log_every=1),
    )
