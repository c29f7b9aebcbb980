from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from xorqa.io.squad_xor import read_squad

SQUAD = Path(__file__).parents[4].parent / "shared" / "data" / "squad" / "train-v1.1.json"


@pytest.mark.skipif(not SQUAD.is_file(), reason="needs SQuAD's training file")
def test_files_are_written_and_counted(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    outcome = xorqa("data", "multilingual-questions", "--squad", SQUAD, "--out", tmp_path / "out")
    assert outcome.status == 0
    assert " ".join(outcome.out.split()).count("3624") == 17
    korean = list(read_squad(tmp_path / "out" / "ko.json"))
    assert len(korean) == 3624
    for one in korean:
        assert one.span and one.context[one.span.start : one.span.end] == one.answers[0]


def test_without_squad_the_error_names_the_file(xorqa: Callable[..., Any], tmp_path: Path) -> None:
    outcome = xorqa("data", "multilingual-questions", "--squad", tmp_path / "train.json")
    assert outcome.status == 2
    [line] = outcome.err.splitlines()
    assert line.endswith("train.json is missing; fetch it with: xorqa data fetch squad")
