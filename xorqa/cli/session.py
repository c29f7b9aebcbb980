"""An interactive session: questions from a terminal, with a history, or from a pipe."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rich.text import Text

from ..io.files import cache_dir
from .show import errors

PROMPT = "question> "
QUIT = ("quit", "exit")
HELP = "Type a question in any language and press Enter; the arrow keys bring back earlier ones."
ENDING = "quit (or Ctrl-D) ends the session, help shows this text."
REMEMBERED = 1000  # questions


def typed_questions(first: Iterable[str], examples: Sequence[str] = ()) -> Iterator[str]:
    """Questions from the command line, then from standard input until `quit` or its end.

    On a terminal, earlier questions are stored in the cache folder.
    """
    yield from first
    terminal = sys.stdin.isatty()
    history = _history() if terminal else None
    if terminal:
        _print_help(examples)
    while (line := _next_line(prompt=terminal)) is not None:
        if line in QUIT:
            return
        if line == "help":
            _print_help(examples)
        elif line:
            _remember(history)
            yield line


def _next_line(*, prompt: bool) -> str | None:
    """The next line without white space at its ends, None at the end of the input."""
    try:
        if prompt and sys.stdout.isatty():
            return input(PROMPT).strip()  # with the editing keys of readline
        if prompt:
            errors.print(PROMPT, end="")
        line = sys.stdin.readline()
    except EOFError:
        line = ""
    return line.strip() if line else None


def _print_help(examples: Sequence[str]) -> None:
    for line in (HELP, ENDING, *(f"  {example}" for example in examples)):
        errors.print(Text(line, style="dim"))


def _history() -> Path | None:
    """The file with the questions of earlier sessions, which are loaded; None without readline."""
    try:
        import readline
    except ImportError:  # Windows
        return None
    path = cache_dir() / "ask_history"
    readline.set_history_length(REMEMBERED)
    if path.is_file():
        readline.read_history_file(path)
    return path


def _remember(path: Path | None) -> None:
    if path is not None:
        import readline

        path.parent.mkdir(parents=True, exist_ok=True)
        readline.write_history_file(path)
