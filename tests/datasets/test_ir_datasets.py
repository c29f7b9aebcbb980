"""Collections of the library `ir_datasets`, registered with its own classes."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.ir_collections import DOCS, QUERIES
from xorqa.core.errors import ConfigError, DataError, MissingExtraError
from xorqa.core.types import Gold, Passage, Question
from xorqa.datasets.catalog import corpora_of, find_dataset, load_dataset
from xorqa.datasets.ir_datasets import collection_qrels
from xorqa.io.trec import read_qrels
from xorqa.lab.building.export import export_trec


def test_documents_questions_and_qrels(rivers: str) -> None:
    dataset = load_dataset(f"{rivers}/dev")
    assert dataset.name == "ir_datasets:xorqa-rivers/dev"
    assert [e.question for e in dataset.examples] == [Question(*row, "fi") for row in QUERIES]
    assert dataset.qrels["1"] == {"k": 2, "o": 1} and dataset.measures == ()
    [corpus] = dataset.corpora.values()
    assert corpus.name == "xorqa-rivers.dev" and corpus.languages == ["fi"]
    kemi, title = DOCS[0], DOCS[3][1]
    assert corpus["k"] == Passage("k", kemi[2], kemi[1], "fi")
    assert corpus["t"] == Passage("t", title, "", "fi"), "a lone title is the text"
    assert corpus.get("e") is None, "a document without text"


def test_the_grades_of_the_questions(rivers: str, tmp_path: Path) -> None:
    dataset = load_dataset(f"{rivers}/dev")
    grades = {"1": {"k": 2, "o": 1}, "2": {"o": 1, "v": 0}}
    assert dataset.relevance() == grades, "query 9 has no question, question 3 no grade"
    assert dataset.sample(1).relevance().items() <= grades.items()
    export_trec(dataset, tmp_path)
    assert read_qrels(tmp_path / "qrels.txt") == grades


def test_official_measures(rivers: str) -> None:
    qrels, measures = collection_qrels(f"{rivers}/judged")
    assert qrels["9"] == {"k": 1}
    assert measures == load_dataset(f"{rivers}/judged").measures == ("nDCG@10", "RR(rel=2)")


def test_languages_that_the_library_does_not_state_are_detected(rivers: str) -> None:
    dataset = load_dataset("ir_datasets:xorqa-mixed")
    assert {key: [p.docid for p in corpus] for key, corpus in dataset.corpora.items()} == {
        "en": ["n"],
        "fi": ["k", "o", "v"],
    }
    assert dataset.corpora["fi"].name == "xorqa-mixed.fi"
    assert dataset.languages == ["fi"]


def test_documents_alone(rivers: str) -> None:
    assert load_dataset(rivers).examples == ()
    [corpus] = corpora_of(rivers, "fi")
    assert len(corpus) == 4


def test_answers_of_a_question_are_gold(rivers: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import ir_datasets

    source: Any = ir_datasets.load("xorqa-rivers/dev")
    text = str(QUERIES[0][1])
    query = SimpleNamespace(query_id="1", text=text, answers=("Kemijoki", " "))
    monkeypatch.setattr(source, "queries_iter", lambda: iter([query]), raising=False)
    [example] = load_dataset(f"{rivers}/dev").examples
    assert example.golds == (Gold("Kemijoki", "fi"),)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("miracl/xx/dev", r"no data set 'miracl/xx/dev'; did you mean ir_datasets:miracl/.*\?$"),
        ("no-such-thing", r"no data set 'no-such-thing'; all ids: https://ir-datasets.com$"),
        ("beir", r"'beir' of ir_datasets has no documents; did you mean ir_datasets:beir/arguana"),
        ("xorqa-rivers/questions", r"has no documents; all ids"),
    ],
)
def test_ids_that_cannot_be_used(rivers: str, name: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        find_dataset(f"ir_datasets:{name}")


def test_an_id_without_qrels(rivers: str) -> None:
    assert load_dataset(f"{rivers}/open").qrels == {}
    with pytest.raises(ConfigError, match=r"has no qrels; did you mean ir_datasets:xorqa-rivers/d"):
        collection_qrels(rivers)


def test_a_collection_that_cannot_be_read(rivers: str) -> None:
    with pytest.raises(
        DataError, match=r"provide .*-lost \(FileNotFoundError: .*lost.tsv\); how to"
    ):
        load_dataset("ir_datasets:xorqa-lost")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'xorqa\[ir\]'"):
        find_dataset("ir_datasets:vaswani")
