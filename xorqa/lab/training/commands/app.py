"""`xorqa train`: train weights from a recipe, fit small models, and gather the data of both."""

import typer

from ..common.kind import TRAINING_KINDS
from .fitted import chooser, confidence, name_thresholds, no_answer
from .pairs import lexicon, name_pairs, name_words, parallel, word_by_word
from .recipes import average, command_of, held_out
from .several import pack, train_all

app = typer.Typer(no_args_is_help=True)


@app.callback()
def recipes() -> None:
    """Train weights from a recipe; after an interruption the same command resumes."""


for kind in TRAINING_KINDS:
    app.command(kind.replace("_", "-"))(command_of(kind))
for command in (
    average,
    held_out,
    pack,
    chooser,
    no_answer,
    confidence,
    parallel,
    word_by_word,
    name_pairs,
    name_words,
    name_thresholds,
    lexicon,
):
    app.command()(command)
app.command("all")(train_all)
