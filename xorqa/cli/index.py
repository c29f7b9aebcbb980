"""`xorqa index`: build the indexes of a data set or a corpus, and update them."""

from functools import partial
from inspect import signature
from typing import Annotated, Any

import typer

from ..core.errors import ConfigError
from ..core.quantity import quantity
from ..core.registry import build, find
from ..core.stages import BaseRetriever
from ..core.timing import timed
from ..datasets.catalog import corpora_of
from ..datasets.corpus import Corpus
from ..datasets.user_data import parse_corpus
from ..io.files import index_folder, indexes_dir
from ..retrieval.manifest import folder_of
from ..retrieval.vectors.kinds import EXACT
from .index_update import update
from .options import Indexes, Verify, Wait, datasets, split_langs
from .show import console, print_line, progress, waiting_if

app = typer.Typer(invoke_without_command=True)
app.command("update")(update)


@app.callback()
def index(
    context: typer.Context,
    corpus: Annotated[
        str | None,
        typer.Option(help="A folder or file of documents or passages; te=FILE if in Telugu."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="Or a data set: mini, xquad-open.", autocompletion=datasets),
    ] = None,
    lang: Annotated[
        list[str] | None,
        typer.Option(help="The data set's corpora: en,ko or all; default en."),
    ] = None,
    retriever: Annotated[
        str, typer.Option(help="Such as dense, bm25, psq, lucene, elastic.")
    ] = "dense",
    kind: Annotated[
        str | None, typer.Option(help="Kind of dense index: flat, ivf-sq8, ...")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Encoding processes, one thread each; 0: this process.")
    ] = 0,
    on: Annotated[str, typer.Option(help="Where workers run: processes or ray.")] = "processes",
    rebuild: Annotated[bool, typer.Option(help="Replace existing indexes.")] = False,
    indexes: Indexes = None,
    wait: Wait = False,
    verify: Verify = False,
) -> None:
    """Build indexes; a killed build resumes.

    All commands and Python find an index by its passages, whatever their file's name.

    Example: xorqa index --corpus passages.jsonl --retriever dense
    """
    if context.invoked_subcommand:
        if corpus or data:
            raise ConfigError("write the options after 'update': xorqa index update FILE ...")
        return
    table = {"use": retriever} | ({"kind": kind} if kind not in (None, EXACT) else {})
    if workers and "workers" not in signature(find("retriever", retriever).build).parameters:
        raise ConfigError(f"--workers is for dense indexes; {retriever} has no encoder")
    shared: dict[str, Any] = {"workers": workers, "on": on} if workers else {}
    for passages in _corpora(corpus, data, ",".join(split_langs(lang) or ["en"])):
        folder = index_folder(folder_of(passages, indexes or indexes_dir()), table)
        stage = build("retriever", table, corpus=passages, folder=folder)
        if type(stage).build is BaseRetriever.build:
            raise ConfigError(f"{retriever} has no index on disk, so there is nothing to build")
        with waiting_if(wait), progress() as report:
            report_corpus = partial(report, passages.name)
            work = partial(stage.build, rebuild=rebuild, progress=report_corpus, **shared)
            seconds, _ = timed(work)
        if verify:
            for note in stage.verify():
                print_line(note)
        console.print(
            f"{folder}: {quantity(len(passages), 'passage')}, {seconds:.1f} s", soft_wrap=True
        )


def _corpora(corpus: str | None, data: str | None, languages: str) -> list[Corpus]:
    if (corpus is None) == (data is None):
        raise ConfigError("pass either --corpus FILE or --data NAME")
    if corpus is not None:
        return [parse_corpus(corpus)[1]]
    return corpora_of(str(data), languages)
