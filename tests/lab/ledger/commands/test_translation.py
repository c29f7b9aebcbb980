import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.lab.common.translation_measures import PAPER_LANGUAGES

PAIRS = [
    ("fi", "Missä on Forssa?", "Where is Forssa?"),
    ("fi", "Kuka on Matti?", "Who is Matti?"),
    ("te", "గోదావరి 1500?", "Is Godavari 1500 km long?"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "held-out.tsv"
    path.write_text("".join(f"{lang}\t{text}\ten\t{english}\n" for lang, text, english in PAIRS))
    return path


def test_predictions_are_compared_with_the_baselines(
    xorqa: Callable[..., Any], data: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("".join(f"{pair[2]}\n" for pair in PAIRS))
    outcome = xorqa(
        "eval",
        "translation",
        "--data",
        data,
        "--pred",
        tmp_path / "mine.txt",
        "--json",
        "scores.json",
        "--format",
        "csv",
    )
    assert outcome.status == 0
    scores = json.loads(Path("scores.json").read_text())
    assert scores["mine.txt"]["macro"]["BLEU"] == pytest.approx(100)
    assert scores["copy"]["per_lang"]["fi"]["entity recall"] == 100
    assert scores["copy"]["macro"]["BLEU"] < 50
    assert scores["copy"]["n"] == {"fi": 2, "te": 1}
    assert outcome.out.startswith("system,metric,fi,te,macro,")
    assert "another test set" not in outcome.out
    assert "entity recall" in outcome.out
    assert "fi 2, te 1" in outcome.err


def test_the_papers_row_is_printed_for_its_six_languages(
    xorqa: Callable[..., Any], tmp_path: Path
) -> None:
    data = tmp_path / "six.tsv"
    data.write_text("".join(f"{lang}\tx\ten\ty\n" for lang in PAPER_LANGUAGES))
    outcome = xorqa("eval", "translation", "--data", data, "--format", "csv")
    assert outcome.status == 0
    assert "another test set" in outcome.out and "33.7" in outcome.out
    assert "over the paper's six languages" in outcome.err


def test_two_systems_with_the_same_name(
    xorqa: Callable[..., Any], data: Path, tmp_path: Path
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.txt").write_text("x\ny\nz\n")
    options = [
        word for name in ("one", "other") for word in ("--pred", f"{tmp_path}/{name}/mine.txt")
    ]
    outcome = xorqa("eval", "translation", "--data", data, *options)
    assert outcome.status == 2
    assert "another system is called mine.txt already" in outcome.err


def test_a_system_may_be_a_table(xorqa: Callable[..., Any], data: Path) -> None:
    outcome = xorqa(
        "eval",
        "translation",
        "--data",
        data,
        "--system",
        "{ use = 'seq2seq', model = './nowhere' }",
    )
    assert outcome.status == 2
    assert "./nowhere is not a folder" in outcome.err


def test_translations_from_english_are_scored_per_target(
    xorqa: Callable[..., Any], tmp_path: Path
) -> None:
    data = tmp_path / "from-english.tsv"
    data.write_text("".join(f"en\t{english}\t{lang}\t{text}\n" for lang, text, english in PAIRS))
    (tmp_path / "mine.txt").write_text("".join(f"{pair[1]}\n" for pair in PAIRS))
    options = ("--data", data, "--pred", tmp_path / "mine.txt", "--json", "scores.json")
    assert xorqa("eval", "translation", *options).status == 0
    scores = json.loads(Path("scores.json").read_text())
    assert list(scores) == ["copy", "mine.txt"]  # without the lexicon, which is into English
    assert scores["mine.txt"]["per_lang"]["fi"]["BLEU"] == pytest.approx(100)
    assert scores["copy"]["n"] == {"fi": 2, "te": 1}


def test_predictions_of_another_length(
    xorqa: Callable[..., Any], data: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("one\n")
    outcome = xorqa("eval", "translation", "--data", data, "--pred", tmp_path / "mine.txt")
    assert outcome.status == 2
    assert "1 line for 3 pairs" in outcome.err
