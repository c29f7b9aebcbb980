"""`xorqa bench known-items`: passages of one's own files, found by a piece of them."""

from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from ....cli.options import JsonFile
from ....cli.show import print_grid, progress
from ....datasets.corpora.document_pages import SIZE
from ....io.files import write_json
from ....models.encoder_settings import settings_in_name
from .. import known_items as bench


def known_items(
    folder: Annotated[Path, Argument(help="A folder of texts, in a language each: khm.txt.")],
    retriever: Annotated[
        str, Option(help="The retriever; settings may follow: bm25,word_pairs=true.")
    ] = "bm25",
    words: Annotated[int, Option(min=1, help="The maximum words per passage.")] = SIZE,
    rows: Annotated[int, Option(min=1, help="Files in the table, the worst first.")] = 20,
    json_file: JsonFile = None,
) -> None:
    """Split files into passages, and search each passage by six of its words.

    A piece that is in no other passage of its file should find its passage first, whatever the
    script. The longest passage is counted in subwords of the bundled encoder.

    Example: xorqa bench known-items declarations/ --json known-items.json
    """
    name, settings = settings_in_name(retriever)
    with progress() as bars:
        report = partial(bars, "files")
        figures = bench.measure(
            folder, retriever={"use": name, **settings}, size=words, progress=report
        )
    if json_file:
        write_json(json_file, figures)
    print_grid(bench.grid(figures, rows))
