import runpy
from collections import Counter
from pathlib import Path

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.lang import LANGUAGES
from xorqa.core.types import Example, Gold, Passage, Question, Span
from xorqa.datasets import mini
from xorqa.datasets.catalog import CATALOG, PUBLICATIONS, corpora_of, find_dataset, load_dataset
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.lab.training.chooser_train import DISTANT

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "data"


RIVERS = [Passage("fi-1", "Kemijoki on 550 km pitkä.", lang="fi")]
QUESTION = Question("q1", "Kuinka pitkä Kemijoki on?", "fi")


def rivers():
    """One question about a river."""
    example = Example(QUESTION, (Gold("550 km", "fi", "fi-1", Span(12, 18)),))
    return Dataset("rivers", (example,), {"fi": Corpus("rivers.fi", RIVERS)})


OUTSIDE = f"{__name__}:rivers"
NAMES = [pytest.param(name, marks=pytest.mark.slow) for name in CATALOG if name != "mini"]


@pytest.mark.parametrize("name", [*CATALOG, OUTSIDE])
def test_an_entry_is_described_and_its_sources_are_known(name):
    entry = find_dataset(name)
    assert set(entry.needs) <= set(entry.sources) <= set(PUBLICATIONS)
    assert entry.about.strip() and "\n" not in entry.about
    assert entry.license
    assert name == OUTSIDE or entry.use


def test_the_page_has_the_cards_of_the_entries():
    cards = runpy.run_path(str(ROOT / "docs" / "data_cards.py"))
    page = cards["PAGE"].read_text(encoding="utf-8")
    assert cards["with_cards"](page) == page
    assert "| `te-mixed` | te, 510 | 694 | 20,880 | squad, tequad, tydiqa-goldp |" in page
    with pytest.raises(ValueError, match=r"data.md has no section for xor-tydi, xor-tydi-test$"):
        cards["with_cards"](page.replace("### xor-tydi", "### XOR"))


@pytest.mark.parametrize("name", ["mini", OUTSIDE, *NAMES])
def test_data_sets(home, name):
    """The conformance test: ids, languages, and the places of answers."""
    home.mkdir()
    if SHARED.is_dir():
        (home / "data").symlink_to(SHARED)
    distant = name == "chooser-train" and not (SHARED / DISTANT).is_file()
    if distant or find_dataset(name).absent():
        pytest.skip("needs ../shared, and chooser-train distant pairs")
    dataset = load_dataset(name)
    assert dataset.name == name
    assert dataset.examples
    qids = [example.question.qid for example in dataset.examples]
    assert len(set(qids)) == len(qids)
    for example in dataset.examples:
        assert example.question.text.strip() and example.question.lang in LANGUAGES
        for gold in example.golds:
            assert gold.text and gold.lang in LANGUAGES
            if gold.docid and gold.span:
                text = dataset.corpora[gold.lang][gold.docid].text
                assert gold.text == text[gold.span.start : gold.span.end]
    for lang, corpus in dataset.corpora.items():
        assert lang in LANGUAGES and len(corpus)
    if (entry := find_dataset(name)).questions:
        assert Counter(example.question.lang for example in dataset.examples) == entry.questions
        assert {lang: len(corpus) for lang, corpus in dataset.corpora.items()} == entry.passages
    assert load_dataset(name).examples == dataset.examples


def test_a_data_set_from_outside():
    assert load_dataset(OUTSIDE).examples == rivers().examples
    assert [corpus.name for corpus in corpora_of(OUTSIDE, "all")] == ["rivers.fi"]
    assert find_dataset(OUTSIDE).about == "One question about a river."
    with pytest.raises(ConfigError, match=f"{OUTSIDE} has no corpus 'te'; valid: fi"):
        corpora_of(OUTSIDE, "fi,te")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no_package:load", "data set 'no_package:load' cannot be imported: No module named"),
        ("os:no_such_name", "data set 'os:no_such_name' cannot be imported: module 'os' has no"),
        ("os:path", "'os:path' is not a data set: it must be callable without arguments"),
        ("os.path:join", "'os.path:join' is not a data set: it must be callable without arguments"),
        ("os:getcwd", "'os:getcwd' is not a data set: it returned str, not a Dataset"),
    ],
)
def test_objects_that_are_not_data_sets(name, message):
    with pytest.raises(ConfigError, match=f"^{message}"):
        load_dataset(name)


def test_the_bundled_world_needs_nothing(home):
    dataset = load_dataset("mini")
    assert dataset is mini.load()
    assert dataset.name == "mini"
    assert not home.exists()


def test_an_unknown_name_lists_the_names():
    with pytest.raises(ConfigError) as error:
        load_dataset("maxi")
    names = ", ".join(sorted(CATALOG))
    assert str(error.value) == (f"no data set is called 'maxi'; valid: {names}, or module:name")


def test_missing_sources_are_named_with_the_fetch_command(home):
    with pytest.raises(DataError, match=r"squad and xquad; .*: xorqa data fetch squad xquad$"):
        load_dataset("xquad-open")
    folder = home / "data" / "squad"
    folder.mkdir(parents=True)
    for file in PUBLICATIONS["squad"].files:
        assert "squad" in find_dataset("xquad-open").absent()
        (folder / file).touch()
    with pytest.raises(DataError, match=r"fetch what is missing with: xorqa data fetch xquad$"):
        load_dataset("xquad-open")


@pytest.mark.parametrize("name", ["xor-tydi", "chooser-train"])
def test_only_files_that_are_read_are_needed(home, name):
    entry = find_dataset(name)
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
    assert f"{len(dataset.corpora['en']):,}" in find_dataset("xquad-open").about


def test_selected_languages():
    dataset = mini.load()
    assert {example.question.lang for example in dataset.only(["ja"]).examples} == {"ja"}
    with pytest.raises(ConfigError, match=r"^data set mini has no questions in 'sv'; valid"):
        dataset.only(["ja", "sv"])


def test_the_table_is_well_formed():
    for name, publication in PUBLICATIONS.items():
        assert publication.name == name
        assert publication.page.startswith("https://")
        assert publication.license
        assert len(publication.files) > 0
        assert not publication.url or (
            publication.url.startswith("https://") and publication.url.endswith("/")
        )
        for file, sha in publication.files.items():
            assert sha is None or publication.url, f"{file} has a hash but no address"
            assert not sha or len(bytes.fromhex(sha)) == 32
    assert (len(PUBLICATIONS["squad"].files), len(PUBLICATIONS["xquad"].files)) == (2, 12)


def test_evaluation_data_is_marked():
    only = {name for name, row in PUBLICATIONS.items() if row.use == "evaluation only"}
    assert only == {"xquad", "xquad-r", "mlqa", "mlqa-translate-test", "tequad"}
