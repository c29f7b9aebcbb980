from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import ConfigError, DataError
from xorqa.core.registry import build
from xorqa.core.types import Hit, Passage, Query, Question
from xorqa.datasets.corpus import Corpus
from xorqa.io.cache import Cache
from xorqa.io.files import write_json
from xorqa.io.predictions import write_passages
from xorqa.io.trec import write_run, write_runs
from xorqa.retrieval.hybrid import Hybrid
from xorqa.retrieval.recorded import RecordedRetriever, corpora_of

CORPUS = Corpus("letters", [Passage(docid, f"text {docid}", "Title") for docid in "abc"])
QUERIES = [Query(Question(qid, "?", "fi"), "?", "en") for qid in ("q1", "q2")]


def replay(file: Path, **settings: Any) -> RecordedRetriever:
    return RecordedRetriever(file=str(file), corpus=CORPUS, **settings)


def docids(hits: Sequence[Hit]) -> list[str]:
    return [hit.passage.docid for hit in hits]


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    write_run(tmp_path / "theirs.trec", {"q1": {"b": 2.0, "a": 3.5}, "q2": {"c": 1.0}})
    return tmp_path / "theirs.trec"


@pytest.fixture
def texts_file(tmp_path: Path) -> Path:
    texts = {"q1": ["text b", "Said elsewhere.", "text b", " "], "q2": []}
    write_passages(tmp_path / "theirs.json", texts, {"q1": "fi", "q2": "fi"})
    return tmp_path / "theirs.json"


def test_a_trec_run_is_replayed(run_file: Path) -> None:
    first, second = replay(run_file).retrieve(QUERIES, k=10)
    assert first == [Hit(CORPUS["a"], 3.5), Hit(CORPUS["b"], 2.0)]
    assert docids(second) == ["c"]
    assert docids(replay(run_file).retrieve(QUERIES, k=1)[0]) == ["a"]


def test_one_of_several_runs(tmp_path: Path) -> None:
    file = tmp_path / "run.trec"
    write_runs(file, {"eng": {"q1": {"a": 1.0}}, "target": {"q1": {"b": 1.0}}})
    assert docids(replay(file, tag="target").retrieve(QUERIES[:1], k=9)[0]) == ["b"]
    with pytest.raises(DataError, match=r"choose one by its tag \(.*\): eng, target"):
        replay(file).retrieve(QUERIES, k=9)
    assert replay(file, tag="eng").fingerprint() != replay(file, tag="target").fingerprint()


def test_an_official_file_is_replayed(texts_file: Path) -> None:
    first, second = replay(texts_file).retrieve(QUERIES, k=10)
    known, other = first
    assert known == Hit(CORPUS["b"], 1.0)
    assert (other.passage.text, other.passage.lang, other.score) == ("Said elsewhere.", "en", 0.5)
    assert second == []


def test_a_question_without_a_ranking(run_file: Path) -> None:
    unknown = [Query(Question("q3", "?", "fi"), "?", "en")]
    with pytest.raises(
        DataError, match=r"theirs\.trec has no ranking for question 'q3'; .*missing"
    ):
        replay(run_file).retrieve(unknown, k=5)
    assert replay(run_file, missing="empty").retrieve(unknown, k=5) == [[]]


def test_what_cannot_be_replayed(run_file: Path, tmp_path: Path) -> None:
    other = Corpus("others", [Passage("z", "Another text.")])
    with pytest.raises(DataError, match="docid 'a' of question 'q1' is not in corpus others"):
        RecordedRetriever(file=str(run_file), corpus=other).retrieve(QUERIES, k=5)
    with pytest.raises(DataError, match=r"nothing\.trec cannot be read"):
        replay(tmp_path / "nothing.trec").fingerprint()
    write_json(tmp_path / "odd.json", [{"id": "q1", "lang": "fi", "ctxs": ["Text.", 3]}])
    with pytest.raises(DataError, match=r"odd\.json, question 'q1': 'ctxs' must be a list of"):
        replay(tmp_path / "odd.json").retrieve(QUERIES, k=5)
    with pytest.raises(ConfigError, match="missing cannot be 'skip'; valid: empty, error"):
        build("retriever", {"use": "recorded", "file": str(run_file), "missing": "skip"})


def test_the_fingerprint_follows_the_file(run_file: Path) -> None:
    before = replay(run_file).fingerprint()
    assert before == replay(run_file).fingerprint()
    write_run(run_file, {"q1": {"b": 3.0, "a": 2.0}})
    assert replay(run_file).fingerprint() != before


def test_texts_are_their_own_corpora(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    texts = {"q1": ["Joki.", "Meri."], "q2": ["川。"], "q3": []}
    write_passages(file, texts, {"q1": "fi", "q2": "ja", "q3": "ko"})
    table: Mapping[str, Any] = {"use": "recorded", "file": str(file)}
    [english] = corpora_of(table, english=True).values()
    assert [passage.text for passage in english] == ["Joki.", "Meri.", "川。"]
    assert english.languages == ["en"]
    by_lang = corpora_of(table, english=False)
    assert {lang: len(corpus) for lang, corpus in by_lang.items()} == {"fi": 2, "ja": 1}
    assert by_lang["ja"].languages == ["ja"]
    assert corpora_of({"use": "recorded", "file": "theirs.trec"}, english=True) == {}
    assert corpora_of({"use": "bm25"}, english=True) == {}


def test_equal_questions_keep_their_own_rankings(run_file: Path, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite")
    parts = [{"use": "recorded", "file": str(run_file)}]
    fused = Hybrid(corpus=CORPUS, folder=tmp_path / "index", parts=parts)
    for retriever in (replay(run_file), fused):
        for _ in range(2):
            found = cache.retrieve(retriever, QUERIES, CORPUS, k=5)
            assert list(map(docids, found)) == [["a", "b"], ["c"]]


def test_texts_of_no_corpus_come_back_from_the_cache(texts_file: Path, tmp_path: Path) -> None:
    cache, retriever = Cache(tmp_path / "cache.sqlite"), replay(texts_file)
    found = [cache.retrieve(retriever, QUERIES, CORPUS, k=5) for _ in range(2)]
    assert found[0] == found[1] == retriever.retrieve(QUERIES, k=5)
