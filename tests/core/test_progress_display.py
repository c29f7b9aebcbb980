import io

import pytest
from rich.console import Console

from xorqa.core import progress as progress_display
from xorqa.core.progress import displayed


def test_elsewhere_than_on_a_terminal_a_line_appears_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress_display.time, "monotonic", lambda: clock[0])
    with displayed(Console(stderr=True)) as report:
        for second in range(101):
            clock[0] = float(second)
            report("index rivers", 10 * second, 1000)
    assert capsys.readouterr().err.splitlines() == [
        "index rivers: 300/1,000, about 1 min left",
        "index rivers: 600/1,000, about 40 s left",
        "index rivers: 900/1,000, about 10 s left",
    ]


def test_a_short_task_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with displayed() as report:
        for done in range(5):
            report("read", done, 4)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_has_bars_with_the_names_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    with displayed(console) as report:
        report("index [/red]\x1b.json", 1, 4)
        report("read", 2, 2)
    assert "index [/red]" in screen.getvalue()
    assert "1/4" in screen.getvalue() and "2/2" in screen.getvalue()
    assert capsys.readouterr().err == ""
