import pytest

from xorqa.cli.doctor.findings import run_check
from xorqa.core.errors import DataError, MissingExtraError


def raising(error: BaseException) -> str:
    raise error


def test_what_a_check_returns_or_raises_becomes_a_line() -> None:
    assert run_check("here", "java", lambda: "works").state == "ok"
    found = run_check("here", "java", lambda: raising(MissingExtraError("no jar;\n install it")))
    assert (found.state, found.note) == ("missing", "no jar; install it")
    found = run_check("here", "java", lambda: raising(DataError("cut short")))
    assert (found.state, found.note) == ("broken", "cut short")
    found = run_check("here", "java", lambda: raising(RuntimeError("C++\nfailed")))
    assert (found.state, found.note) == ("broken", "RuntimeError: C++ failed")


def test_an_interruption_is_no_finding() -> None:
    with pytest.raises(KeyboardInterrupt):
        run_check("here", "java", lambda: raising(KeyboardInterrupt()))
