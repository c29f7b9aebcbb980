"""`xorqa index`: build the indexes of a data set or a corpus, and update them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Context, Option, Typer

from ..core.config import set_value, stage_table
from ..core.errors import ConfigError
from ..core.progress import quantity, timed
from ..core.registry import build, find
from ..core.stages import BaseRetriever, signature_of
from ..datasets.catalog import corpora_of
from ..datasets.corpus import (
    apply_changes,
    check_rewritable,
    other_fields,
    read_docids,
    read_new_passages,
    write_passages,
)
from ..datasets.user_data import parse_corpus
from ..experiments.settings import DEFAULT, load_settings, over_pool
from ..io.files import indexes_dir
from ..io.locks import lock_path
from ..models.device import environments
from ..retrieval.existing.base import ExistingIndex
from ..retrieval.manifest import folder_of
from ..retrieval.over_corpus import folder_of_index
from ..retrieval.update import delete_superseded, update_indexes
from ..retrieval.vectors.kinds import EXACT
from .options import AsJson, Indexes, Verify, Wait, datasets, split_langs
from .show import console, print_json, print_line, progress, waiting_if

app = Typer(invoke_without_command=True)


@app.callback()
def index(
    context: Context,
    corpus: Annotated[
        str | None, Option(help="A folder or file of documents or passages; te=FILE if in Telugu.")
    ] = None,
    data: Annotated[
        str | None, Option(help="Or a data set: mini, xquad-open.", autocompletion=datasets)
    ] = None,
    lang: Annotated[
        list[str] | None, Option(help="The data set's corpora: en,ko or all; default en.")
    ] = None,
    retriever: Annotated[
        str | None,
        Option(help="Such as dense or bm25, or a table. Default: what xorqa ask searches with."),
    ] = None,
    kind: Annotated[str | None, Option(help="Kind of dense index: flat, ivf-sq8, ...")] = None,
    settings: Annotated[
        list[str] | None,
        Option("--set", help="A setting of --retriever, by default dense: model=DIR; repeatable."),
    ] = None,
    workers: Annotated[
        int, Option(min=0, help="Encoding processes, one thread each; 0: this process.")
    ] = 0,
    devices: Annotated[str | None, Option(help="Or a process per device: cuda:0,cuda:1.")] = None,
    on: Annotated[str, Option(help="Where workers run: processes or ray.")] = "processes",
    rebuild: Annotated[bool, Option(help="Replace existing indexes.")] = False,
    indexes: Indexes = None,
    wait: Wait = False,
    verify: Verify = False,
) -> None:
    """Build indexes; a killed build resumes.

    All commands and Python find an index by its passages, whatever their file's name.

    Example: xorqa index --corpus passages.jsonl
    """
    if context.invoked_subcommand:
        if corpus or data:
            raise ConfigError("write the options after 'update': xorqa index update FILE ...")
        return
    given = _given(retriever, kind, settings or ()) if retriever or kind or settings else {}
    options = partial(_options, workers=workers, on=on, devices=devices)
    if given:
        options(given)  # before a corpus is read
    if corpus is not None and data is None:
        corpora = [parse_corpus(corpus)[1]]
    elif data is not None and corpus is None:
        corpora = corpora_of(data, ",".join(split_langs(lang) or ["en"]))
    else:
        raise ConfigError("pass either --corpus FILE or --data NAME")
    for passages in corpora:
        table = given or over_pool(load_settings(DEFAULT), passages.languages).routes[0].retriever
        folder = folder_of_index(table, folder_of(passages, indexes or indexes_dir()))
        stage = build("retriever", table, corpus=passages, folder=folder)
        if type(stage).build is BaseRetriever.build:
            raise ConfigError(f"{table['use']} has no index on disk, so there is nothing to build")
        with waiting_if(wait), progress() as report:
            report_corpus = partial(report, passages.name)
            shared = options(table)
            work = partial(stage.build, rebuild=rebuild, progress=report_corpus, **shared)
            seconds, _ = timed(work)
        if verify:
            for note in stage.verify():
                print_line(note)
        built = folder if folder.is_dir() else folder.parent  # a hybrid has its parts' folders
        console.print(
            f"{built}: {quantity(len(passages), 'passage')}, {seconds:.1f} s", soft_wrap=True
        )


@app.command("update")
def update(
    passages: Annotated[
        str, Argument(help="The indexed passages, a JSONL file; te=FILE if in Telugu.")
    ],
    corpus: Annotated[
        Path | None, Option(help="A file of passages to add, or to replace those of their docids.")
    ] = None,
    delete: Annotated[Path | None, Option(help="A file with a docid to delete per line.")] = None,
    out: Annotated[
        Path | None, Option(help="Write the updated passages to this JSONL file instead.")
    ] = None,
    retriever: Annotated[
        list[str] | None, Option(help="Only these indexes; clusters need it. Repeatable.")
    ] = None,
    kind: Annotated[str | None, Option(help="With --retriever dense: the kind of index.")] = None,
    indexes: Indexes = None,
    wait: Wait = False,
    as_json: AsJson = False,
) -> None:
    """Add, replace and delete passages by docid; only new and changed ones are encoded.

    All indexes of PASSAGES are updated, then the file is replaced: use it as before. A process that
    has the old index open keeps it. A killed update changes nothing; the same command resumes it.

    Example: xorqa index update passages.jsonl --corpus new.jsonl --delete gone.txt
    """
    if corpus is None and delete is None:
        raise ConfigError("nothing to update; pass --corpus FILE, --delete FILE or both")
    lang = passages.partition("=")[0] if not Path(passages).exists() and "=" in passages else None
    path = Path(passages if lang is None else passages.partition("=")[2])
    with waiting_if(wait), lock_path(out or path, "corpus"), progress() as report:
        if out is None:
            check_rewritable(path)
        _, old = parse_corpus(passages)
        given = read_new_passages(corpus, lang=lang) if corpus else ()
        new, changes = apply_changes(old, given, read_docids(delete) if delete else ())
        root, updated = indexes or indexes_dir(), []

        def write() -> None:
            replaced = {passage.docid for passage in given}
            others = {docid: f for docid, f in other_fields(path).items() if docid not in replaced}
            write_passages(out or path, new, others | (other_fields(corpus) if corpus else {}))

        if changes:
            tables = [_table(name, kind) for name in retriever or ()]
            updated = update_indexes(old, new, root, tables=tables, progress=report, commit=write)
        elif out:
            write()
        delete_superseded(new, root)
    counts = {
        "added": len(changes.added),
        "replaced": len(changes.replaced),
        "deleted": len(changes.deleted),
        "missing": len(changes.missing),
        "unchanged": changes.unchanged,
    }
    if as_json:
        rows = [{**asdict(index), "folder": str(index.folder)} for index in updated]
        print_json({"passages": str(out or path), **counts, "indexes": rows})
        return
    for index in updated:
        written = f"{index.written:,} written" if index.written else "complete"
        total = quantity(index.passages, "passage")
        print_line(f"{index.folder}: {total}, {written}, {index.seconds:.1f} s")
    labels = {**{name: name for name in counts}, "missing": "to delete not found"}
    numbers = ", ".join(f"{number:,} {labels[name]}" for name, number in counts.items() if number)
    print_line(f"{out or path}: {quantity(len(new), 'passage')}: {numbers}")


def _given(retriever: str | None, kind: str | None, changes: Sequence[str]) -> dict[str, Any]:
    """The table of the retriever that the options describe."""
    table = stage_table(retriever or "dense") | (
        {"kind": kind} if kind not in (None, EXACT) else {}
    )
    for change in changes:
        set_value(table, change)
    return table


def _options(
    table: Mapping[str, Any], *, workers: int, on: str, devices: str | None
) -> dict[str, Any]:
    """The options of a retriever's `build` about parallel processes."""
    name, cls = table.get("use"), find("retriever", str(table.get("use")))
    if issubclass(cls, ExistingIndex):
        raise ConfigError(
            f"{name} opens an index as it is, so there is nothing to build; "
            "check it with xorqa doctor --retriever"
        )
    listed = [device.strip() for device in devices.split(",")] if devices else []
    given: dict[str, Any] = {"workers": workers, "devices": listed}
    options = {option: value for option, value in given.items() if value}
    if len(options) > 1:
        raise ConfigError("pass either --workers or --devices, which has a process per device")
    if listed and on != "processes":
        raise ConfigError(f"--devices is for workers on 'processes'; remove --on {on}")
    environments(listed)  # raises
    if options and on != "processes":
        options["on"] = on
    accepted = signature(cls.build).parameters
    for option in options:
        if option not in accepted:
            raise ConfigError(f"--{option} is not for {name}")
    return options


def _table(retriever: str, kind: str | None) -> dict[str, Any]:
    """The table of a retriever, with the kind of its index if it has several."""
    table = stage_table(retriever)
    has_kinds = "kind" in signature_of(find("retriever", str(table.get("use")))).parameters
    return table | ({"kind": kind} if kind not in (None, EXACT) and has_kinds else {})
