"""The commands of `xorqa`, by the panels of its help; a command's module is imported on its use."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import Default

PANELS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Ask": {
        "ask": ("ask:ask", "Answer a question and show the evidence."),
        "serve": ("serve:serve", "Answer questions in a browser and over HTTP."),
    },
    "Experiment": {
        "run": ("run:run", "Run an experiment and print its scores."),
        "compare": ("compare:compare", "Test the differences between runs for significance."),
        "diagnose": ("diagnose:diagnose", "Split results by features of the questions."),
        "report": ("report:report", "Print XOR-Full's table of runs, choosers and oracles."),
        "ledger": ("ledger.app:ledger", "Split the lost points by stage."),
    },
    "Score": {
        "eval": ("eval.app:app", "Score prediction files, rankings, encoders and translations."),
        "submission": ("submission:app", "Check a prediction file before submission."),
        "leaderboard": ("leaderboard:app", "Rank systems in a static site."),
        "mlqa": ("mlqa:mlqa", "Evaluate a reader across languages: XLT and G-XLT."),
        "lareqa": ("lareqa:lareqa", "Evaluate an encoder across languages, and its bias: LAReQA."),
        "backretrieval": (
            "backretrieval:backretrieval",
            "Evaluate encoders without translations: Backretrieval.",
        ),
        "checklist": ("checklist.app:app", "Run behavioural tests in many languages."),
    },
    "Data": {
        "data": ("data:app", "List, fetch, show, check and export data sets."),
        "corpus": ("corpus:app", "Build passages from dumps and other files."),
        "mine": ("mine:mine", "Mine sentence pairs from two collections."),
        "build": ("build.app:app", "Build data sets for evaluation."),
        "index": ("index:app", "Build the indexes of a corpus, or update them."),
        "read": ("read:read", "Predict answers for a SQuAD-style file."),
        "translate": ("translate:app", "Translate questions, and training or test data."),
    },
    "Train": {
        "train": ("train.app:app", "Train readers, encoders, translators and choosers."),
        "transform": ("transform:app", "Remove language information from vectors."),
        "models": ("models:app", "List, show and download weights."),
    },
    "Teach": {
        "demo": ("demo:demo", "Compare three systems on the bundled data."),
    },
    "This machine": {
        "doctor": ("doctor:doctor", "Check dependencies, or indexes."),
        "plan": ("plan:plan", "Predict the cost of an index before building it."),
        "bench": ("bench:app", "Measure speed."),
    },
}
"""By panel and command, its place in this package (module and object), and its line in the help."""


@dataclass(frozen=True, slots=True)
class CommandEntry:
    """A command before its module is imported."""

    panel: str
    path: str
    summary: str

    def load(self) -> Any:
        """Import the command: a function, or a Typer with commands of its own."""
        module, _, name = self.path.partition(":")
        return getattr(importlib.import_module(f".{module}", __package__), name)


COMMANDS = {
    name: CommandEntry(panel, path, summary)
    for panel, commands in PANELS.items()
    for name, (path, summary) in commands.items()
}


class LazyGroup(TyperGroup):
    """The root of the command line; its help and its completion import no command."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "commands": _outlines()})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command; its module is imported."""
        entry = COMMANDS.get(cmd_name)
        return _built(cmd_name, entry) if entry else None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help from the summaries."""
        self._outline().format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete names of commands, and options."""
        ctx.command = self._outline()
        return ctx.command.shell_complete(ctx, incomplete)

    def _outline(self) -> TyperGroup:
        """A group with the same options, and commands that only have a name and a summary."""
        return TyperGroup(
            name=self.name,
            commands=dict(self.commands),
            params=self.params,
            help=self.help,
            rich_markup_mode=self.rich_markup_mode,
        )


def _outlines() -> dict[str, Any]:
    return {
        name: TyperCommand(name, help=entry.summary, rich_help_panel=entry.panel)
        for name, entry in COMMANDS.items()
    }


def _built(name: str, entry: CommandEntry) -> Any:
    """The command as Typer builds it from a function or from a Typer."""
    parent = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False)
    parent.callback()(lambda: None)
    loaded = entry.load()
    if isinstance(loaded, typer.Typer):
        own_help = loaded.info.invoke_without_command is True  # of a command with commands
        parent.add_typer(loaded, name=name, help=Default(None) if own_help else entry.summary)
    else:
        parent.command(name)(loaded)
    root: Any = typer.main.get_command(parent)
    return root.commands[name]
