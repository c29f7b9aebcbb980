import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from xorqa.core.errors import DataError
from xorqa.io.tydi_primary import read_tydi_primary


def row(text: str = "Järvi on Oulussa.", **annotation: Any) -> dict[str, Any]:
    """A line of the primary task; the annotation is empty unless set."""
    empty = {
        "annotation_id": 1,
        "minimal_answer": {"plaintext_start_byte": -1, "plaintext_end_byte": -1},
        "passage_answer": {"candidate_index": -1},
        "yes_no_answer": "NONE",
    }
    return {
        "annotations": [empty, empty | annotation],
        "document_plaintext": text,
        "document_title": "Oulu",
        "document_url": "https://fi.wikipedia.org/wiki/Oulu",
        "example_id": -123,
        "language": "finnish",
        "passage_answer_candidates": [{"plaintext_start_byte": 0, "plaintext_end_byte": 9}],
        "question_text": "Missä järvi on?",
    }


def read(folder: Path, *rows: dict[str, Any]) -> list[Any]:
    path = folder / "tydiqa-v1.0-dev.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return list(read_tydi_primary(path))


def test_answers_are_bytes_of_the_article(tmp_path: Path) -> None:
    span = {"plaintext_start_byte": 10, "plaintext_end_byte": 17}
    chosen = {"passage_answer": {"candidate_index": 0}}
    questions = read(
        tmp_path,
        row(),
        row(**chosen, minimal_answer=span),
        row(**chosen, yes_no_answer="YES"),
        row(**chosen),
    )
    assert [q.has_passage for q in questions] == [False, True, True, True]
    assert [q.answers for q in questions] == [(), ("Oulussa",), ("yes",), ()]
    assert (questions[0].qid, questions[0].lang, questions[0].title) == ("-123", "fi", "Oulu")


def test_another_layout_is_refused(tmp_path: Path) -> None:
    broken = row()
    del broken["annotations"]
    with pytest.raises(DataError, match=r"line 2: not TyDi QA's primary task \(KeyError"):
        read(tmp_path, row(), broken)
