import random
from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.common.training_data import match_key, read_pairs
from xorqa.lab.training.translator.data import (
    TranslatorData,
    balanced,
    read_data,
    write_held_out,
)
from xorqa.lab.training.translator.recipe import (
    TranslatorRecipe,
    TranslatorSource,
)


def write(folder: Path, lang: str, pairs: list[tuple[str, str]]) -> Path:
    folder.mkdir()
    for name, side in ((lang, 0), ("en", 1)):
        (folder / f"{name}.txt").write_text("".join(f"{pair[side]}\n" for pair in pairs))
    return folder / f"{lang}.txt"


def read(recipe: TranslatorRecipe) -> TranslatorData:
    return read_data(recipe.sources, recipe.exclude)


def sides(pairs: list[tuple[str, str, str, str]]) -> set[str]:
    return {match_key(pair[at]) for pair in pairs for at in (1, 3)}


@pytest.fixture
def sources(tmp_path: Path) -> TranslatorRecipe:
    """Twelve Finnish questions, two of them alike, and sentences that share sides with them."""
    questions = [(f"Mikä on joki {at}?", f"What is river {at}?") for at in range(12)]
    questions += [("Mikä on joki 0?", "Which is river 0?"), ("Joki?", "What is river 1?")]
    others = [(f"Что такое река {at}", f"what is river {at}") for at in range(12)]
    others += [("Большая река.", "A big river."), ("Тест", "A test sentence.")]
    files = write(tmp_path / "fi-en", "fi", questions), write(tmp_path / "ru-en", "ru", others)
    (tmp_path / "test.txt").write_text("a TEST sentence\n")
    asked = TranslatorSource((str(files[0]),), passes=3.0, held_out=3, validation=2)
    return TranslatorRecipe(
        (asked, TranslatorSource((str(files[1]),))), exclude=(str(tmp_path / "test.txt"),)
    )


def test_no_twin_of_what_is_kept_apart_is_trained_on(sources: TranslatorRecipe) -> None:
    data = read(sources)
    assert (len(data.held_out), len(data.validation)) == (3, 2)
    assert {pair[0] for pair in data.held_out} == {"fi"}
    assert len(sides(list(data.held_out))) == 6
    apart = sides([*data.held_out, *data.validation])
    assert apart.isdisjoint(sides(list(data.pairs)))
    assert sides(list(data.held_out)).isdisjoint(sides(list(data.validation)))
    assert data.passes == [3.0 if pair[0] == "fi" else 1.0 for pair in data.pairs]


def test_files_of_one_name_in_two_places_stay_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first = write(tmp_path / "a" / "fi-en", "fi", [(f"Yksi {n}", f"One {n}") for n in range(5)])
    second = write(tmp_path / "b" / "fi-en", "fi", [(f"Kaksi {n}", f"Two {n}") for n in range(4)])
    sources = (
        TranslatorSource((str(first),), passes=3.0, held_out=2),
        TranslatorSource((str(second),)),
    )
    data = read_data(sources)
    assert len(data.held_out) == 2 and {pair[1][:4] for pair in data.held_out} == {"Yksi"}
    assert sorted(data.passes) == [1.0] * 4 + [3.0] * 3


def test_everything_is_counted(sources: TranslatorRecipe) -> None:
    data = read(sources)
    finnish, russian = data.counts["fi-en/fi.txt"], data.counts["ru-en/ru.txt"]
    assert (finnish["held out"], finnish["validation"]) == (3, 2)
    assert (russian["excluded"], russian["kept"], russian["twins"]) == (1, 13, 5)
    kept = sum(count["kept"] for count in data.counts.values())
    gone = sum(
        count[name]
        for count in data.counts.values()
        for name in ("held out", "validation", "twins")
    )
    assert len(data.pairs) == kept - gone


def test_the_hold_out_is_a_pair_file_that_hangs_on_no_order(
    sources: TranslatorRecipe, tmp_path: Path
) -> None:
    data = read(sources)
    write_held_out(data, tmp_path / "held-out.tsv")
    assert read_pairs([tmp_path / "held-out.tsv"]) == list(data.held_out)
    for name in ("fi", "en"):
        path = tmp_path / "fi-en" / f"{name}.txt"
        path.write_text("".join(f"{line}\n" for line in path.read_text().splitlines()[::-1]))
    assert set(read(sources).held_out) == set(data.held_out)


def test_nothing_left_to_train_on(sources: TranslatorRecipe) -> None:
    [first, _] = sources.sources
    with pytest.raises(DataError, match="no pair is left"):
        read_data([replace(first, held_out=99)])


def test_english_as_the_source(sources: TranslatorRecipe) -> None:
    data = read_data(sources.sources, sources.exclude, targets=["fi"])
    assert {(pair[0], pair[2]) for pair in data.pairs} == {("en", "fi")}
    assert ("en", "What is river 11?", "fi", "Mikä on joki 11?") in (
        *data.pairs,
        *data.held_out,
        *data.validation,
    )


def test_a_source_of_some_languages_and_sampled_passes(sources: TranslatorRecipe) -> None:
    both = tuple(file for source in sources.sources for file in source.files)
    data = read_data([TranslatorSource(both, langs=("ru",), passes=1.5)])
    assert {pair[0] for pair in data.pairs} == {"ru"}
    sampled = data.sampled(random.Random(1))
    assert set(sampled.passes) == {1, 2} and len(sampled.pairs) == len(data.pairs)
    fewer = replace(data, passes=[0.5] * len(data.pairs)).sampled(random.Random(1))
    assert set(fewer.passes) == {1} and 0 < len(fewer.pairs) < len(data.pairs)


def test_the_recipe_from_english() -> None:
    recipe = TranslatorRecipe.load("translator-from-english")
    assert len(recipe.targets) == 14
    assert not any("dev-half" in file for source in recipe.sources for file in source.files)
    assert any("dev-half" in file for file in recipe.exclude)


@pytest.mark.parametrize(
    "name",
    [
        "translator",
        "translator-questions",
        "translator-further",
        "translator-published",
        "translator-more",
        "translator-balanced",
        "transformer",
    ],
)
def test_the_packages_recipes(name: str) -> None:
    recipe = TranslatorRecipe.load(name)
    files = [file for source in recipe.describe()["sources"] for file in source["files"]]
    assert len(files) == len(set(files))
    assert not any("dev-half" in file or "tatoeba" in file for file in files)
    assert any("tatoeba" in file for file in recipe.exclude) == (not recipe.start)
    assert any("xor_dev" in file for file in recipe.exclude)
    assert [source.held_out for source in recipe.sources].count(500) == 1
    assert bool(recipe.frozen_layers) == name.startswith("translator")
    assert name in RECIPES


def test_settings_that_no_training_could_use() -> None:
    for wrong in (
        {"decoder_layers": 0},
        {"dropout": 1.0},
        {"frozen_layers": -1},
        {"frozen_layers": 0, "encoder_layers": 0},
    ):
        with pytest.raises(ConfigError):
            TranslatorRecipe((), **wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="passes"):
        TranslatorSource((), passes=-1)


def test_balance() -> None:
    langs = ["ja"] * 9 + ["ko"]
    assert balanced(langs, passes=2, balance=1) == pytest.approx([2.0] * 10)
    equal = balanced(langs, passes=2, balance=0)
    assert sum(equal[:9]) == pytest.approx(equal[9])
    assert sum(equal) == pytest.approx(20)
