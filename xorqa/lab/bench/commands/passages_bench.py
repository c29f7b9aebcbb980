"""`xorqa bench passages`: how many passages to read."""

from pathlib import Path
from typing import Annotated

from typer import Option

from ....cli.options import JsonFile
from ....cli.show import print_grid, progress
from ....core.config import stage_table
from ....io.files import data_dir, write_json
from ....reading.pairs import DEFAULT_READER
from ...common.fetched import local_or_fetched
from ...training.bitext.lexicon import read_lexicon
from .. import passages as benchmark


def passages(
    questions: Annotated[int, Option(min=1, help="Questions per group.")] = 250,
    retriever: Annotated[str, Option(help="A name, or a table: {use = 'dense', ...}.")] = "dense",
    ranker: Annotated[
        str, Option(help="Rank 100 hits first: reader, or a table of settings.")
    ] = "none",
    reader: Annotated[str, Option(help="A shipped adapter or a file.")] = DEFAULT_READER,
    ranking: Annotated[float, Option(min=0, help="The reader's weight of the hits' scores.")] = 0.0,
    lexicon: Annotated[
        Path | None, Option(help="TSV of `xorqa train lexicon`: also ask code-switched questions.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Measure F1 and milliseconds by the number of passages read.

    Asks questions of SQuAD's training articles that readers hold out, and those of questions-open,
    over SQuAD's 20,963 paragraphs.

    Example: xorqa bench passages --questions 100 --retriever bm25
    """
    words = read_lexicon([local_or_fetched(lexicon)]) if lexicon else {}
    with progress() as report:
        measured = benchmark.measure(
            data_dir(),
            questions=questions,
            retriever=stage_table(retriever),
            reader={"adapter": reader, "ranking": ranking},
            lexicon=words,
            ranker=stage_table(ranker),
            progress=report,
        )
    print_grid(benchmark.grid(measured))
    if json_file:
        write_json(json_file, measured)
