from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.io.word_probabilities import read_word_probabilities, table_files
from xorqa.lab.training.bitext.probability_table import write_word_probabilities

WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=5)
SHARES = st.floats(0.01, 0.2)
WORDS_OF_TWO = [("de", "see", "lake"), ("fi", "joki", "river")]
TRANSLATED = st.dictionaries(
    WORDS, st.dictionaries(WORDS, SHARES, min_size=1, max_size=4), min_size=1
)
TABLES = st.dictionaries(st.sampled_from(["de", "ja"]), TRANSLATED)


@given(TABLES)
def test_a_table_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, dict[str, dict[str, float]]]
) -> None:
    path = tmp_path_factory.mktemp("table") / "psq.tsv"
    write_word_probabilities(path, table)
    read = read_word_probabilities(path)
    assert read.keys() == table.keys()
    for lang, words in table.items():
        assert read[lang].keys() == words.keys()
        for word, translations in words.items():
            assert read[lang][word] == pytest.approx(translations, rel=1e-3)


def test_the_likeliest_translation_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "psq.tsv"
    write_word_probabilities(path, {"fi": {"joki": {"stream": 0.2, "river": 0.7}}})
    assert path.read_text("utf-8") == "fi\tjoki\triver\t0.7\nfi\tjoki\tstream\t0.2\n"


@pytest.mark.parametrize("name", ["psq.tsv", "words"])
def test_the_words_of_one_language_in_a_file_or_a_folder(tmp_path: Path, name: str) -> None:
    table = {lang: {word: {english: 0.55}} for lang, word, english in WORDS_OF_TWO}
    write_word_probabilities(tmp_path / name, {"sv": {"sjö": {"lake": 0.5}}})
    write_word_probabilities(tmp_path / name, table)
    assert read_word_probabilities(tmp_path / name) == table
    assert read_word_probabilities(tmp_path / name, "fi") == {"fi": table["fi"]}
    assert read_word_probabilities(tmp_path / name, "ko") == {}
    files = [path.name for path in table_files(tmp_path / name)]
    assert files == (["psq.tsv"] if name == "psq.tsv" else ["de.zip", "english.txt.bz2", "fi.zip"])


@given(st.dictionaries(st.sampled_from(["de", "ja"]), TRANSLATED, min_size=1))
def test_a_packed_table_has_probabilities_in_tenths(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, dict[str, dict[str, float]]]
) -> None:
    folder = tmp_path_factory.mktemp("table") / "words"
    write_word_probabilities(folder, table)
    read = read_word_probabilities(folder)
    assert read.keys() == table.keys()
    for lang, words in table.items():
        assert read[lang].keys() == words.keys()
        for word, translations in words.items():
            assert read[lang][word].keys() == translations.keys()
            assert read[lang][word] == pytest.approx(translations, abs=0.11)
            assert sum(read[lang][word].values()) < 1 + 1e-9


def test_words_may_share_more_letters_than_a_byte_counts(tmp_path: Path) -> None:
    words = ["a" * 254, "a" * 300, "a" * 300 + "b", "b"]
    write_word_probabilities(tmp_path, {"de": {word: {"lake": 0.55} for word in words}})
    assert [*read_word_probabilities(tmp_path)["de"]] == words


def test_other_files_stay_and_empty_languages_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "thesis.zip").write_bytes(b"mine")
    for table in ({"sv": {"sjö": {"lake": 0.5}}}, {"fi": {}, "de": {"see": {"lake": 0.55}}}):
        write_word_probabilities(tmp_path, table)
    assert read_word_probabilities(tmp_path) == {"de": {"see": {"lake": 0.55}}}
    assert (tmp_path / "thesis.zip").read_bytes() == b"mine"


@pytest.mark.parametrize("name", ["fi.zip", "english.txt.bz2"])
def test_a_damaged_packed_table(tmp_path: Path, name: str) -> None:
    table = {"fi": {"joki": {"river": 0.7}, "suuri joki": {"large": 0.3, "river": 0.5}}}
    write_word_probabilities(tmp_path / "words", table)
    write_word_probabilities(tmp_path / "fewer", {"fi": {"joki": {"river": 0.7}}})
    path = tmp_path / "words" / name
    whole = path.read_bytes()
    others = [(tmp_path / "fewer" / name).read_bytes()] if name == "english.txt.bz2" else []
    for damaged in (b"", whole[: len(whole) // 2], *others):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"fi\.zip is damaged \(.*\); make it again"):
            read_word_probabilities(tmp_path / "words")


@pytest.mark.parametrize("p", ["0", "1.5", "-0.1", "nan", "much", "inf"])
def test_probabilities_are_from_0_to_1(tmp_path: Path, p: str) -> None:
    path = tmp_path / "psq.tsv"
    path.write_text(f"fi\tjoki\triver\t0.7\nfi\tkoti\thome\t{p}\n", "utf-8")
    with pytest.raises(DataError, match=r"psq\.tsv, line 2: the probability '.*' of 'koti'"):
        read_word_probabilities(path)


def test_the_probabilities_of_a_word_add_up_to_1(tmp_path: Path) -> None:
    path = tmp_path / "psq.tsv"
    path.write_text("fi\tjoki\triver\t0.7\nfi\tjoki\tstream\t0.7\n", "utf-8")
    with pytest.raises(DataError, match=r"line 2: .* add up to more than 1"):
        read_word_probabilities(path)
    path.write_text("fi\tjoki\triver\n", "utf-8")
    with pytest.raises(DataError, match="line 1: needs language, word, English word and prob"):
        read_word_probabilities(path)
