"""DPR as XOR QA trained it: its files, units, negatives, two bases, and recipes."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

from tests.commands.publications import RIVERS, dpr_rows, write_publications
from xorqa.core.errors import ConfigError, Notice
from xorqa.datasets.fetch import fetch
from xorqa.io.files import write_text
from xorqa.lab.training.biencoder.data import prepare
from xorqa.lab.training.biencoder.pairs import Paragraph, read_items, units
from xorqa.lab.training.biencoder.recipe import BiencoderRecipe, BiencoderSource
from xorqa.lab.training.biencoder.train import train_biencoder
from xorqa.lab.training.common.training_data import located
from xorqa.lab.training.history import read_history
from xorqa.lab.training.repeat import repeat_history
from xorqa.models.adapters import open_adapter

pytest.importorskip("peft")

RECIPES = ("xor-dpr-nq", "xor-mdpr", "xor-dpr")
LONG = " ".join(f"word{at}." for at in range(250))


def two(recipe: BiencoderRecipe, **values: Any) -> BiencoderRecipe:
    """The recipe with two towers, over the paragraphs of its files."""
    dpr = {"towers": 2, "pooling": "cls", "normalize": False, "unit": "words", "parallel": ()}
    return replace(recipe, **(dpr | values))


def test_units_of_exactly_a_hundred_words() -> None:
    texts = units(Paragraph("A text", LONG, "en"), "words")
    bodies = [text.removeprefix("A text\n") for text in texts]
    assert [len(body.split()) for body in bodies] == [100, 100, 50]
    assert " ".join(bodies) == LONG
    [one, other] = units(Paragraph("", "の" * 201, "ja"), "words")
    assert (len(one), len(other)) == (200, 1)


def test_the_unit_that_an_answer_begins_in(tmp_path: Path) -> None:
    over = LONG.index("word99")
    answers = [{"text": "word99. word100", "answer_start": over}]
    paragraph = {"context": LONG, "qas": [{"id": "a", "question": "?", "answers": answers}]}
    path = tmp_path / "english.json"
    path.write_text(json.dumps({"data": [{"title": "T", "paragraphs": [paragraph]}]}))
    source = BiencoderSource((str(path),), held_out=0.0)
    [item], _ = read_items(source, unit="words")
    assert item.group.endswith("word99.")
    assert read_items(source, unit="passage")[0] == []


def test_dpr_files_bring_their_negatives(tmp_path: Path) -> None:
    rows = dpr_rows(RIVERS, "fi")
    rows[0]["positive_ctxs"] = []
    del rows[1]["lang"]
    path = tmp_path / "dpr_train_data.json"
    path.write_text(json.dumps(rows))
    source = BiencoderSource((str(path),), held_out=0.0, lang="en")
    with pytest.warns(Notice, match=r"1 questions have no passage that answers them; left out"):
        items, _ = read_items(source, unit="sentence")
    assert [set(item.questions) for item in items[:2]] == [{"en"}, {"fi"}]
    assert items[1].answers["en"].startswith("Ganges\nGanges is")
    assert items[1].negatives == (next(i for i in items if "Amur" in i.group).group,)
    with pytest.raises(ConfigError, match='set lang = "en"'):
        read_items(replace(source, lang=None), unit="sentence")


def test_a_negative_is_of_a_paragraph_that_the_ranker_ranks_first(
    recipe: BiencoderRecipe, tiny_classifier: Path, tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers")
    ranked = two(recipe, negatives=("ranker",), ranker=str(tiny_classifier))
    told: list[str] = []
    data = prepare(ranked, tmp_path, report=told.append)
    for batch in data.batches:
        assert len(batch.negatives) == len(batch.picks)
        for text, (item, pick) in zip(batch.negatives, batch.picks, strict=True):
            assert text != item.answers[pick.answer]
            assert not any(gold in text for gold in item.golds[pick.answer])
    assert any(line.startswith("ranker: ") for line in told)
    again = prepare(ranked, tmp_path, report=told.append)
    assert [batch.negatives for batch in again.batches] == [b.negatives for b in data.batches]


def test_two_bases(recipe: BiencoderRecipe, make_tiny: Callable[..., Path], tmp_path: Path) -> None:
    other = make_tiny(seed=7)
    dpr = two(recipe, passage_base=str(other))
    query, passage = train_biencoder(dpr, tmp_path / "one")
    assert open_adapter(str(query)).base.name == recipe.base
    assert open_adapter(str(passage)).base.name == str(other)
    assert dpr.identity()["passage_base_sha"] == open_adapter(str(passage)).base.sha
    assert "passage_base_sha" not in two(recipe).identity()
    further = replace(dpr, start=str(query), passage_start=str(passage))
    trained = train_biencoder(further, tmp_path / "two")
    assert [path.name for path in trained] == ["query.safetensors", "passage.safetensors"]
    with pytest.raises(ConfigError, match=r"passage_base and passage_start need towers = 2"):
        replace(recipe, passage_base=str(other))


@pytest.fixture
def published(home: Path, tmp_path: Path) -> Iterator[Path]:
    """All publications, small, in the data folder."""
    write_publications(tmp_path / "datasets")
    for name in ("nq-dpr", "xor-tydi", "xor-tydi-gp", "xor-tydi-dpr"):
        fetch(name, copy_from=tmp_path / "datasets")
    pairs = "".join(f"fi\tfi: What {at}?\ten\tWhat {at}?\n" for at in range(3))
    write_text(home / "data" / "parallel" / "xor-questions.tsv", pairs)
    yield home


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_trains_ten_steps_on_tiny_weights(
    published: Path, tiny: Path, tiny_classifier: Path, tmp_path: Path, name: str
) -> None:
    pytest.importorskip("sentence_transformers")
    small = {"base": str(tiny), "steps": 10, "batch_size": 4, "dtype": "float32"}
    if name == "xor-dpr":
        small["ranker"] = str(tiny_classifier)
    recipe = BiencoderRecipe.load(name, overrides=small)
    paths = train_biencoder(recipe, tmp_path / "out")
    assert [path.name for path in paths] == ["query.safetensors", "passage.safetensors"]
    assert open_adapter(str(paths[0])).card["steps"] == 10
    whole = BiencoderRecipe.load(name)
    assert math.ceil(whole.schedule.warmup * whole.steps) == 1237


def test_a_stage_continues_both_towers(published: Path, tiny: Path, tmp_path: Path) -> None:
    small = f'base = "{tiny}"\nsteps = 2\nbatch_size = 4\ndtype = "float32"\n'
    text = (
        f"[biencoder]\n{small}towers = 2\nsampler = 'x-y'\nunit = 'words'\nnegatives = ['file']\n"
        "validation = 0\n[[biencoder.sources]]\nlang = 'en'\nheld_out = 0.0\n"
        f"files = ['{located(['nq-dpr/biencoder-nq-train.json.gz'], tmp_path)[0]}']\n"
        "[[stages]]\nname = 'one'\n[[stages]]\nname = 'two'\nstart = 'one'\nseed = 2\n"
    )
    path = write_recipe(tmp_path / "mine.toml", text)
    out, told = tmp_path / "out", []
    paths = repeat_history(read_history(path, "biencoder"), out)
    assert [path.name for path in paths] == ["query.safetensors", "passage.safetensors"]
    identity = json.loads((out / "two" / "recipe.json").read_text())
    assert identity["passage_start_sha"] == open_adapter(str(out / "one/passage.safetensors")).sha
    first = load_file(out / "passage.safetensors")
    assert repeat_history(read_history(path, "biencoder"), out, report=told.append) == paths
    assert sum(" is finished: " in line for line in told) == 2
    assert first.keys() == load_file(out / "passage.safetensors").keys()
    (out / "two" / "passage.safetensors").unlink()
    repeat_history(read_history(path, "biencoder"), out)
    assert (out / "two" / "passage.safetensors").is_file()


def write_recipe(path: Path, text: str) -> Path:
    path.write_text(text)
    return path
