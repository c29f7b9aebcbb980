"""`xorqa models`: list, show and download weights."""

from typing import Annotated

from rich.table import Table
from typer import Argument

from ..models.adapters import open_adapter, shipped
from ..models.checkpoints import DEFAULT, resolve
from ..models.description import describe
from ..models.hub import commits
from .commands import open_group
from .options import AsJson, models
from .show import console, print_json

ALONE = ("image-encoder", "transliterator")
"""Tasks of networks that need no base model, although their files name one."""

app = open_group("models")

Name = Annotated[str, Argument(autocompletion=models)]


@app.command("list")
def list_() -> None:
    """List the weights that need no hub: the base model, its adapters and small networks."""
    table = Table("name", "kind", "size")
    table.add_row(DEFAULT, "base (multilingual-e5-small in 4 bits, MIT)", "72 MB")
    for name, path in shipped().items():
        task = open_adapter(name).task
        kind = task if task in ALONE else f"{task}, adapter for {DEFAULT}"
        table.add_row(name, kind, f"{path.stat().st_size / 1e6:.1f} MB")
    console.print(table)


@app.command()
def show(name: Name, as_json: AsJson = False) -> None:
    """Show the path and hash of weights and what their files compute, or an adapter's card."""
    details: dict[str, object]
    if name in shipped():
        adapter = open_adapter(name)
        details = {
            "name": name,
            "task": adapter.task,
            "path": str(adapter.path),
            "sha": adapter.sha,
            "base": adapter.base.name,
            "base_sha": adapter.base.sha,
            "card": dict(adapter.card),
        }
        if adapter.task in ALONE:
            del details["base"], details["base_sha"]
    else:
        checkpoint = resolve(name)
        details = {"name": name, "path": str(checkpoint.location), "sha": checkpoint.sha}
        if pinned := commits(name):
            details["commit"] = pinned[name]
        details |= describe(checkpoint)
    if as_json:
        print_json(details)
    else:
        console.print_json(data=details)


@app.command()
def pull(name: Name) -> None:
    """Download weights now instead of on first use, or unpack the bundled ones (470 MB).

    Example: xorqa models pull intfloat/multilingual-e5-small
    """
    console.print(f"{name}: {resolve(name).path}", soft_wrap=True)
