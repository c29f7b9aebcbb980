"""What is printed is text: no markup, and nothing that steers a terminal."""

import json
from pathlib import Path

import pytest

from tests.command_line import Xorqa
from xorqa.cli import show
from xorqa.tables.grid import Grid

HOSTILE = "\x1b[2J\x9b31m\u202etxt \rover"
SHOWN = "\\u001b[2J\\u009b31m\\u202etxt \\u000dover"
FORMATS = ("terminal", "markdown", "latex", "csv", "html")


def without_controls(text: str) -> bool:
    return not set(text) & set("\x1b\x9b\u202e\r\x07")


@pytest.mark.parametrize("stream", [show.console, show.errors])
def test_strings_are_printed_literally(
    stream: show.LiteralConsole, capsys: pytest.CaptureFixture[str]
) -> None:
    stream.print(f"[/red] [bold]a[/] :smile: {HOSTILE}")
    show.print_line("[/x] b\x07", stream)
    show.print_message("error:", "red", "[/x] c\x07")
    printed = "".join(capsys.readouterr())
    assert f"[/red] [bold]a[/] :smile: {SHOWN}\n" in printed
    assert "[/x] b\\u0007\n" in printed
    assert "error: [/x] c\\u0007\n" in printed


@pytest.mark.parametrize("format", FORMATS)
def test_no_tables_print_nothing(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    show.print_grids([], format)
    assert capsys.readouterr().out == ""


def test_tables_share_a_caption_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    grid = Grid("t", ("a", "b"), ((("x", "1"),),), "Percent.")
    show.print_grids([grid, grid])
    assert capsys.readouterr().out.count("Percent.") == 1


@pytest.mark.parametrize("format", FORMATS)
def test_tables_show_control_characters(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    show.print_grid(Grid(HOSTILE, (HOSTILE, "n"), (((HOSTILE, "1"),),), HOSTILE), format)
    printed = capsys.readouterr().out
    assert without_controls(printed)
    assert "u202e" in printed


def test_a_table_keeps_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show.print_grid(Grid("t", ("docid", "n"), ((("a\x1b[1m", "1"), ("b", "2")),)))
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert len({len(row) for row in rows}) == 1


def test_json_is_printed_with_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    show.print_json({"title": HOSTILE})
    printed = capsys.readouterr().out
    assert without_controls(printed)
    assert json.loads(printed) == {"title": HOSTILE}


def test_progress_of_a_file_with_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show.errors, "_force_terminal", True)
    with show.progress() as tell:
        tell("[/red].json", 1, 2)


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_an_answer_from_a_hostile_passage(
    xorqa: Xorqa, config: Path, tmp_path: Path, as_json: tuple[str, ...]
) -> None:
    text = f"{HOSTILE} [/red] The Nile is a river in Africa.{HOSTILE}"
    passage = {"docid": "d\x1b[2J\x9b\u202e", "title": f"t{HOSTILE}", "text": text, "lang": "en"}
    corpus = tmp_path / "[red]rivers[x.jsonl"
    corpus.write_text(json.dumps(passage), encoding="utf-8")
    options = ("--lang", "en", "--corpus", corpus, "--config", config, *as_json)
    options += ("--min-confidence", "0")
    outcome = xorqa("ask", "Where is the Nile?", *options)
    assert outcome.status == 0, outcome.err
    assert without_controls(outcome.out + outcome.err)
    assert "u202e" in outcome.out
    if as_json:
        row = json.loads(outcome.out)
        [evidence, *_] = row["evidence"]
        assert evidence["text"] == text
        span = text[evidence["start"] : evidence["end"]]
        assert span == row["trace"]["candidates"][0]["text"]


@pytest.mark.parametrize("name", ["[/red]", "[bold]x", "a[red]", "esc\x1b[1m"])
@pytest.mark.parametrize(
    "command",
    [
        ("read", "--pred", "p.json", "--data"),
        ("submission", "check", "--task", "xor-full"),
        ("corpus", "make", "--lang", "fi", "--out", "o.jsonl"),
        ("report",),
        ("models", "show"),
        ("data", "show"),
        ("index", "--corpus"),
        ("doctor", "--data", "mini", "--lang", "en"),
    ],
)
def test_paths_with_markup_are_printed_literally(
    xorqa: Xorqa, command: tuple[str, ...], name: str
) -> None:
    outcome = xorqa(*command, name)
    assert outcome.status in (1, 2)
    assert without_controls(outcome.out + outcome.err)
    assert name.replace("\x1b", "\\u001b") in outcome.out + outcome.err
