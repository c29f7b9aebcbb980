from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.datasets import mini
from xorqa.datasets.catalog import CATALOG, load_dataset
from xorqa.datasets.publications import PUBLICATIONS

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def test_entries_are_made_of_sources_there_are():
    for entry in CATALOG.values():
        assert set(entry.sources) <= set(PUBLICATIONS)
        assert entry.about
        assert entry.license


def test_the_bundled_world_needs_nothing(home):
    dataset = load_dataset("mini")
    assert dataset is mini.load()
    assert dataset.name == "mini"
    assert not home.exists()


def test_an_unknown_name_lists_the_names():
    with pytest.raises(ConfigError) as error:
        load_dataset("maxi")
    names = ", ".join(sorted(CATALOG))
    assert str(error.value) == f"no data set is called 'maxi'; there are: {names}"


def test_what_is_missing_is_named_with_the_command_that_fetches_it(home):
    with pytest.raises(DataError, match=r"squad and xquad; .*: xorqa data fetch squad xquad$"):
        load_dataset("xquad-open")
    folder = home / "data" / "squad"
    folder.mkdir(parents=True)
    for file in PUBLICATIONS["squad"].files:
        assert "squad" in CATALOG["xquad-open"].absent()
        (folder / file).touch()
    with pytest.raises(DataError, match=r"fetch what is missing with: xorqa data fetch xquad$"):
        load_dataset("xquad-open")


@pytest.mark.parametrize("name", ["xor-tydi", "chooser-train"])
def test_only_files_that_are_read_are_needed(home, name):
    entry = CATALOG[name]
    assert set(entry.needs["xor-tydi"]) < set(PUBLICATIONS["xor-tydi"].files)
    folder = home / "data" / "xor-tydi"
    folder.mkdir(parents=True)
    for file in entry.needs["xor-tydi"]:
        assert "xor-tydi" in entry.absent()
        (folder / file).touch()
    assert "xor-tydi" not in entry.absent()


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared")
def test_fetched_data_load_by_name(home):
    home.mkdir()
    (home / "data").symlink_to(SHARED)
    dataset = load_dataset("xquad-open")
    assert dataset.name == "xquad-open"
    assert f"{len(dataset.corpora['en']):,}" in CATALOG["xquad-open"].about


def test_only_some_languages():
    dataset = mini.load()
    assert {example.question.lang for example in dataset.only(["ja"]).examples} == {"ja"}
    with pytest.raises(ConfigError, match=r"^data set mini has no questions in 'sv'; there are"):
        dataset.only(["ja", "sv"])
