"""`xorqa doctor`: check this machine's dependencies, or that indexes match their corpora."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from ...core.config import stage_table
from ...core.errors import ConfigError
from ...datasets.catalog import corpora_of
from ...datasets.corpus import Corpus, read_corpus
from ...io.files import write_json
from ...models.checkpoints import DEFAULT
from ...models.encoder import EncoderSettings, encoder_settings
from ..options import JsonFile, datasets, split_langs
from ..show import console
from .findings import Finding
from .index import check_index
from .machine import check_machine, check_reader

COLOURS = {"ok": "green", "missing": "yellow", "broken": "red"}


def doctor(
    indexes: Annotated[
        list[Path] | None,
        typer.Argument(help="Index folders; without any, this machine is checked."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="The data set that was indexed: mini.", autocompletion=datasets),
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="The data set's corpora: en,ko; default all.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="The file or folder that was indexed.")
    ] = None,
    encoder: Annotated[
        str | None, typer.Option(help="The adapter that the index was built with, if any.")
    ] = None,
    transform: Annotated[str | None, typer.Option(help="The transform, if any.")] = None,
    sample: Annotated[
        int, typer.Option(min=1, help="Passages to encode or search for again.")
    ] = 32,
    reader: Annotated[
        str | None, typer.Option(help="Ask this reader, a table of settings, a question instead.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Report which features work on this machine, or check indexes.

    The exit status is 1 if anything is broken.

    Example: xorqa doctor ~/.cache/xorqa/indexes/mini.en-*/dense --data mini --lang en
    """
    if reader is not None:
        checks: Iterator[Finding] = iter([check_reader(stage_table(reader))])
    elif indexes:
        corpora = _corpora(data, ",".join(split_langs(lang) or ["all"]), corpus)
        settings = _settings(encoder, transform)
        checks = (
            finding
            for folder in indexes
            for finding in check_index(folder, corpora, encoder=settings, sample=sample)
        )
    else:
        checks = check_machine()
    findings = list(_print(checks))
    if json_file:
        write_json(json_file, [asdict(finding) for finding in findings])
    if any(finding.state == "broken" for finding in findings):
        raise typer.Exit(1)


def _corpora(data: str | None, lang: str, path: Path | None) -> list[Corpus]:
    if data and path:
        raise ConfigError("pass either --corpus FILE.jsonl or --data NAME, not both")
    if path:
        return [read_corpus(path)]
    return corpora_of(data, lang) if data else []


def _settings(encoder: str | None, transform: str | None) -> EncoderSettings | None:
    """The encoder settings that manifests do not store, or None."""
    if encoder is None and transform is None:
        return None
    return replace(encoder_settings(encoder or DEFAULT), transform=transform)


def _print(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Print findings as they arrive, grouped by subject."""
    subject = ""
    for finding in findings:
        if finding.subject != subject:
            subject = finding.subject
            console.print(subject, soft_wrap=True)
        line = Text(f"  {finding.state:<8}", COLOURS[finding.state])
        line.append(f"{finding.check:<17}{finding.note}", "default")
        console.print(line, soft_wrap=True)
        yield finding
