from pathlib import Path
from threading import Thread

import pytest

from xorqa.core.errors import ConfigError, DataError, IndexMismatchError
from xorqa.core.lang import LANGUAGES
from xorqa.core.text.search_tokens import VERSION
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.files import read_json, write_json
from xorqa.retrieval import java, lucene
from xorqa.retrieval.bm25 import Bm25
from xorqa.retrieval.lucene import Lucene

pytestmark = pytest.mark.jvm
pytest.importorskip("jnius_config")

PASSAGES = [
    Passage("d", "The Nile is the longest of all rivers in Africa.", "Nile"),
    Passage("c", "The Rhine flows through Europe; it is a river.", "Rhine"),
    Passage("b", "A lake is no river.", "Lake"),
    Passage("a", "A lake is no river.", "Lake"),
    Passage("j", "東京は日本の首都である。", "東京", "ja"),
    Passage("k", "대한민국의 수도는 서울이다.", "서울", "ko"),
    Passage("t", "กรุงเทพเป็นเมืองหลวงของประเทศไทย", "กรุงเทพ", "th"),
    Passage("e", "భారతదేశ రాజధాని న్యూఢిల్లీ", "భారత", "te"),
]
CORPUS = Corpus("rivers", PASSAGES)
ENGLISH = Corpus("english", PASSAGES[:4])


def query(text: str, lang: str = "en") -> Query:
    return Query(Question("q", text, lang), text, lang)


def docids(retriever: Lucene, text: str, lang: str = "en", k: int = 10) -> list[str]:
    [hits] = retriever.retrieve([query(text, lang)], k=k)
    return [hit.passage.docid for hit in hits]


@pytest.fixture(scope="module")
def retriever(tmp_path_factory: pytest.TempPathFactory) -> Lucene:
    return Lucene(corpus=CORPUS, folder=tmp_path_factory.mktemp("lucene") / "index")


def test_a_relative_folder_is_where_python_stands_not_where_java_began(
    retriever: Lucene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert docids(retriever, "Nile") == ["d"]  # so Java runs
    monkeypatch.chdir(tmp_path)
    assert docids(Lucene(corpus=CORPUS, folder=Path("index")), "Nile") == ["d"]
    assert (tmp_path / "index").is_dir()


def test_one_result_a_query_in_its_order(retriever: Lucene) -> None:
    texts = ["Nile", "", "Rhine", "   ", "the", "unheard", "?!"]
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


def test_equal_scores_stand_by_docid_even_where_k_cuts_them(retriever: Lucene) -> None:
    assert docids(retriever, "lakes") == ["a", "b"]
    assert docids(retriever, "lakes", k=1) == ["a"]


def test_passages_are_stemmed_as_english_and_scores_fall(retriever: Lucene) -> None:
    [hits] = retriever.retrieve([query("flowing rivers")], k=10)
    assert hits[0].passage.docid == "c"
    assert len(hits) == 4
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("lang", "text", "docid"),
    [
        ("ja", "日本の首都はどこですか", "j"),
        ("ko", "수도는 어디", "k"),
        ("th", "เมืองหลวงของไทย", "t"),
        ("te", "రాజధాని ఏది", "e"),
    ],
)
def test_a_query_searches_the_passages_of_its_language(
    retriever: Lucene, lang: str, text: str, docid: str
) -> None:
    assert docids(retriever, text, lang) == [docid]
    assert docids(retriever, text, "en") == []


def test_a_query_in_another_language_searches_all(retriever: Lucene) -> None:
    assert sorted(docids(retriever, "Nile 東京", "fi")) == ["d", "j"]
    assert docids(retriever, "Nile 東京", "fi", k=1) == docids(retriever, "Nile 東京", "fi")[:1]


@pytest.mark.parametrize(
    "text", ["Nile AND (", '"Nile', "docid:* OR Nile~2 [a TO", "Nile\0 \ud83d"]
)
def test_no_text_is_query_syntax(retriever: Lucene, text: str) -> None:
    assert docids(retriever, text) == ["d"]


def test_a_repeated_token_counts_as_often(retriever: Lucene) -> None:
    [[once], [twice]] = retriever.retrieve([query("Nile"), query("Nile nile")], k=1)
    assert twice.score == pytest.approx(2 * once.score)


def test_a_long_question_works(retriever: Lucene) -> None:
    many = " ".join(f"word{number}" for number in range(1500))
    assert docids(retriever, f"Nile {many}") == ["d"]
    assert docids(retriever, "river in Africa " * 700)[0] == "d"


def test_scores_are_those_of_bm25s(tmp_path: Path) -> None:
    pytest.importorskip("bm25s")
    queries = [query("nile river lake africa"), query("首都", "ja")]
    ours = {
        "en": lucene.XORQA_ANALYZER,
        "ja": lucene.XORQA_ANALYZER,
        "ko": lucene.XORQA_ANALYZER,
        "te": lucene.XORQA_ANALYZER,
    }
    left = Lucene(corpus=CORPUS, folder=tmp_path / "l", analyzers=ours).retrieve(queries, k=9)
    right = Bm25(corpus=CORPUS, folder=tmp_path / "r").retrieve(queries, k=9)
    for some, others in zip(left, right, strict=True):
        assert [hit.passage for hit in some] == [hit.passage for hit in others]
        scores = [hit.score for hit in others]
        assert [hit.score for hit in some] == pytest.approx(scores, rel=1e-4)


def test_an_index_is_opened_again_and_serves_any_k1(retriever: Lucene) -> None:
    queries = [query("nile river lake"), query("東京", "ja")]
    hits = retriever.retrieve(queries, k=9)
    written = (retriever.folder / "manifest.json").stat().st_mtime_ns
    again = Lucene(corpus=CORPUS, folder=retriever.folder)
    assert again.retrieve(queries, k=9) == hits
    assert again.fingerprint() == retriever.fingerprint()
    other = Lucene(corpus=CORPUS, folder=retriever.folder, k1=2.0, b=0.0)
    assert other.retrieve(queries, k=9) != hits
    assert other.fingerprint() != retriever.fingerprint()
    assert (retriever.folder / "manifest.json").stat().st_mtime_ns == written


def test_queries_are_analysed_as_the_index_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Lucene(corpus=ENGLISH, folder=tmp_path / "i", analyzers={"en": "core.KeywordAnalyzer"}).build()
    later = Lucene(corpus=ENGLISH, folder=tmp_path / "i")
    assert docids(later, "lake") == []
    assert docids(later, "Lake\nA lake is no river.") == ["a", "b"]
    with pytest.raises(IndexMismatchError, match="analyzers"):
        Lucene(
            corpus=ENGLISH, folder=tmp_path / "i", analyzers={"en": "en.EnglishAnalyzer"}
        ).build()
    later.build(rebuild=True)
    assert docids(later, "lake") == ["a", "b"]


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
def test_the_table_names_an_analyzer_that_works(lang: str) -> None:
    assert lucene._Field(lang, LANGUAGES[lang].lucene, VERSION).tokens("NATO 2020")


@pytest.mark.parametrize("name", ["no.SuchAnalyzer", "standard.StandardTokenizer", ""])
def test_an_unknown_analyzer_is_refused(tmp_path: Path, name: str) -> None:
    retriever = Lucene(corpus=ENGLISH, folder=tmp_path / "i", analyzers={"en": name})
    with pytest.raises(ConfigError, match="cannot use analyzer") as caught:
        retriever.build()
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_an_analyzer_for_no_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no language is called 'english'"):
        Lucene(corpus=ENGLISH, folder=tmp_path / "i", analyzers={"english": "en.EnglishAnalyzer"})


def test_an_index_of_other_passages_is_refused(tmp_path: Path) -> None:
    Lucene(corpus=CORPUS, folder=tmp_path / "i").build()
    with pytest.raises(IndexMismatchError, match="corpus_sha"):
        Lucene(corpus=ENGLISH, folder=tmp_path / "i").retrieve([query("lake")], k=1)


def damaged(folder: Path) -> str:
    with pytest.raises(DataError, match=r"damaged .*--rebuild") as caught:
        Lucene(corpus=ENGLISH, folder=folder).retrieve([query("lake")], k=1)
    return str(caught.value)


@pytest.mark.parametrize("ending", [".tim", ".doc", ".fnm", ".si", "segments_1"])
@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_index_is_one_clear_line(tmp_path: Path, ending: str, how: str) -> None:
    folder = tmp_path / "i"
    Lucene(corpus=ENGLISH, folder=folder).build()
    [path] = [path for path in folder.iterdir() if path.name.endswith(ending)]
    if how == "cut":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        path.unlink()
    assert "\n" not in damaged(folder)


def test_an_index_with_too_few_passages_is_damaged(tmp_path: Path) -> None:
    Lucene(corpus=Corpus("one", PASSAGES[:1]), folder=tmp_path / "i").build()
    written = tmp_path / "i" / "manifest.json"
    wanted = {"corpus_sha": ENGLISH.sha, "passages": len(ENGLISH)}
    write_json(written, {**read_json(written), **wanted})
    assert "1 passages, not 4" in damaged(tmp_path / "i")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="not an index"):
        Lucene(corpus=ENGLISH, folder=tmp_path).build(rebuild=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_failed_build_leaves_the_old_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = Lucene(corpus=ENGLISH, folder=tmp_path / "i")
    hits = retriever.retrieve([query("lake")], k=2)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        retriever.build(rebuild=True, progress=stop)
    assert Lucene(corpus=ENGLISH, folder=tmp_path / "i").retrieve([query("lake")], k=2) == hits
    assert [path.name for path in tmp_path.iterdir()] == ["i"]
    assert not list((tmp_path / "i").glob("*.lock"))


def test_an_order_that_many_segments_keep(tmp_path: Path) -> None:
    passages = [Passage(f"{number:05}", "same words") for number in range(3000)]
    retriever = Lucene(corpus=Corpus("same", reversed(passages)), folder=tmp_path / "i")
    assert docids(retriever, "words", k=3000) == [passage.docid for passage in passages]


def test_other_threads_may_retrieve(retriever: Lucene) -> None:
    threads = java.start_jvm().autoclass("java.lang.Thread")
    found: list[list[Hit]] = []

    def work() -> None:
        found.extend(retriever.retrieve([query("river")], k=2))

    expected = retriever.retrieve([query("river")], k=2)
    before = threads.activeCount()
    running = [Thread(target=work) for _ in range(8)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    assert found == expected * 8
    assert threads.activeCount() == before
