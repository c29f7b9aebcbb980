import random
from collections import Counter
from pathlib import Path

import pytest

from xorqa.datasets.corpus import Corpus
from xorqa.io.squad_xor import read_squad
from xorqa.lab.training.bitext.translations import (
    LangText,
    Paragraphs,
    draw_batches,
    hold_out_articles,
    rank_passages,
    read_paragraphs,
    vary,
    with_passages,
)
from xorqa.lab.training.common.training_data import is_held_out, match_key
from xorqa.retrieval.bm25 import Bm25

LEXICON = {"fi": {"river": "joki"}, "de": {"river": "fluss"}}
PAIR = ("ko", "강이 어디?", "Where is the river?")


def test_a_source_is_drawn_by_weight_and_its_languages_by_the_root_of_their_size() -> None:
    decks = {
        (0, "fi"): [("fi", f"f{at}", "f") for at in range(90)],
        (0, "ko"): [("ko", f"k{at}", "k") for at in range(10)],
        (1, "en"): [("en", "e", "e")],
    }
    batches = draw_batches(decks, [3.0, 1.0], size=8, count=1000, rng=random.Random(1))
    counts = Counter(pair[0] for batch in batches for pair in batch)
    assert {len(batch) for batch in batches} == {8}
    assert counts["en"] / 8000 == pytest.approx(0.25, abs=0.02)
    assert counts["fi"] / counts["ko"] == pytest.approx(3, abs=0.3)


def test_a_deck_repeats_no_pair_before_all_others() -> None:
    decks = {(0, "fi"): [("fi", f"f{at}", "f") for at in range(6)]}
    [batch] = draw_batches(decks, [1.0], size=12, count=1, rng=random.Random(1))
    assert len(set(batch[:6])) == len(set(batch[6:])) == 6


def test_texts_are_at_times_english_or_code_switched() -> None:
    rng = random.Random(1)
    varied = [vary(PAIR, LEXICON, english=0.5, code_switched=0.5, rng=rng) for _ in range(800)]
    assert {pair[2] for pair in varied} == {PAIR[2]}
    texts = Counter(pair[1] for pair in varied)
    assert texts[PAIR[1]] / 800 == pytest.approx(0.5, abs=0.05)
    assert set(texts) == {
        PAIR[1],
        PAIR[2],
        "Where is the joki?",
        "Where is the fluss?",
    }


def test_english_sources_stay_as_they_are_without_a_lexicon() -> None:
    english = ("en", PAIR[2], PAIR[2])
    assert vary(english, {}, english=1.0, code_switched=1.0, rng=random.Random(1)) == english


NILE = LangText("fi", "Missä on Niili?", "Where is the Nile?")


def paragraphs(corpus: Corpus, *own: str) -> Paragraphs:
    return Paragraphs(corpus, {match_key(NILE[2]): own}, frozenset())


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
        {(0, "fi"): [NILE, other], (1, "fi"): [NILE]}, frozenset({match_key("where is the nile")})
    )
    assert decks == {(0, "fi"): [other]}
    assert held == [NILE, NILE]


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
    ranked = {NILE[2]: ["first", "second", "third"]}

    def count(*own: str, depth: int = 3) -> Counter[str]:
        known = paragraphs(corpus, *own)
        drawn = with_passages([NILE] * 2200, known, ranked, depth=depth, rng=random.Random(1))
        assert {(one.lang, one.text, one.english) for one in drawn} == {NILE}
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
    assert not with_passages([NILE], known, {NILE[2]: []}, depth=3, rng=random.Random(1))
