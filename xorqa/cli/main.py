"""The command line: a module per command, collected here."""

import errno
import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from ..core.errors import DamageWarning, Notice, XorqaError
from ..core.progress import announcing
from ..core.text.normalize import visible
from ..io.files import cache_dir
from .commands import LazyGroup
from .show import errors, print_line, print_message

_NAMED = r"[A-Za-z_][\w.]*:[A-Za-z_]\w*"
_ARGUMENT = re.compile(rf"(?:[^=]*=)?{_NAMED}")
_STAGE = re.compile(rf"""\buse["']?\s*[=:]\s*["']{_NAMED}["']""")
INTERRUPTED = 130  # typer's exit status for Ctrl-C

app = typer.Typer(
    cls=LazyGroup,
    name="xorqa",
    help="Answer questions in any language from documents in others, and evaluate systems.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"xorqa {version('xorqa')}")
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool, Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The options of `xorqa` itself."""


def main() -> None:
    """Run the command line; a user's mistake prints one line and exits with status 2."""
    with warnings.catch_warnings(), announcing(partial(print_line, stream=errors)):
        warnings.simplefilter("once", Notice)
        warnings.simplefilter("always", DamageWarning)
        warnings.showwarning = _one_line(warnings.showwarning)
        # `my_package:MyTask` in an argument or a config may name a module of the current directory.
        # Run folders may come from someone else, so the names in them do not count.
        here = str(Path.cwd())
        if here not in sys.path and any(map(_names_module, sys.argv[1:])):
            sys.path.append(here)  # last: it hides no installed package
        try:
            app()
        except XorqaError as error:
            print_message("error:", "red", f"{type(error).__name__}: {error}")
            sys.exit(2)
        except OSError as error:
            if error.errno == errno.ENOSPC and error.filename is None:
                error.filename = f"standard output, or {cache_dir()}"
            print_message("error:", "red", error)
            sys.exit(2)
        except SystemExit as exit:
            if exit.code == INTERRUPTED:
                # `python -m` ends with SIGINT instead of this status if Ctrl-C came while a string
                # was executed, as dataclasses do on import; executing another clears that mark.
                exec("")
                errors.print("interrupted; run the same command again to resume")
            raise


def _names_module(argument: str) -> bool:
    if _ARGUMENT.fullmatch(argument) or _STAGE.search(argument):
        return True
    path = Path(argument)
    if path.suffix != ".toml":
        return False
    try:
        return bool(_STAGE.search(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):  # reported by the command
        return False


def _one_line(show: Callable[..., None]) -> Callable[..., None]:
    """Print notices as one line, other warnings with `show`."""

    def show_line(
        message: Warning | str, category: type[Warning], *args: Any, **options: Any
    ) -> None:
        if issubclass(category, Notice):
            print_message("note:", "yellow", message)
        else:
            show(visible(str(message)), category, *args, **options)

    return show_line
