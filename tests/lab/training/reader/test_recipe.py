from dataclasses import replace
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.core.named import RenamedWarning
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.reader.recipe import ReaderRecipe, ReaderSource


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[reader", "is not valid TOML"),
        ("[model]", r"has no table \[reader\]"),
        ("[reader]", "needs a setting 'sources'"),
        ("[reader]\nsources = []\nepochs = 3", "has no setting 'epochs'; valid: alpha, base"),
        ("[reader]\nsources = 'a.json'", "sources must be list"),
        ("[[reader.sources]]\nfiles = 'a.json'", "files must be list"),
        ("[[reader.sources]]\nfiles = []\nheld_out = 2", "held_out must be from 0 to 1, not 2"),
        ("[reader]\nsources = []\nrank = 'big'", "rank must be int"),
        ("[reader]\nsources = []\n[reader.schedule]\nlearning_rat = 1", "no setting 'learning_r"),
        ("[reader]\nsources = []\nnegatives = 1.5", "negatives must be from 0 to 1, not 1.5"),
        ("[reader]\nsources = []\nbatch_size = 0", "batch_size must be 1 or more, not 0"),
        ("[reader]\nsources = []\nmethod = 'half'", "method cannot be 'half'; valid: all, full, l"),
        ("[reader]\nsources = []\nminer = 3", "miner must be string or table, not 3"),
        (
            "[[reader.sources]]\nfiles = []\ncode_switched = 2",
            "code_switched must be from 0 to 1, not 2",
        ),
        ("[reader]\nsources = []\nhard_negatives = -1", "hard_negatives must be 0 or more, not -1"),
        ("[reader]\nsources = []\nfrozen_layers = -1", "frozen_layers must be 0 or more, not -1"),
        (
            "[reader]\nsources = []\n[reader.schedule]\nlearning_rate = 1\naccumulate = 0",
            "accumulate must be 1 or more, not 0",
        ),
    ],
)
def test_recipes_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        ReaderRecipe.load(path)
    assert "\n" not in str(caught.value)


def test_an_unknown_recipe_lists_those_there_are() -> None:
    with pytest.raises(ConfigError, match=r"no recipe is called 'reader-xx'; valid: .*reader-en"):
        ReaderRecipe.load("reader-xx")


def test_single_settings_change_on_top_of_a_recipe() -> None:
    changes = ["seed=7", "schedule.learning_rate=1e-6", "start=reader-multi"]
    recipe, plain = (
        ReaderRecipe.load("reader-low-rank", changes),
        ReaderRecipe.load("reader-low-rank"),
    )
    assert (recipe.seed, recipe.start) == (7, "reader-multi")
    assert recipe.schedule == replace(plain.schedule, learning_rate=1e-6)
    assert recipe.sources == plain.sources
    with pytest.raises(ConfigError, match="has no setting 'sead'"):
        ReaderRecipe.load("reader-low-rank", ["sead=7"])


def test_data_files_are_paths_or_fetched_data(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "mine.toml"
    files = "files = ['./a.json', '/b.json', 'squad/c.json']"
    path.write_text(f"[[reader.sources]]\n{files}\nheld_out = 0")
    recipe = ReaderRecipe.load(path)
    wanted = (tmp_path / "a.json", "/b.json", home / "data" / "squad" / "c.json")
    assert recipe.sources[0].files == tuple(map(str, wanted))
    assert recipe.sources[0].held_out == 0.0


def test_one_name_may_stand_for_many_files(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "c.txt", "odd[1].json"):
        (tmp_path / name).write_text("")
    names = ("*.json", "c.txt", "odd[1].json", "none*.json")
    source = ReaderSource(tuple(str(tmp_path / name) for name in names))
    assert [path.name for path in source.paths] == [
        "a.json",
        "b.json",
        "odd[1].json",
        "c.txt",
        "odd[1].json",
        "none*.json",
    ]


def test_a_description_is_the_same_on_every_machine(home: Path, tmp_path: Path) -> None:
    files = (str(home / "data" / "jaquad" / "train" / "*.json"), str(tmp_path / "own.json"))
    recipe = ReaderRecipe(
        (ReaderSource(files, license="CC0"),), start=str(tmp_path / "a.safetensors")
    )
    found = recipe.describe()
    assert found["sources"][0]["files"] == ["jaquad/train/*.json", "own.json"]
    assert found["sources"][0]["license"] == "CC0"
    assert found["start"] == "a.safetensors"
    assert replace(recipe, start=None).describe()["start"] is None


@pytest.mark.parametrize("name", [name for name in RECIPES if name.startswith("reader-")])
def test_the_recipes_of_the_package_can_be_read(name: str, home: Path) -> None:
    recipe = ReaderRecipe.load(name)
    assert recipe.base == "e5-small-q4"
    assert all(
        Path(file).is_relative_to(home / "data")
        for source in recipe.sources
        for file in source.files
    )


def test_the_recipe_in_several_languages_is_mixed_as_said(home: Path) -> None:
    recipe = ReaderRecipe.load("reader-multi")
    assert sum(source.weight for source in recipe.sources) == 100
    assert all(source.license for source in recipe.sources)


def test_old_names_of_settings_still_work(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text("[reader]\ndevelopment = 3\nsources = [{ files = [], switched = 0.5 }]")
    with pytest.warns(RenamedWarning) as warnings:
        recipe = ReaderRecipe.load(path)
    assert (recipe.validation, recipe.sources[0].code_switched) == (3, 0.5)
    assert "'development' is now called 'validation'" in str(warnings[0].message)


DISTILLING = """
[reader]
validation = {validation}
[[reader.sources]]
files = ["./a.json"]
[reader.distillation]
passages = ["./a.json"]
{setting}
[[reader.distillation.sources]]
files = ["./questions.tsv", "squad/train-v1.1.json"]
"""


def test_files_of_a_distillation_are_located_and_described(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(DISTILLING.format(validation=1, setting=""))
    recipe = ReaderRecipe.load(path, ["distillation.windows=5"])
    squad = str(home / "data" / "squad" / "train-v1.1.json")
    own = [str(tmp_path / name) for name in ("a.json", "questions.tsv")]
    assert recipe.patterns() == [own[0], own[1], squad, own[0]]
    described = recipe.describe()["distillation"]
    assert described["windows"] == 5
    assert described["sources"][0]["files"] == ["questions.tsv", "squad/train-v1.1.json"]
    assert described["passages"] == ["a.json"]


def test_without_distillation_a_description_is_what_it_was() -> None:
    assert "distillation" not in ReaderRecipe.load("reader-multi").describe()


@pytest.mark.parametrize(
    ("validation", "setting", "message"),
    [
        (1, "temperature = 0", "temperature must be more than 0, not 0"),
        (1, "depth = 0", "depth must be 1 or more, not 0"),
        (1, "teachers = 2", "distillation has no setting 'teachers'"),
        (0, "", "validation must be 1 or more where distillation has one"),
    ],
)
def test_distillations_that_cannot_be_used(
    tmp_path: Path, validation: int, setting: str, message: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(DISTILLING.format(validation=validation, setting=setting))
    with pytest.raises(ConfigError, match=message):
        ReaderRecipe.load(path)
