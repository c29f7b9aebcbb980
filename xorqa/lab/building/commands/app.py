"""`xorqa build`: build data sets for evaluation."""

import typer

from .pool import pool
from .qa import app as qa
from .xor import app as xor

app = typer.Typer(no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build data sets for evaluation."""


app.command()(pool)
app.add_typer(qa, name="qa")
app.add_typer(xor, name="xor")
