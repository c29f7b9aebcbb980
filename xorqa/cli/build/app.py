"""`xorqa build`: build data sets for evaluation."""

import typer

from .pool import pool

app = typer.Typer(no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build data sets for evaluation."""


app.command()(pool)
