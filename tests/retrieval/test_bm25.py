import json
import shutil
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from xorqa.core.errors import ConfigError, DataError, IndexMismatchError, LockedError
from xorqa.core.text import search_tokens
from xorqa.core.types import Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.locks import lock_path
from xorqa.retrieval import manifest
from xorqa.retrieval.bm25 import STOP_WORDS, Bm25, best_rows
from xorqa.retrieval.lexical import field_name
from xorqa.retrieval.over_corpus import folder_of_index

pytest.importorskip("bm25s")

PASSAGES = [
    Passage("d", "The Nile is a river in Africa.", "Nile"),
    Passage("c", "The Rhine is a river in Europe.", "Rhine"),
    Passage("b", "A lake is no river.", "Lake"),
    Passage("a", "A lake is no river.", "Lake"),
    Passage("j", "東京は日本の首都である。", "東京", "ja"),
    Passage("k", "대한민국의 수도는 서울이다.", "서울", "ko"),
]
CORPUS = Corpus("rivers", PASSAGES)
ENGLISH = Corpus("english", PASSAGES[:4])


def query(text: str, lang: str = "en") -> Query:
    return Query(Question("q", text, lang), text, lang)


def docids(retriever: Bm25, text: str, lang: str = "en", k: int = 10) -> list[str]:
    [hits] = retriever.retrieve([query(text, lang)], k=k)
    return [hit.passage.docid for hit in hits]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Bm25:
    return Bm25(corpus=CORPUS, folder=tmp_path_factory.mktemp("bm25") / "index")


def test_one_result_a_query_in_its_order(retriever: Bm25) -> None:
    texts = ["Nile", "", "Rhine", "   ", "Where is the", "unheard", "?!"]
    found = retriever.retrieve([query(text) for text in texts], k=5)
    assert [[hit.passage.docid for hit in hits] for hits in found] == [
        ["d"],
        [],
        ["c"],
        [],
        [],
        [],
        [],
    ]
    assert retriever.retrieve([], k=5) == []
    assert retriever.retrieve([query("river")], k=0) == [[]]


def test_equal_scores_stand_by_docid_even_where_k_cuts_them(retriever: Bm25) -> None:
    assert docids(retriever, "lake") == ["a", "b"]
    assert docids(retriever, "lake", k=1) == ["a"]


def test_scores_fall_and_the_title_is_searched(retriever: Bm25) -> None:
    [hits] = retriever.retrieve([query("nile river lake")], k=10)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    titled = Corpus("titled", [Passage("1", "Long and old.", "Nile"), Passage("2", "Wet.")])
    found = Bm25(corpus=titled, folder=retriever.folder.parent / "titled")
    assert docids(found, "nile") == ["1"]


def test_scores_are_bm25_as_lucene_counts_it(tmp_path: Path) -> None:
    corpus = Corpus("two", [Passage("1", "nile nile river"), Passage("2", "lake")])
    [[hit]] = Bm25(corpus=corpus, folder=tmp_path / "i", k1=0.9, b=0.4).retrieve(
        [query("nile")], k=2
    )
    idf = np.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    assert hit.score == pytest.approx(idf * 2 / (2 + 0.9 * (1 - 0.4 + 0.4 * 3 / 2)), rel=1e-5)


def test_a_repeated_token_counts_as_often(retriever: Bm25) -> None:
    [[once], [twice]] = retriever.retrieve([query("Nile"), query("Nile nile")], k=1)
    assert twice.score == pytest.approx(2 * once.score)


def test_a_query_searches_the_passages_of_its_language(retriever: Bm25) -> None:
    assert docids(retriever, "日本の首都はどこですか", "ja") == ["j"]
    assert docids(retriever, "수도는 어디", "ko") == ["k"]
    assert docids(retriever, "日本の首都", "en") == []


def test_a_query_in_another_language_searches_all(retriever: Bm25) -> None:
    both = docids(retriever, "Nile 東京", "fi")
    assert sorted(both) == ["d", "j"]
    assert docids(retriever, "Nile 東京", "fi", k=1) == both[:1]


def test_a_long_question_and_half_a_character_work(retriever: Bm25) -> None:
    assert docids(retriever, "river in Africa " * 700)[0] == "d"
    assert docids(retriever, "Nile \ud83d") == ["d"]


def test_an_index_is_opened_again(retriever: Bm25) -> None:
    retriever.retrieve([query("river")], k=1)
    written = (retriever.folder / "manifest.json").stat().st_mtime_ns
    again = Bm25(corpus=CORPUS, folder=retriever.folder)
    queries = [query("nile river lake"), query("東京", "ja")]
    assert again.retrieve(queries, k=9) == retriever.retrieve(queries, k=9)
    assert (retriever.folder / "manifest.json").stat().st_mtime_ns == written
    assert again.fingerprint() == retriever.fingerprint()


def test_every_language_is_searched_on_demand(tmp_path: Path) -> None:
    retriever = Bm25(corpus=CORPUS, folder=tmp_path / "i", every_language=True)
    assert sorted(docids(retriever, "the Nile of 東京")) == ["d", "j"]
    assert docids(retriever, "the Nile", k=1) == ["d"]
    alone = Bm25(corpus=CORPUS, folder=tmp_path / "i")  # of the same index
    assert docids(alone, "the Nile of 東京") == ["d"]
    tables = {"use": "bm25"}, {"use": "bm25", "every_language": True}
    assert len({folder_of_index(table, tmp_path) for table in tables}) == 1
    assert (retriever.ranks_each_language, alone.ranks_each_language) == (False, True)


def test_the_fingerprint_knows_corpus_and_settings(tmp_path: Path) -> None:
    prints = {
        Bm25(corpus=CORPUS, folder=tmp_path / "i").fingerprint(),
        Bm25(corpus=ENGLISH, folder=tmp_path / "i").fingerprint(),
        Bm25(corpus=CORPUS, folder=tmp_path / "i", k1=1.2).fingerprint(),
        Bm25(corpus=CORPUS, folder=tmp_path / "i", b=0.5).fingerprint(),
        Bm25(corpus=CORPUS, folder=tmp_path / "i", every_language=True).fingerprint(),
    }
    assert len(prints) == 5
    first = Bm25(corpus=CORPUS, folder=tmp_path / "i")
    before = first.fingerprint()
    first.build()
    assert first.fingerprint() == before
    assert not list(tmp_path.glob(".*"))


def test_progress_ends_with_all_passages(tmp_path: Path) -> None:
    calls: list[tuple[int, int]] = []
    Bm25(corpus=CORPUS, folder=tmp_path / "i").build(progress=lambda *call: calls.append(call))
    assert calls[-1] == (len(CORPUS), len(CORPUS))


def test_an_index_of_other_passages_or_settings_is_refused(tmp_path: Path) -> None:
    Bm25(corpus=CORPUS, folder=tmp_path / "i").build()
    with pytest.raises(IndexMismatchError, match="corpus_sha"):
        Bm25(corpus=ENGLISH, folder=tmp_path / "i").retrieve([query("lake")], k=1)
    other = Bm25(corpus=CORPUS, folder=tmp_path / "i", k1=2.0)
    with pytest.raises(IndexMismatchError, match="k1"):
        other.build()
    other.build(rebuild=True)
    assert docids(other, "nile") == ["d"]


def test_a_rebuilt_index_is_what_is_searched(tmp_path: Path) -> None:
    first = Bm25(corpus=ENGLISH, folder=tmp_path / "i")
    hits = first.retrieve([query("lake")], k=2)
    first.build(rebuild=True)
    assert first.retrieve([query("lake")], k=2) == hits


@pytest.mark.parametrize(
    "name", ["data.csc.index.npy", "indptr.csc.index.npy", "vocab.index.json", "params.index.json"]
)
def test_a_damaged_index_is_one_clear_line(tmp_path: Path, name: str) -> None:
    Bm25(corpus=ENGLISH, folder=tmp_path / "i").build()
    path = tmp_path / "i" / field_name("en") / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataError, match=r"damaged .*--rebuild") as caught:
        Bm25(corpus=ENGLISH, folder=tmp_path / "i").retrieve([query("lake")], k=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ['{"kind": ', "[]"])
def test_a_damaged_manifest_is_an_error_that_rebuilding_mends(tmp_path: Path, text: str) -> None:
    retriever = Bm25(corpus=ENGLISH, folder=tmp_path / "i")
    retriever.build()
    (tmp_path / "i" / "manifest.json").write_text(text)
    with pytest.raises(DataError, match=r"manifest\.json"):
        retriever.build()
    retriever.build(rebuild=True)
    assert json.loads((tmp_path / "i" / "manifest.json").read_text())["kind"] == "bm25"


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, rebuild: bool) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="not an index"):
        Bm25(corpus=ENGLISH, folder=tmp_path).build(rebuild=rebuild)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    assert docids(Bm25(corpus=ENGLISH, folder=tmp_path), "nile") == ["d"]


@pytest.mark.filterwarnings("error")
def test_passages_without_any_token(tmp_path: Path) -> None:
    corpus = Corpus("marks", [Passage("1", "?!"), Passage("2", "日本", lang="../ja")])
    retriever = Bm25(corpus=corpus, folder=tmp_path / "i")
    assert docids(retriever, "what is nile") == []
    assert docids(retriever, "日本", "../ja") == ["2"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["i"]


@pytest.mark.parametrize(("k1", "b"), [(-0.1, 0.4), (0.9, 1.1), (0.9, -0.1)])
def test_impossible_settings_are_refused(tmp_path: Path, k1: float, b: float) -> None:
    with pytest.raises(ConfigError, match=r"must be (0 or more|from 0 to 1)"):
        Bm25(corpus=ENGLISH, folder=tmp_path, k1=k1, b=b)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30), st.integers(1, 40))
def test_the_best_rows_are_those_of_a_full_sort(values: list[int], k: int) -> None:
    scores = np.array(values, dtype=np.float32)
    rows = [row for row in range(len(values)) if values[row] > 0]
    assert best_rows(scores, k) == sorted(rows, key=lambda row: (-values[row], row))[:k]


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=60), st.sampled_from(["en", "ja", "ar", "te", "tr", "xx"]))
@example("⺀", "en")
@example("\ua9e5", "en")  # a vowel sign that stands alone
def test_tokens_are_normal_and_hold_no_blank(text: str, lang: str) -> None:
    for token in search_tokens.tokens(text, lang):
        assert token and not any(char.isspace() for char in token)
        # `regex` knows a newer Unicode than Python, and so letters that are unassigned here
        kinds = {unicodedata.category(char) for char in token}
        radical = "CJK RADICAL" in unicodedata.name(token[0], "")  # Han, but a symbol to Unicode
        assert radical or any(kind[0] in "LMN" or kind == "Cn" for kind in kinds)


@pytest.mark.parametrize(
    ("lang", "text", "tokens"),
    [
        ("en", "Who wrote Beyoncé's songs in 1999?", ["wrote", "beyonce", "songs", "1999"]),
        ("en", "snake_case", ["snake", "case"]),
        ("te", "భారతదేశ రాజధాని", ["భారతదేశ", "రాజధాని"]),
        ("bn", "বাংলাদেশের রাজধানী", ["বাংলাদেশের", "রাজধানী"]),
        ("hi", "क्या है", ["क्या", "है"]),
        ("ar", "مُحَمَّد كـتب", ["محمد", "كتب"]),
        ("ru", "Москва́ — столи́ца", ["москва", "столица"]),
        ("tr", "IŞIK İzmir", ["\u0131ş\u0131k", "izmir"]),
        ("el", "ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]),
        ("fi", "Ääni", ["ääni"]),
        ("ja", "NHK放送、東", ["nhk", "放送", "東"]),
        ("ja", "コンピュータ", ["コン", "ンピ", "ピュ", "ュー", "ータ"]),
        ("zh", "２０２０年", ["2020", "年"]),
        ("ko", "서울 수도는", ["서울", "수도", "도는"]),
        ("th", "กรุง", ["กร", "รุ", "ุง"]),
        ("en", "", []),
    ],
)
def test_tokens_by_language(lang: str, text: str, tokens: list[str]) -> None:
    assert search_tokens.tokens(text, lang) == tokens


BAND = Corpus(
    "bands",
    [
        Passage("1", "The Who are an English rock band.", "The Who"),
        Passage("2", "Who is it? It is the man who was to be there.", "Doors"),
        Passage("3", "To be, or not to be: so begins a speech.", "Hamlet"),
        Passage("4", "It is a novel about a clown.", "It"),
    ],
)


@pytest.mark.parametrize(
    ("text", "first"),
    [("The Who", "1"), ("Who are The Who?", "1"), ("to be or not to be", "3"), ("It", "4")],
)
def test_a_query_of_stop_words_only_finds(tmp_path: Path, text: str, first: str) -> None:
    assert docids(Bm25(corpus=BAND, folder=tmp_path / "i"), text)[0] == first


def test_an_index_is_searched_with_the_tokens_that_it_was_built_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus("songs", [Passage("1", "Beyoncé sang."), Passage("2", "Beyonce wrote.")])
    with monkeypatch.context() as earlier:
        earlier.setattr(search_tokens, "VERSION", 1)
        earlier.setitem(search_tokens.tokens.__kwdefaults__, "version", 1)
        old = Bm25(corpus=corpus, folder=tmp_path / "old")
        before = old.retrieve([query("Beyonce")], k=5), old.fingerprint()
    shutil.rmtree(tmp_path / "old" / STOP_WORDS)  # which that version did not have
    manifest.write(tmp_path / "old", old.index_manifest() | old.built_by)
    again = Bm25(corpus=corpus, folder=tmp_path / "old")
    assert (again.retrieve([query("Beyonce")], k=5), again.fingerprint()) == before
    assert docids(again, "Beyonce") == ["2"]
    assert docids(again, "the who") == []
    assert docids(Bm25(corpus=corpus, folder=tmp_path / "new"), "Beyonce") == ["1", "2"]


def test_optional_foldings_are_part_of_the_index(tmp_path: Path) -> None:
    corpus = Corpus("vi", [Passage("1", "Thành phố Hà Nội", lang="vi")])
    bare = Bm25(corpus=corpus, folder=tmp_path / "i", folding=["vietnamese-marks"])
    assert docids(bare, "ha noi", "vi") == ["1"]
    assert docids(Bm25(corpus=corpus, folder=tmp_path / "j"), "ha noi", "vi") == []
    with pytest.raises(IndexMismatchError, match="folding"):
        Bm25(corpus=corpus, folder=tmp_path / "i").build()
    with pytest.raises(ConfigError, match="no folding is called 'tones'"):
        Bm25(corpus=corpus, folder=tmp_path / "k", folding=["tones"])


def test_word_pairs_tell_passages_of_the_same_words_apart(tmp_path: Path) -> None:
    others = [Passage(f"o{at}", f"{at} o le tagata", lang="sm") for at in range(3)]
    same = [
        Passage("1", "le saolotoga ma le aia tatau", lang="sm"),
        Passage("2", "le tatau aia ma le saolotoga", lang="sm"),
    ]
    corpus = Corpus("sm", [*same, *others])
    text = "tatau aia ma"
    plain = Bm25(corpus=corpus, folder=tmp_path / "i")
    assert docids(plain, text, "sm", k=2) == ["1", "2"]  # equal scores
    pairs = Bm25(corpus=corpus, folder=tmp_path / "j", word_pairs=True)
    assert docids(pairs, text, "sm", k=2) == ["2", "1"]
    assert "word_pairs" not in plain.index_settings()  # as in indexes before there was the setting
    with pytest.raises(IndexMismatchError, match="word_pairs"):
        Bm25(corpus=corpus, folder=tmp_path / "i", word_pairs=True).build()


def test_word_pairs_keep_english_stop_words(tmp_path: Path) -> None:
    corpus = Corpus("en", [Passage("1", "Bank to the river"), Passage("2", "Bank of the river")])
    pairs = Bm25(corpus=corpus, folder=tmp_path / "i", word_pairs=True)
    assert docids(pairs, "bank of the river") == ["2", "1"]


def test_the_second_build_is_refused_and_an_index_is_opened_without_a_lock(tmp_path: Path) -> None:
    folder = tmp_path / "i"
    refused = pytest.raises(LockedError, match=r"index .* is being written by process")
    with lock_path(folder, "index"), refused:
        Bm25(corpus=CORPUS, folder=folder).build()
    (tmp_path / ".i.a1b2c3d4.tmp").mkdir()  # of a killed build
    Bm25(corpus=CORPUS, folder=folder).build()
    assert [path.name for path in tmp_path.iterdir()] == ["i"]
    with lock_path(folder, "index"):
        Bm25(corpus=CORPUS, folder=folder).build()


def test_litter_of_a_build_killed_at_its_very_end_is_deleted(tmp_path: Path) -> None:
    Bm25(corpus=CORPUS, folder=tmp_path / "i").build()
    (tmp_path / ".i.lock").write_text("1 here")
    (tmp_path / ".i.a1b2c3d4.tmp.old").mkdir()
    Bm25(corpus=CORPUS, folder=tmp_path / "i").build()
    assert [path.name for path in tmp_path.iterdir()] == ["i"]
