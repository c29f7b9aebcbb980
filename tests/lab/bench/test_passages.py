"""F1 by the number of passages read."""

from pathlib import Path

import pytest

from tests.candidates import candidate
from xorqa.core.types import Example, Gold, Question, Trace
from xorqa.datasets.corpus import Corpus
from xorqa.datasets.dataset import Dataset
from xorqa.datasets.squad import build_distinct_corpus
from xorqa.io.squad_xor import SquadQuestion
from xorqa.lab.bench import passages

QUESTION = Question("q", "Who?", "en")


def trace(*rows: tuple[str, float, float]) -> Trace:
    """Candidates of the hits in order: text, log P(passage) and log P(span)."""
    read = [
        candidate(text, "en", docid=str(rank), rank=rank, passage_score=passage, span_score=span)
        for rank, (text, passage, span) in enumerate(rows)
    ]
    return Trace(QUESTION, {}, tuple(read), None, {}, ())


def test_the_best_of_the_passages_read_so_far() -> None:
    rows = [trace(("Liszt", -1.0, -0.1), ("Verdi", -0.5, -2.0), ("Bach", -0.4, -0.2))]
    assert passages.curve(rows, [["Verdi"]]) == {
        "F1": [0, 100, 0, 0, 0],
        "with P(span)": [0, 0, 0, 0, 0],
        "best of those read": [0, 100, 100, 100, 100],
    }


def test_a_question_without_a_candidate_counts_as_zero() -> None:
    curve = passages.curve([trace(), trace(("Verdi", -1.0, -1.0))], [["Verdi"], ["Verdi"]])
    assert curve["F1"] == [50] * 5


def test_questions_of_held_out_articles_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        SquadQuestion(
            f"q{n}", f"Who wrote opera {n}?", f"{n}", f"Verdi wrote opera {n}.", ("Verdi",), None
        )
        for n in range(200)
    ]
    monkeypatch.setattr(passages, "read_squad", lambda path: rows)
    corpus: Corpus = build_distinct_corpus("squad", "en", rows)
    examples = tuple(
        Example(
            Question(f"x{n}.{lang}", f"{word} {n}", lang),
            (Gold("Verdi", "en"),),
            human_translation=f"Who wrote opera {n}?",
        )
        for n in range(2)
        for lang, word in (("en", "opera"), ("fi", "ooppera"), ("sv", "opera"))
    )
    dataset = Dataset("questions-open", examples, {"en": corpus})
    monkeypatch.setattr(passages, "load_dataset", lambda name: dataset)
    monkeypatch.setenv("XORQA_HOME", str(tmp_path))
    measured = passages.measure(
        tmp_path,
        questions=3,
        retriever={"use": "bm25"},
        reader={"adapter": "reader-multi"},
        lexicon={"fi": {"opera": "ooppera"}},
    )
    assert set(measured["f1"]) == {"English", "code-switched", "translated"}
    assert measured["f1"]["English"]["best of those read"][-1] == 100
    assert measured["ms"] > 0 == measured["rank_ms"]
    table = passages.grid(measured)
    assert [len(row) for group in table.rows for row in group] == [7] * 10
    ranked = passages.measure(
        tmp_path,
        questions=3,
        retriever={"use": "bm25"},
        reader={"adapter": "reader-multi", "ranking": 0.5},
        lexicon={},
        ranker={"use": "balance"},
    )
    assert ranked["rank_ms"] > 0
    assert (measured["ranking"], ranked["ranking"]) == (0.0, 0.5)
