from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError
from xorqa.lab.training.biencoder.recipe import BiencoderRecipe, BiencoderSource
from xorqa.lab.training.common.recipe import RECIPES
from xorqa.lab.training.reader.recipe import ReaderRecipe


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[reader]\nsources = []", r"has no table \[biencoder\]"),
        ("[biencoder]", "needs a setting 'sources'"),
        ("[biencoder]\nsources = []\nepochs = 3", "has no setting 'epochs'; valid: alpha"),
        (
            "[biencoder]\nsources = []\nsampler = 'x'",
            "sampler cannot be 'x'; valid: any, en-en, x-x",
        ),
        ("[biencoder]\nsources = []\nunit = 'word'", "unit cannot be 'word'; valid: passage"),
        ("[biencoder]\nsources = []\npooling = 'max'", "pooling cannot be 'max'; valid: cls"),
        ("[biencoder]\nsources = []\ntowers = 3", "towers cannot be 3; valid: 1, 2"),
        ("[biencoder]\nsources = []\nnegatives = ['me']", "cannot be 'me'; valid: bm25, enc"),
        ("[biencoder]\nsources = []\nbatch_size = 1", "batch_size must be 2 or more, not 1"),
        ("[biencoder]\nsources = []\nmono_steps = true", 'needs sampler = "x-x-mono", not "x-x"'),
        ("[biencoder]\nsources = []\nsteps = 0", "steps must be 1 or more, not 0"),
        ("[biencoder]\nsources = []\nmargin = -0.1", "margin must be 0 or more, not -0.1"),
        ("[biencoder]\nsources = []\nscale = 0", "scale must be more than 0, not 0"),
        ("[[biencoder.sources]]\nfiles = []\ncode_switched = 1", "no setting 'code_switched'"),
        ("[[biencoder.sources]]\nfiles = []\nheld_out = 2", "held_out must be from 0 to 1, not 2"),
    ],
)
def test_recipes_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        BiencoderRecipe.load(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [path for path in RECIPES.values() if "[biencoder]" in path.read_text()],
    ids=lambda path: path.stem,
)
def test_the_recipes_of_the_package(path: Path) -> None:
    recipe = BiencoderRecipe.load(path.stem)
    assert recipe.sources
    assert not any("xquad" in file for source in recipe.sources for file in source.files)


def test_files_are_paths_or_fetched_data(tmp_path: Path, home: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("""
        [biencoder]
        parallel = ["./pairs.tsv", "parallel/pairs.tsv"]
        sources = [{ files = ["squad/c.json"], lang = "en" }]
    """)
    recipe = BiencoderRecipe.load(path)
    data = home / "data"
    assert recipe.parallel == (str(tmp_path / "pairs.tsv"), str(data / "parallel/pairs.tsv"))
    assert recipe.sources[0].paths == [data / "squad" / "c.json"]


def test_a_description_does_not_depend_on_folders_and_tells_prefixes(
    home: Path, tiny: Path
) -> None:
    source = BiencoderSource(
        (str(home / "data" / "squad" / "a.json"), "/elsewhere/b.json"), lang="en"
    )
    table = BiencoderRecipe((source,), parallel=("/elsewhere/pairs.tsv",)).describe()
    assert table["sources"][0]["files"] == ["squad/a.json", "b.json"]
    assert table["parallel"] == ["pairs.tsv"]
    assert (table["query_prefix"], table["passage_prefix"]) == ("query: ", "passage: ")
    other = BiencoderRecipe((source,), base=str(tiny)).describe()
    assert (other["query_prefix"], other["passage_prefix"]) == ("", "")


def test_only_encoders_are_trained_with_all_weights() -> None:
    assert BiencoderRecipe((), method="all").finetuning.method == "all"
    with pytest.raises(ConfigError, match=r"\[reader\] cannot train method = 'all'; valid: full"):
        ReaderRecipe((), method="all")
