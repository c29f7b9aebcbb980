"""Exported data sets are read again by the readers of their layouts."""

from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.core.types import Example, Gold, Passage, Question, Span
from xorqa.datasets.catalog import load_dataset
from xorqa.datasets.corpus import Corpus, read_corpus
from xorqa.datasets.dataset import Dataset
from xorqa.io.squad_xor import read_squad, read_xor
from xorqa.io.trec import read_qrels
from xorqa.lab.building.export import export_squad, export_trec, export_xor

NILE = Passage("n", 'The "Nile" flows\tnorth & south <i>of</i> Egypt.', "Nile", "en")
OULU = Passage("o", "Oulujoki on joki.", "", "fi")
EXAMPLES = (
    Example(
        Question("q1", "Missä on\nNiili?", "fi"),
        (Gold("Egypti", "fi"), Gold("Egypt", "en", "n", Span(41, 46)), Gold("north", "en", "n")),
    ),
    Example(Question("q2", "Mikä on Oulujoki?", "fi"), (Gold("joki", "fi", "o", Span(12, 16)),)),
    Example(Question("q3", "Miksi?", "fi"), ()),
)
DATASET = Dataset("d", EXAMPLES, {"en": Corpus("en", [NILE]), "fi": Corpus("fi", [OULU])})


def test_xor(tmp_path: Path) -> None:
    counts = export_xor(DATASET, tmp_path)
    assert counts == {
        "xor_full.jsonl": 2, "xor_engspan.jsonl": 1, "passages.en.tsv": 1, "passages.fi.tsv": 1
    }  # fmt: skip
    full = {row.qid: row for row in read_xor(tmp_path / "xor_full.jsonl")}
    assert full["q1"].answers == ("Egypti",) and full["q2"].lang == "fi"
    [english] = read_xor(tmp_path / "xor_engspan.jsonl")
    assert english.answers == ("Egypt", "north")
    [passage] = read_corpus(tmp_path / "passages.en.tsv", lang="en")
    assert passage == NILE


def test_squad(tmp_path: Path) -> None:
    assert export_squad(DATASET, tmp_path) == {"squad.en.json": 1, "squad.fi.json": 1}
    [row] = read_squad(tmp_path / "squad.en.json")
    assert (row.qid, row.title, row.context, row.answers) == ("q1", "Nile", NILE.text, ("Egypt",))
    assert row.span == Span(41, 46) and row.context[41:46] == "Egypt" and row.lang == "fi"


def test_trec(tmp_path: Path) -> None:
    counts = export_trec(DATASET, tmp_path)
    assert (counts["topics.tsv"], counts["qrels.txt"]) == (3, 2)
    assert read_qrels(tmp_path / "qrels.txt") == {"q1": {"n": 1}, "q2": {"o": 1}}
    topics = (tmp_path / "topics.tsv").read_text(encoding="utf-8").splitlines()
    assert topics[0] == "q1\tMissä on Niili?"
    [passage] = read_corpus(tmp_path / "passages.en.trec", lang="en")
    assert passage == NILE
    clash = Dataset("d", (), {"en": Corpus("en", [NILE]), "fi": Corpus("fi", [NILE])})
    with pytest.raises(DataError, match="docid 'n' is in en and in fi"):
        export_trec(clash, tmp_path / "clash")


def test_the_bundled_world_keeps_its_questions_and_passages(tmp_path: Path) -> None:
    world = load_dataset("mini")
    export_xor(world, tmp_path)
    full = {row.qid: set(row.answers) for row in read_xor(tmp_path / "xor_full.jsonl")}
    assert full == {
        e.question.qid: set(e.answers(e.question.lang))
        for e in world.examples
        if e.answers(e.question.lang)
    }
    export_trec(world, tmp_path)
    for lang, corpus in world.corpora.items():
        for suffix in ("tsv", "trec"):
            read = read_corpus(tmp_path / f"passages.{lang}.{suffix}", lang=lang)
            assert [(p.docid, p.title, p.text) for p in read] == [
                (p.docid, p.title, p.text) for p in corpus
            ]
