"""The commands of `xorqa`, by the panels of its help; a command's module is imported on its use."""

import importlib
from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.models import Default

from ..core.extensions import OTHER_PACKAGES, Command, extended

PANELS = ("Ask", "Experiment", "Score", "Data", "Train", "Teach", "This machine", OTHER_PACKAGES)

ROAD: Mapping[str, Command] = {
    "ask": Command("xorqa.cli.ask:ask", "Answer a question and show the evidence.", "Ask"),
    "serve": Command(
        "xorqa.cli.serve:serve", "Answer questions in a browser and over HTTP.", "Ask"
    ),
    "run": Command("xorqa.cli.run:run", "Run an experiment and print its scores.", "Experiment"),
    "compare": Command(
        "xorqa.cli.compare:compare",
        "Test the differences between runs for significance.",
        "Experiment",
    ),
    "eval": Command(
        "xorqa.cli.eval:app",
        "Score prediction files, rankings, encoders and translations.",
        "Score",
    ),
    "data": Command("xorqa.cli.data:app", "List, fetch, show, check and export data sets.", "Data"),
    "corpus": Command("xorqa.cli.corpus:app", "Build passages from dumps and other files.", "Data"),
    "index": Command(
        "xorqa.cli.index:app", "Build the indexes of a corpus, or update them.", "Data"
    ),
    "translate": Command(
        "xorqa.cli.translate:app", "Translate questions, and training or test data.", "Data"
    ),
    "models": Command("xorqa.cli.models:app", "List, show and download weights.", "Train"),
    "demo": Command("xorqa.cli.demo:demo", "Compare three systems on the bundled data.", "Teach"),
    "doctor": Command("xorqa.cli.doctor:doctor", "Check dependencies, or indexes.", "This machine"),
}
"""The commands of the road; `extensions("commands")` has those of the lab and other packages."""


def commands(group: str = "") -> dict[str, Command]:
    """The commands of `xorqa`, or those that are added to one of its groups, by panel."""
    every = extended("commands", ROAD)
    prefix = f"{group} " if group else ""
    named = {
        name.removeprefix(prefix): entry
        for name, entry in every.items()
        if name.startswith(prefix) and " " not in name.removeprefix(prefix)
    }
    return {
        name: entry
        for panel in ("", *PANELS)
        for name, entry in named.items()
        if entry.panel == panel
    }


def load(entry: Command) -> Any:
    """Import a command: a function, or a Typer with commands of its own."""
    module, _, name = entry.path.partition(":")
    return getattr(importlib.import_module(module), name)


class LazyGroup(TyperGroup):
    """A group of commands, some of which are imported when they are used.

    Its help and its completion import none of them. `group` is "" for the root.
    """

    group = ""

    def __init__(self, **options: Any) -> None:
        own = options.get("commands") or {}
        self.entries = {n: entry for n, entry in commands(self.group).items() if n not in own}
        outlines = {
            name: TyperCommand(name, help=entry.summary, rich_help_panel=entry.panel or None)
            for name, entry in self.entries.items()
        }
        super().__init__(**{**options, "commands": {**own, **outlines}})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command; its module is imported."""
        if cmd_name in self.entries:
            return _built(cmd_name, self.entries[cmd_name])
        return super().get_command(ctx, cmd_name)

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


def open_group(group: str, **options: Any) -> typer.Typer:
    """A Typer for a group of commands to which the lab and other packages may add."""
    lazy = type(f"{group.title()}Group", (options.pop("cls", LazyGroup),), {"group": group})
    return typer.Typer(cls=lazy, no_args_is_help=True, **options)


def _built(name: str, entry: Command) -> Any:
    """The command as Typer builds it from a function or from a Typer."""
    parent = typer.Typer(rich_markup_mode="rich", pretty_exceptions_enable=False)
    parent.callback()(lambda: None)
    loaded = load(entry)
    if isinstance(loaded, typer.Typer):
        own_help = loaded.info.invoke_without_command is True  # of a command with commands
        parent.add_typer(loaded, name=name, help=Default(None) if own_help else entry.summary)
    else:
        parent.command(name)(loaded)
    root: Any = typer.main.get_command(parent)
    return root.commands[name]
