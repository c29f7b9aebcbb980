import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.io.test_tydi_primary import row
from xorqa.datasets.xor_test import load_xor_test
from xorqa.lab.building.tydi_questions import load_tydi_questions
from xorqa.lab.building.xor import select


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """TyDi QA's training file: two unanswered questions, an answered one, one in Swahili."""
    rows = [
        row() | {"example_id": 1},
        row() | {"example_id": 2, "language": "telugu"},
        row(passage_answer={"candidate_index": 0}) | {"example_id": 3},
        row() | {"example_id": 4, "language": "swahili"},
    ]
    path = tmp_path / "tydiqa" / "tydiqa-v1.0-train.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return tmp_path


def test_questions_without_a_passage_are_those_to_translate(folder: Path) -> None:
    dataset = load_tydi_questions("train", folder)
    selected, answered = select(dataset)
    assert [example.question.qid for example in selected] == ["1", "2"]
    assert [example.question.qid for example in answered] == ["3"]
    assert dataset.corpora == {}


def test_test_questions_have_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "xor-tydi-full" / "xor_test_full_q_only_v1_1.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps({"id": "5", "question": "ఎక్కడ?", "lang": "te", "split": "test"}))
    [example] = load_xor_test(tmp_path).examples
    assert (example.question.lang, example.golds) == ("te", ())


def test_a_sample_is_of_the_unanswered_questions(
    xorqa: Callable[..., Any], home: Path, folder: Path, tmp_path: Path
) -> None:
    home.mkdir(exist_ok=True)
    (home / "data").symlink_to(folder)
    outcome = xorqa(
        *("build", "xor", "export", str(tmp_path / "asked"), "--round", "translation"),
        *("--data", "tydi-train", "--sample", "1", "--out", str(tmp_path / "q.csv")),
    )
    assert outcome.status == 0, outcome
    assert "2 selected; 1 have an answer in W_i" in outcome.out
