import pytest

from xorqa.core.errors import XorqaError
from xorqa.lab.bench import start


def test_new_processes_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "ASK", ("--version",))
    done: list[tuple[int, int]] = []
    figures = start.measure(2, progress=lambda _, number, total: done.append((number, total)))
    assert done == [(1, 2), (2, 2)]
    assert all(0 < figures[name] < 60 for name in ("empty_home_s", "answer_s", "help_s"))
    assert len(start.grid({**figures, "cpu": "a processor"}).rows[0]) == 3


def test_a_command_that_fails_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "ASK", ("ask", "--corpus", "missing.jsonl", "?"))
    with pytest.raises(XorqaError, match=r"xorqa ask failed: .*missing\.jsonl"):
        start.measure(1, progress=lambda *_: None)
