"""Your own questions and passages, from the run to the commands that open its folder."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from xorqa.datasets.mini import load as load_mini
from xorqa.datasets.user_data import question_row
from xorqa.io.files import read_json, write_jsonl
from xorqa.io.predictions import read_answers

MINI = load_mini().only(["fi"]).sample(16)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with questions and passages."""
    folder = tmp_path / "own"
    write_jsonl(folder / "questions.jsonl", map(question_row, MINI.examples))
    for lang in ("en", "fi"):
        write_jsonl(folder / "corpus" / f"{lang}.jsonl", map(asdict, MINI.corpora[lang]))
    return folder


def test_a_folder_equals_its_files(xorqa: Callable[..., Any], config: Path, own: Path) -> None:
    assert xorqa("run", config, "--data", own, "--until", "retrieve").status == 0
    passages = (f"--corpus={lang}={own}/corpus/{lang}.jsonl" for lang in ("en", "fi"))
    questions = ("--questions", own / "questions.jsonl")
    assert xorqa("run", config, *questions, *passages, "--until", "retrieve").status == 0
    scores = [
        read_json(Path("runs", name, "scores.json")) for name in ("tiny-own", "tiny-questions")
    ]
    assert scores[0] == scores[1] and "xor-retrieve" in scores[0]


def test_a_run_folder_is_enough_for_every_command(
    xorqa: Callable[..., Any], config: Path, own: Path
) -> None:
    pytest.importorskip("sklearn")
    for size in (1, 2):
        settings = ("--set", f"reader.passages={size}", "--out", f"{size}")
        assert xorqa("run", config, "--data", own, *settings).status == 0
    own.rename(own.with_name("gone"))
    assert xorqa("compare", "1", "2", "--samples", 20).status == 0
    assert xorqa("report", "1", "2", "--samples", 20).status == 0
    shown = xorqa("ledger", "1")
    assert shown.status == 0 and "gold passage" in shown.out
    trained = xorqa("train", "chooser", "1", "2", "--out", "chooser.json")
    assert trained.status == 0, trained.err
    [name] = {run["dataset"] for run in read_json(Path("chooser.json"))["card"]["runs"]}
    assert name == "own/questions.jsonl"


def test_questions_without_answers(xorqa: Callable[..., Any], config: Path, corpus: Path) -> None:
    write_jsonl(Path("mine.jsonl"), [{"question": "Where is the Nile?", "lang": "en"}])
    outcome = xorqa("run", config, "--questions", "mine.jsonl", "--corpus", corpus)
    assert outcome.status == 0, outcome.err
    assert "no question has a gold answer or qrels, so nothing is scored" in outcome.out
    folder = Path("runs/tiny-mine")
    assert read_json(folder / "scores.json") == {}
    for name in ("xor_engspan.json", "xor_full.json"):
        assert read_answers(folder / name).by_qid.keys() == {"1"}
    assert not (folder / "qrels.txt").exists()
    compared = xorqa("compare", folder, folder)
    assert compared.status == 2 and "error: " in compared.err


def test_questions_need_passages(xorqa: Callable[..., Any], config: Path) -> None:
    write_jsonl(Path("mine.jsonl"), [{"question": "Where is the Nile?", "lang": "en"}])
    outcome = xorqa("run", config, "--questions", "mine.jsonl")
    assert outcome.status == 2
    assert "--questions needs passages: --corpus en=FILE" in outcome.err
    searched = ("--data", "mini", "--until", "retrieve")
    assert xorqa("run", config, "--questions", "mine.jsonl", *searched).status == 0


def test_a_gold_passage_that_the_corpus_lacks(
    xorqa: Callable[..., Any], config: Path, own: Path
) -> None:
    english = own / "corpus" / "en.jsonl"
    gold = next(gold.docid for gold in MINI.examples[0].golds if gold.lang == "en")
    lines = [line for line in english.read_text().splitlines() if f'"{gold}"' not in line]
    english.write_text("\n".join(lines))
    assert xorqa("run", config, "--data", own, "--out", "run").status == 0
    outcome = xorqa("ledger", "run")
    assert outcome.status == 2
    assert f"has the gold passage '{gold}', which the English corpus lacks" in outcome.err
