"""The command line: a module per command, collected here."""

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from ..core.errors import DamageWarning, Notice, XorqaError
from ..core.progress import announcing
from ..text.control_characters import visible
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
from .show import errors, print_line, print_message

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
for command in (
    *(demo.demo, ask.ask, index.index, run.run, read.read, mlqa.mlqa, ledger, lareqa.lareqa),
    *(compare.compare, report.report, plan.plan, doctor.doctor),
):
    app.command()(command)
for name, group, summary in (
    ("corpus", corpus.app, "Build passages from dumps and other files."),
    ("eval", eval_app, "Score official prediction files."),
    ("submission", submission.app, "Check a prediction file before submission."),
    ("data", data.app, "List, fetch and show data sets."),
    ("models", models.app, "List, show and pull weights."),
    (
        "translate",
        translate.app,
        "Translate training or test data (MLQA's baselines), or questions.",
    ),
    ("transform", transform.app, "Fit a transform that removes language information from vectors."),
    ("train", train.app, "Train weights from a recipe."),
    ("checklist", checklist_app, "Behavioural tests in many languages."),
    ("bench", bench.app, "Measure speed on this machine."),
):
    app.add_typer(group, name=name, help=summary)


def main() -> None:
    """Run the command line; a user's mistake prints one line and exits with status 2."""
    with warnings.catch_warnings(), announcing(partial(print_line, stream=errors)):
        warnings.simplefilter("once", Notice)
        warnings.simplefilter("always", DamageWarning)
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
        print_message("error:", "red", f"{type(error).__name__}: {error}")
        sys.exit(2)
    except OSError as error:
        print_message("error:", "red", error)
        sys.exit(2)
    except SystemExit as exit:
        if exit.code == INTERRUPTED:
            errors.print("interrupted; run the same command again to resume")
        raise


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
