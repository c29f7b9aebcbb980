from pathlib import Path

import pytest

from xorqa.core.errors import DataError
from xorqa.lab.judging.labels import read_labels


def written(folder: Path, text: str) -> Path:
    path = folder / "labels.tsv"
    path.write_text(text, "utf-8")
    return path


def test_a_verdict_per_line(tmp_path: Path) -> None:
    path = written(tmp_path, "q1\t1\nq2\t0\r\n")
    assert read_labels(path) == {"q1": True, "q2": False}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no verdict"),
        ("q1\t1\nq2\tright\n", "line 2: needs a qid and 1 (right) or 0 (wrong)"),
        ("q1 1\n", "line 1: needs a qid and 1 (right) or 0 (wrong), separated by tabs"),
        ("q1\t1\nq1\t0\n", "line 2: question 'q1' occurs twice"),
        ("q1\t1\n\nq2\t0\n", "line 2: needs"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(DataError) as error:
        read_labels(written(tmp_path, text))
    assert problem in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_labels(tmp_path / "labels.tsv")
