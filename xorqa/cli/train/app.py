"""`xorqa train`: train weights from a recipe, fit small models, and gather the data of both."""

import typer

from .confidence import confidence
from .fitted import chooser, name_thresholds, no_answer
from .pairs import lexicon, name_pairs, name_words, parallel
from .recipes import (
    average,
    biencoder,
    document_head,
    held_out,
    image_encoder,
    query_encoder,
    ranker,
    reader,
    translator,
    transliterator,
)

app = typer.Typer(no_args_is_help=True)


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; after an interruption the same command resumes."""


for command in (
    reader,
    ranker,
    average,
    biencoder,
    query_encoder,
    translator,
    transliterator,
    document_head,
    image_encoder,
    held_out,
    chooser,
    no_answer,
    confidence,
    parallel,
    name_pairs,
    name_words,
    name_thresholds,
    lexicon,
):
    app.command()(command)
