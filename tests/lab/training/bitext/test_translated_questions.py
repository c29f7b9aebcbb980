import random
from collections import Counter
from pathlib import Path

from xorqa.datasets.corpus import Corpus
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.bitext.translations import (
    LangText,
    Paragraphs,
    hold_out_articles,
    rank_passages,
    read_paragraphs,
    with_passages,
)
from xorqa.lab.training.common.training_data import is_held_out, match_key
from xorqa.retrieval.bm25 import Bm25

PAIR = LangText("fi", "Missä on Niili?", "Where is the Nile?")


def paragraphs(corpus: Corpus, *own: str) -> Paragraphs:
    return Paragraphs(corpus, {match_key(PAIR[2]): own}, frozenset())


def test_held_out_articles_are_not_ranked(file: Path) -> None:
    found = read_paragraphs([file], 0.3)
    rows = list(read_squad(file))
    held = {row.context for row in rows if is_held_out(row, 0.3)}
    assert 0 < len(held) < 16
    assert {passage.text for passage in found.corpus} == {row.context for row in rows} - held
    for row in rows:
        assert row.context in found.by_question[match_key(row.question)]
        assert match_key(row.question) in found.held_out or row.context not in held


def test_questions_about_held_out_articles_leave_the_decks() -> None:
    other = LangText("fi", "Missä on Rein?", "Where is the Rhine?")
    decks, held = hold_out_articles(
        {(0, "fi"): [PAIR, other], (1, "fi"): [PAIR]}, frozenset({match_key("where is the nile")})
    )
    assert decks == {(0, "fi"): [other]}
    assert held == [PAIR, PAIR]


def test_the_first_passages_of_a_retriever_stay_on_disk(file: Path, tmp_path: Path) -> None:
    corpus = read_paragraphs([file], 0.0).corpus
    built: list[Bm25] = []

    def make(corpus: Corpus, folder: Path) -> Bm25:
        built.append(Bm25(corpus=corpus, folder=folder))
        return built[-1]

    questions = ["long of the Volga?", "town of the Nile?"]
    ranked = rank_passages(questions, corpus, make, depth=2, folder=tmp_path)
    assert all("Volga" in text for text in ranked[questions[0]])
    assert all("Nile" in text for text in ranked[questions[1]])
    files = sorted((tmp_path / "passages").glob("*.safetensors"))
    written = [path.stat().st_mtime_ns for path in files]
    assert rank_passages(questions, corpus, make, depth=2, folder=tmp_path) == ranked
    assert [path.stat().st_mtime_ns for path in files] == written


def test_a_question_of_the_files_is_read_in_its_paragraph_first(file: Path) -> None:
    corpus = read_paragraphs([file], 0.0).corpus
    ranked = {PAIR[2]: ["first", "second", "third"]}

    def count(*own: str, depth: int = 3) -> Counter[str]:
        known = paragraphs(corpus, *own)
        drawn = with_passages([PAIR] * 2200, known, ranked, depth=depth, rng=random.Random(1))
        assert {(one.lang, one.text, one.english) for one in drawn} == {PAIR}
        return Counter(one.passage for one in drawn)

    counts = count()
    assert set(counts) == {"first", "second", "third"}
    assert 1100 < counts["first"] < 1300  # 6 of 11
    assert 540 < counts["second"] < 660  # 3 of 11
    assert set(count("own")) == {"own", "first", "second"}
    assert set(count("own", depth=1)) == {"own"}
    assert set(count("second", depth=2)) == {"second", "first"}


def test_a_question_without_a_passage_is_dropped(file: Path) -> None:
    known = paragraphs(read_paragraphs([file], 0.0).corpus)
    assert not with_passages([PAIR], known, {PAIR[2]: []}, depth=3, rng=random.Random(1))
