from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xorqa.core.errors import DataError
from xorqa.lab.training.common.training_data import match_key, read_excluded, stream, torch_seed


def test_a_stream_is_the_same_every_time_and_its_own() -> None:
    draws = {name: stream(1, *name).random() for name in ((), ("a",), ("b",), ("a", 1), ("a", 2))}
    assert len(set(draws.values())) == len(draws)
    assert stream(1, "a").random() == draws["a",]
    assert stream(2, "a").random() != draws["a",]


def test_streams_do_not_depend_on_the_process() -> None:
    assert stream(1, "batches").randrange(10**6) == 720_479
    assert 0 <= torch_seed(1, "dropout", 3) < 2**63


def test_letters_marks_and_digits_alone() -> None:
    assert match_key("  Can 't  you?! ") == match_key("can't you") == "cantyou"
    assert match_key("ＡＢＣ１２３。") == "abc123"
    assert match_key("মেদক নগর ?") == "মেদকনগর"
    assert match_key("?!") == ""


@given(st.text())
def test_blanks_and_punctuation_around_a_text_do_not_count(text: str) -> None:
    assert match_key(f" {text} ?!") == match_key(text)
    assert not any(char.isspace() or char in "?!." for char in match_key(text))


def test_questions_and_lines_of_files(tmp_path: Path, file: Path) -> None:
    (tmp_path / "dev.jsonl").write_text('{"question": "Mikä?"}\n{"question": "Kuka?"}\n')
    (tmp_path / "test.eng").write_bytes(b"Go away.\r\n\r\nRun!\n")
    found = read_excluded([tmp_path / "dev.jsonl", tmp_path / "test.eng", file])
    assert {"mikä", "kuka", "goaway", "run", "longofthenile"} <= found
    assert "" not in found


def test_both_sides_of_pairs(tmp_path: Path) -> None:
    (tmp_path / "held-out.tsv").write_text("fi\tMikä joki?\ten\tWhich river?\n")
    (tmp_path / "fin.txt").write_text("Go.\tMene.\tCC BY\n")
    found = read_excluded([tmp_path / "held-out.tsv", tmp_path / "fin.txt"])
    assert found >= {"mikäjoki", "whichriver", "go", "mene"} and "fi" not in found


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.eng cannot be read"):
        read_excluded([tmp_path / "none.eng"])
    (tmp_path / "a.jsonl").write_text('{"q": 1}\n')
    with pytest.raises(DataError, match=r"a\.jsonl, line 1: needs a string 'question'"):
        read_excluded([tmp_path / "a.jsonl"])
    (tmp_path / "b.txt").write_bytes(b"\xfd\xfe")
    with pytest.raises(DataError, match=r"b\.txt is not UTF-8"):
        read_excluded([tmp_path / "b.txt"])
