"""The command line: a module per command, collected here."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from ..core.deprecation import RenamedWarning
from ..core.errors import XorqaError
from . import (
    ask,
    bench,
    compare,
    corpus,
    data,
    demo,
    doctor,
    index,
    lareqa,
    mlqa,
    models,
    plan,
    read,
    report,
    run,
    submission,
    train,
    transform,
    translate,
)
from .checklist.app import app as checklist_app
from .eval.app import app as eval_app
from .ledger.app import ledger
from .show import errors

_MODULE_AND_NAME = re.compile(r"(?:[^=]*=)?[A-Za-z_][\w.]*:[A-Za-z_]\w*")
INTERRUPTED = 130  # typer's exit status for Ctrl-C

app = typer.Typer(
    name="xorqa",
    help="Answer questions in any language from documents in others, and evaluate systems.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("ask")(ask.ask)
app.command("index")(index.index)
app.command("run")(run.run)
app.command("read")(read.read)
app.command("mlqa")(mlqa.mlqa)
app.command("ledger")(ledger)
app.command("lareqa")(lareqa.lareqa)
app.command("compare")(compare.compare)
app.command("report")(report.report)
app.command("plan")(plan.plan)
app.command("doctor")(doctor.doctor)
app.add_typer(corpus.app, name="corpus", help="Build passages from dumps and other files.")
app.add_typer(eval_app, name="eval", help="Score official prediction files.")
app.add_typer(submission.app, name="submission", help="Check a prediction file before submission.")
app.add_typer(data.app, name="data", help="List, fetch and show data sets.")
app.add_typer(models.app, name="models", help="List, show and pull weights.")
app.add_typer(
    translate.app,
    name="translate",
    help="Translate training or test data (MLQA's baselines), or questions.",
)
app.add_typer(
    transform.app,
    name="transform",
    help="Fit a transform that removes language information from vectors.",
)
app.add_typer(train.app, name="train", help="Train weights from a recipe.")
app.add_typer(checklist_app, name="checklist", help="Behavioural tests in many languages.")
app.add_typer(bench.app, name="bench", help="Measure speed on this machine.")


def main() -> None:
    """Run the command line; a user's mistake prints one line and exits with status 2."""
    with warnings.catch_warnings():
        warnings.simplefilter("once", RenamedWarning)
        warnings.showwarning = _one_line(warnings.showwarning)
        _import_from_current_directory(sys.argv[1:])
        _run()


def _import_from_current_directory(arguments: Sequence[str]) -> None:
    """Let arguments such as `my_package:MyTask` name modules of the current directory."""
    here = str(Path.cwd())
    if here not in sys.path and any(map(_MODULE_AND_NAME.fullmatch, arguments)):
        sys.path.append(here)  # last: it hides no installed package


def _run() -> None:
    try:
        app()
    except XorqaError as error:
        errors.print(f"[red]error:[/red] {type(error).__name__}:", end=" ")
        errors.print(str(error), markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except OSError as error:
        errors.print(f"[red]error:[/red] {error}", highlight=False, soft_wrap=True)
        sys.exit(2)
    except SystemExit as exit:
        if exit.code == INTERRUPTED:
            errors.print("interrupted; run the same command again to resume")
        raise


def _one_line(show: Callable[..., None]) -> Callable[..., None]:
    """Print warnings about retired names as one line, others with `show`."""

    def show_line(
        message: Warning | str, category: type[Warning], *args: Any, **options: Any
    ) -> None:
        if issubclass(category, RenamedWarning):
            errors.print(f"[yellow]note:[/yellow] {escape(str(message))}", soft_wrap=True)
        else:
            show(message, category, *args, **options)

    return show_line
