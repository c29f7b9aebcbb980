import pytest

from xorqa.core.progress import announce, announcing, split_progress


def test_parts_report_the_progress_of_the_whole() -> None:
    calls: list[tuple[int, int]] = []
    first, second, last = split_progress(lambda *call: calls.append(call), (1.0, 3.0, 0.0))
    for part in (first, second, last):
        for done in (0, 5, 10):
            part(done, 10)
    assert calls == [(done, 10) for done in (0, 1, 2, 2, 6, 10, 10, 10, 10)]


@pytest.mark.parametrize("total", [3, 7, 100, 12_345])
def test_one_part_is_the_whole(total: int) -> None:
    calls: list[tuple[int, int]] = []
    [part] = split_progress(lambda *call: calls.append(call), (1.0,))
    for done in range(total + 1):
        part(done, total)
    assert calls == [(done, total) for done in range(total + 1)]


def test_announcements_go_to_the_innermost_log(capsys: pytest.CaptureFixture[str]) -> None:
    outer: list[str] = []
    inner: list[str] = []
    announce("nobody listens, and standard error is no terminal")
    with announcing(outer.append):
        with announcing(inner.append):
            announce("one")
        announce("two")
    assert (outer, inner) == (["two"], ["one"])
    assert capsys.readouterr().err == ""


def test_announcements_are_printed_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    announce("a line")
    assert capsys.readouterr().err == "a line\n"
