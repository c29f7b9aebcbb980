"""`xorqa index`: build the indexes of a data set or of one's own corpus."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import ConfigError
from ..core.registry import build
from ..core.stages import BaseRetriever
from ..datasets.catalog import corpora_of
from ..datasets.corpus import Corpus, read_corpus
from ..io.files import index_folder, indexes_dir
from .run import parse_corpus
from .show import console, progress


def index(
    corpus: Annotated[
        str | None, typer.Option(help="Passages: JSONL, TSV, TREC, SQuAD; all Telugu: te=FILE.")
    ] = None,
    data: Annotated[str | None, typer.Option(help="A data set instead: mini, xquad-open.")] = None,
    languages: Annotated[
        str, typer.Option("--lang", help="Which of the data set's corpora: en,ko or all.")
    ] = "en",
    retriever: Annotated[str, typer.Option(help="dense, bm25, lucene or elastic.")] = "dense",
    kind: Annotated[
        str | None, typer.Option(help="Of a dense index: flat, or smaller and faster ones.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="Processes that encode, a thread each; 0: this one.")
    ] = 0,
    on: Annotated[str, typer.Option(help="Where workers run: processes or ray.")] = "processes",
    rebuild: Annotated[bool, typer.Option(help="Throw an index that is there away.")] = False,
    indexes: Annotated[Path | None, typer.Option(help="Where indexes stand.")] = None,
) -> None:
    """Build indexes; killed, it goes on where it was.

    Example: xorqa index --corpus passages.jsonl --retriever dense
    """
    table = {"use": retriever} | ({"kind": kind} if kind else {})
    if workers and retriever != "dense":
        raise ConfigError(f"--workers encode for a dense index; {retriever} encodes nothing")
    shared: dict[str, Any] = {"workers": workers, "on": on} if workers else {}
    for passages in _corpora(corpus, data, languages):
        folder = index_folder((indexes or indexes_dir()) / passages.name, table)
        began = time.perf_counter()
        stage = build("retriever", table, corpus=passages, folder=folder)
        if type(stage).build is BaseRetriever.build:
            raise ConfigError(f"{retriever} keeps no index, so there is nothing to build")
        with progress() as tell:
            stage.build(
                rebuild=rebuild,
                progress=lambda done, total, name=passages.name: tell(name, done, total),
                **shared,
            )
        seconds = time.perf_counter() - began
        console.print(f"{folder}: {len(passages)} passages, {seconds:.1f} s", soft_wrap=True)


def _corpora(given: str | None, data: str | None, languages: str) -> list[Corpus]:
    if (given is None) == (data is None):
        raise ConfigError("give either --corpus FILE or --data NAME")
    if given is not None:
        named = "=" in given and not Path(given).exists()
        return [parse_corpus(given)[1] if named else read_corpus(Path(given))]
    return corpora_of(str(data), languages)
