from math import log
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.files import index_folder
from xorqa.io.word_probabilities import read_word_probabilities
from xorqa.lab.training.bitext.probability_table import write_word_probabilities
from xorqa.models.word_translations import BUNDLED_TABLE
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.over_corpus import retriever_over
from xorqa.retrieval.psq import Psq

PASSAGES = [
    Passage("inari", "Inari is a lake in Finland, a deep lake.", "Inari"),
    Passage("nile", "The Nile is a river and no stream.", "Nile"),
    Passage("pond", "A pond is smaller than a lake.", "Pond"),
    Passage("rhine", "The Rhine is a river.", "Rhine"),
]
CORPUS = Corpus("waters", PASSAGES)
TABLE = {"fi": {"järvi": {"lake": 0.6, "pond": 0.2}, "joki": {"river": 0.5, "stream": 0.4}}}


@pytest.fixture
def table(tmp_path: Path) -> str:
    write_word_probabilities(tmp_path / "psq.tsv", TABLE)
    return str(tmp_path / "psq.tsv")


def psq(folder: Path, *, corpus: Corpus = CORPUS, **options: object) -> Psq:
    return Psq(corpus=corpus, folder=folder / "psq", **options)  # type: ignore[arg-type]


def query(text: str, lang: str = "fi") -> Query:
    return Query(Question("q", text, lang), "ignored: a translation", "en")


def found(retriever: Psq | Bm25, one: Query, k: int = 9) -> list[tuple[str, float]]:
    [hits] = retriever.retrieve([one], k=k)
    return [(hit.passage.docid, hit.score) for hit in hits]


def test_all_translations_of_a_word_are_searched(table: str, tmp_path: Path) -> None:
    docids = [docid for docid, _ in found(psq(tmp_path, table=table), query("Mikä järvi?"))]
    assert docids == ["inari", "pond"]  # both have a translation, Inari twice the likelier one
    docids = [docid for docid, _ in found(psq(tmp_path, table=table), query("Joki?"))]
    assert docids == ["nile", "rhine"]


def test_frequencies_are_expectations(table: str, tmp_path: Path) -> None:
    """Darwish and Oard's formulas in BM25, by hand; a fifth of `järvi` has no translation."""
    scores = dict(found(psq(tmp_path, table=table), query("järvi")))
    lengths = {"inari": 6, "nile": 4, "pond": 4, "rhine": 3}  # tokens without stop words
    mean = sum(lengths.values()) / 4
    lake, pond = 0.6 / 0.8, 0.2 / 0.8
    frequency = {"inari": 2 * lake, "pond": lake + 2 * pond}
    documents = 2 * lake + 1 * pond
    idf = log(1 + (4 - documents + 0.5) / (documents + 0.5))
    for docid, tf in frequency.items():
        norm = 0.9 * (0.6 + 0.4 * lengths[docid] / mean)
        assert scores[docid] == pytest.approx(0.8 * idf * tf / (tf + norm)), docid


def test_words_without_translation_match_as_they_are_or_by_their_stem(
    table: str, tmp_path: Path
) -> None:
    searcher = psq(tmp_path, table=table)
    write_word_probabilities(Path(table), TABLE | {"fi": TABLE["fi"] | {"smalley": {"lake": 0.9}}})
    matches = {"Inari": ["inari"], "Nilessa": ["nile"], "Rhinellä": ["rhine"], "smaller": ["pond"]}
    for text, docids in matches.items():
        assert [docid for docid, _ in found(searcher, query(text))] == docids, text
    assert found(searcher, query("lakes", "en")) == []  # in the passages' language: BM25


WORDS = st.lists(st.sampled_from(["lake", "river", "Finland", "pond", "the", "sea"]), max_size=6)


@given(WORDS)
@settings(deadline=None)
def test_in_the_passages_language_it_is_bm25(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("indexes")
    one = Query(Question("q", " ".join(words), "en"), " ".join(words), "en")
    bm25 = Bm25(corpus=CORPUS, folder=folder / "bm25")
    expected = found(bm25, one)
    result = found(psq(folder), one)
    assert [docid for docid, _ in result] == [docid for docid, _ in expected]
    assert [s for _, s in result] == pytest.approx([s for _, s in expected], rel=1e-4)


def test_unknown_words_match_themselves(table: str, tmp_path: Path) -> None:
    assert found(psq(tmp_path, table=table), query("Inari?"))[0][0] == "inari"
    assert found(psq(tmp_path, table=table), query("Missä?")) == []
    assert found(psq(tmp_path, table=table), query("  ")) == []


def test_inflected_forms_and_phrases_are_found(tmp_path: Path) -> None:
    table = {"fi": {"järv": {"lake": 0.9}, "syvä järv": {"pond": 0.9}}}
    write_word_probabilities(tmp_path / "stems.tsv", table)
    lakes = Corpus("lakes", [Passage("a", "Lakes."), Passage("b", "A pond."), Passage("c", "Sea")])
    retriever = psq(tmp_path, corpus=lakes, table=str(tmp_path / "stems.tsv"))
    assert [docid for docid, _ in found(retriever, query("järvien"))] == ["a"]
    assert [docid for docid, _ in found(retriever, query("syvän järven"))] == ["b"]


def test_a_word_in_every_passage_harms_none(tmp_path: Path) -> None:
    write_word_probabilities(tmp_path / "t.tsv", {"de": {"passwort": {"password": 0.9}}})
    texts = {"a": "Password, passwords.", "b": "Passwords: a password.", "c": "Password, passwords"}
    corpus = Corpus("passwords", [Passage(docid, text) for docid, text in texts.items()])
    hits = found(
        psq(tmp_path, corpus=corpus, table=str(tmp_path / "t.tsv")), query("Passwort", "de")
    )
    assert {docid for docid, score in hits if score > 0} == {"a", "b", "c"}


def test_a_translation_stands_for_all_forms_of_its_words(tmp_path: Path) -> None:
    table = {"fi": {"x": {"cities": 0.9}, "y": {"hous": 0.9}, "z": {"New York": 0.9}}}
    write_word_probabilities(tmp_path / "t.tsv", table)
    texts = ("A city.", "Two houses.", "York, new.", "Nothing.")
    corpus = Corpus("forms", [Passage(text, text) for text in texts])
    retriever = psq(tmp_path, corpus=corpus, table=str(tmp_path / "t.tsv"))
    for word, text in zip("xyz", texts, strict=False):
        assert [docid for docid, _ in found(retriever, query(word, "fi"))] == [text]
    counts = retriever.index["en"]
    assert sum(counts.inflected({"New York": 0.9}).values()) == pytest.approx(0.9)


def test_the_stem_comes_before_the_word(tmp_path: Path) -> None:
    stems = {"gut": {"good": 0.9}, "guten tag": {"hello": 0.9}, "fed": {"feather": 0.9}}
    write_word_probabilities(tmp_path / "t.tsv", {"de": {**stems, "feder": {"spring": 0.9}}})
    texts = ("A feather.", "Hello!", "It is good.", "In spring.")
    corpus = Corpus("words", [Passage(text, text) for text in texts])
    retriever = psq(tmp_path, corpus=corpus, table=str(tmp_path / "t.tsv"))
    for text, wanted in (("guten", "It is good."), ("Feder", "A feather.")):
        assert [docid for docid, _ in found(retriever, query(text, "de"))] == [wanted]


def test_only_english_passages_are_searched_with_translations(table: str, tmp_path: Path) -> None:
    mixed = Corpus("mixed", [*PASSAGES, Passage("fi-1", "Inari on järvi.", "Inari", "fi")])
    docids = {docid for docid, _ in found(psq(tmp_path, corpus=mixed, table=table), query("järvi"))}
    assert docids == {"fi-1", "inari", "pond"}
    english = Passage("de-1", "Das ist a lake.", "", "de")  # no German translations in the table
    german = Corpus("german", [english])
    assert found(psq(tmp_path / "de", corpus=german, table=table), query("järvi")) == []


def test_settings_share_an_index_and_change_the_fingerprint(table: str, tmp_path: Path) -> None:
    tables = [{"use": "psq"}, {"use": "psq", "table": table}, {"use": "psq", "k1": 1.2}]
    stages = [retriever_over(CORPUS, one, tmp_path) for one in tables]
    assert {stage.folder for stage in stages} == {index_folder(tmp_path, {"use": "psq"})}  # type: ignore[attr-defined]
    assert len({stage.fingerprint() for stage in stages}) == 3
    before = stages[1].fingerprint()
    write_word_probabilities(Path(table), {"fi": {}})
    assert retriever_over(CORPUS, tables[1], tmp_path).fingerprint() != before


def test_the_bundled_table_translates_words_of_sixteen_languages(tmp_path: Path) -> None:
    table = read_word_probabilities(BUNDLED_TABLE)
    languages = "ar bn de el es fi hi ja ko ro ru te th tr vi zh"
    assert table.keys() >= set(languages.split())
    assert "river" in table["fi"]["joki"]
    assert "laboratory" in table["th"]["ห้องปฏิบัติการ"]
    die = Corpus("die", [Passage("dice", "A die has six sides.")])
    assert found(psq(tmp_path / "die", corpus=die), query("die", "de")) == []
    assert found(psq(tmp_path), query("Mikä järvi?"))[0][0] == "inari"


@pytest.mark.parametrize("name", ["missing.tsv", "empty"])
def test_a_table_that_is_missing(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    stage = psq(tmp_path, table=str(tmp_path / name))
    with pytest.raises(ConfigError, match=rf"no table .*{name}; make one with: xorqa train"):
        stage.build()
    assert not (tmp_path / "psq").exists()


@pytest.mark.parametrize("name", ["counts.npy", "vocabulary.json", "stems.json"])
def test_a_damaged_index(tmp_path: Path, name: str) -> None:
    psq(tmp_path).build()
    (tmp_path / "psq" / "text_en" / name).write_bytes(b"[]")
    with pytest.raises(DataError, match=r"is damaged .*rebuild it with xorqa index --rebuild"):
        found(psq(tmp_path), query("lake", "en"))
